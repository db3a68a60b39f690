import type { ReactNode } from 'react';
import { ChevronLeft } from '#src/ui/icon.tsx';
import { Link } from '#src/ui/link.tsx';

/** On a public page: to the page above it. Working pages have a `BackLink`. */
export function ParentLink({ to, children }: { to: `/${string}`; children: ReactNode }) {
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
