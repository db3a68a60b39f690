import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { ChevronLeft } from '#src/ui/icon.tsx';

/** The way up from a public page, above its title. */
export function UpLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link
      to={to}
      className="-ml-1 inline-flex min-h-11 items-center gap-1 rounded pr-2 text-sm font-semibold text-accent-text hover:underline"
    >
      <ChevronLeft aria-hidden="true" className="size-4 shrink-0" />
      {children}
    </Link>
  );
}
