import { Link } from 'react-router';
import { CONTRIBUTE_CALL } from '#src/features/galleries/galleries.contract.ts';
import { ImagePlus } from '#src/ui/icon.tsx';

/** To the page where anyone may send photos; in its own tab where this page is part of another one (rule 41). */
export function ContributeLink({ contributeKey, opensTab }: { contributeKey: string; opensTab: boolean }) {
  const query = new URLSearchParams({ contributeKey });
  return (
    <Link
      to={`/contributor?${query}`}
      className="-my-2.5 inline-flex min-h-11 items-center gap-1 font-semibold text-accent-text hover:underline"
      {...(opensTab ? { target: '_blank', rel: 'noreferrer' } : {})}
    >
      <ImagePlus aria-hidden="true" className="size-4 shrink-0" />
      {CONTRIBUTE_CALL}
    </Link>
  );
}
