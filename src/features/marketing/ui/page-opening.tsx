import type { ReactNode } from 'react';
import { cx } from '#src/ui/cx.ts';
import { FieldLines } from '#src/ui/field-lines.tsx';

type PageOpeningProps = {
  title: string;
  lead: ReactNode;
  /** What to do next, below the lead. */
  actions?: ReactNode;
  /** Beside the words on wide screens. */
  beside?: ReactNode;
};

/** The first thing on a marketing page: what it is about, in one line and one paragraph. */
export function PageOpening({ title, lead, actions, beside }: PageOpeningProps) {
  return (
    <header className="relative isolate overflow-clip border-b border-line">
      {beside === undefined && (
        <FieldLines className="absolute inset-0 -z-10 size-full text-line [mask-image:linear-gradient(90deg,transparent_58%,black_90%)] max-md:hidden" />
      )}
      <div
        className={cx(
          'mx-auto grid max-w-content items-center gap-x-12 gap-y-8 px-5 py-10 sm:py-14',
          beside !== undefined && 'lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]',
        )}
      >
        <div className="max-w-2xl">
          <h1 className="text-2xl leading-tight tracking-tight sm:text-3xl sm:leading-[1.06]">{title}</h1>
          <div className="mt-4 text-base text-pretty text-quiet sm:text-lg">{lead}</div>
          {actions && <div className="mt-7 flex flex-wrap gap-3">{actions}</div>}
        </div>
        {beside}
      </div>
    </header>
  );
}
