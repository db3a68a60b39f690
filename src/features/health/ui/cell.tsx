import type { ReactNode } from 'react';

/** The named values of a row: columns if the list is wide enough, else a small grid. */
export function Cells({ children }: { children: ReactNode }) {
  return (
    <dl className="col-span-2 grid grid-cols-[repeat(auto-fit,minmax(min(100%,max(6.5rem,30%)),1fr))] gap-x-4 gap-y-2 pt-1 @5xl:contents">
      {children}
    </dl>
  );
}

/** A value below its name. */
export function Cell({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-quiet">{name}</dt>
      <dd className="break-words">{children}</dd>
    </div>
  );
}
