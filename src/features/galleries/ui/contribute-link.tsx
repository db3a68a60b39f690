import { CONTRIBUTE_CALL } from '#src/features/galleries/galleries.contract.ts';
import { ImagePlus } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';

/** To the page where anybody may send photos; in a tab of its own where this page is part of another one (decision 41). */
export function ContributeLink({ contributeKey, opensTab }: { contributeKey: string; opensTab: boolean }) {
  const query = new URLSearchParams({ contributeKey });
  return (
    <LinkButton
      to={`/contributor?${query}`}
      variant="secondary"
      {...(opensTab ? { target: '_blank', rel: 'noreferrer' } : {})}
    >
      <ImagePlus aria-hidden="true" />
      {CONTRIBUTE_CALL}
    </LinkButton>
  );
}
