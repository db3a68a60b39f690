import type { ReactNode } from 'react';
import { cx } from '#src/ui/cx.ts';

export type NamedFigure = { name: string; value: ReactNode; note?: ReactNode };

/** Two columns, or one if large text leaves no space for two. */
const PHONE_COLUMNS = 'max-sm:grid-cols-[repeat(auto-fit,minmax(min(100%,max(6.5rem,40%)),1fr))]';

/** A few important numbers, each large above its name. */
export function FigureList({ figures, className }: { figures: readonly NamedFigure[]; className?: string }) {
  return (
    <dl className={cx('grid gap-x-6 gap-y-4', PHONE_COLUMNS, className)}>
      {figures.map(({ name, value, note }) => (
        <div key={name} className="flex min-w-0 flex-col-reverse justify-end">
          <dt className="text-sm text-quiet">
            {name}
            {note !== undefined && <span className="mt-0.5 block text-xs">{note}</span>}
          </dt>
          <dd className="font-display text-[min(var(--text-xl),7.5vw)] leading-tight font-bold text-nowrap tabular-nums">
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
