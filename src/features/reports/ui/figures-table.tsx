import type { ReactNode } from 'react';
import { cx } from '#src/ui/cx.ts';

export type FiguresRow = {
  key: string;
  name: ReactNode;
  /** One for each column; null where there is nothing to say. */
  cells: readonly (string | null)[];
  isBold?: boolean;
};
type FiguresTableProps = {
  caption: string;
  /** What the rows are. */
  head: string;
  /** The last one is what matters. */
  columns: readonly string[];
  rows: readonly FiguresRow[];
};

/** Amounts in columns: a table where there is space, also on paper; a card for each row on a phone. */
export function FiguresTable({ caption, head, columns, rows }: FiguresTableProps) {
  const last = columns.length - 1;
  return (
    <>
      <div className="rounded-lg border border-line bg-surface max-lg:hidden print:block print:border-0">
        <table className="w-full border-collapse text-sm tabular-nums">
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr className="text-left text-quiet">
              <th scope="col" className={HEAD}>
                {head}
              </th>
              {columns.map((label) => (
                <th key={label} scope="col" className={cx(HEAD, 'text-right')}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, name, cells, isBold }) => (
              <tr key={key} className={cx('border-t border-line print:break-inside-avoid', isBold && 'font-bold')}>
                <th scope="row" className="px-4 py-2.5 text-left font-semibold break-words print:px-1 print:py-1">
                  {name}
                </th>
                {cells.map((cell, index) => (
                  <td
                    key={columns[index]}
                    className="px-3 py-2.5 text-right whitespace-nowrap last:pr-4 last:font-bold print:px-1 print:py-1"
                  >
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul aria-label={caption} className="grid gap-3 sm:grid-cols-2 lg:hidden print:hidden">
        {rows.map(({ key, name, cells }) => (
          <li key={key} className="rounded-lg border border-line bg-surface p-4">
            <p className="flex items-baseline justify-between gap-4">
              <strong className="min-w-0 font-bold break-words">{name}</strong>
              <span className="shrink-0 text-right tabular-nums">
                <span className="text-xs text-quiet">{columns[last]}</span>{' '}
                <strong className="font-bold">{cells[last]}</strong>
              </span>
            </p>
            <dl className="mt-3 grid grid-cols-1 gap-y-1.5 border-t border-line pt-3 text-sm tabular-nums [&_dd]:text-nowrap">
              {columns.slice(0, -1).map((label, index) =>
                cells[index] === null ? null : (
                  <div key={label} className="flex items-baseline justify-between gap-x-2">
                    <dt className="text-quiet">{label}</dt>
                    <dd>{cells[index]}</dd>
                  </div>
                ),
              )}
            </dl>
          </li>
        ))}
      </ul>
    </>
  );
}

const HEAD = 'px-3 py-3 align-bottom font-semibold first:pl-4 last:pr-4 print:px-1 print:py-1';
