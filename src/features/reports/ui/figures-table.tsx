import type { ReactNode } from 'react';
import { cx } from '#src/ui/cx.ts';

export type FiguresRow = {
  key: string;
  name: ReactNode;
  /** One per column; null for empty cells. */
  cells: readonly (string | null)[];
  isBold?: boolean;
};
type FiguresProps = {
  caption: string;
  /** Header of the row names. */
  head: string;
  /** The last one is the most important. */
  columns: readonly string[];
  rows: readonly FiguresRow[];
};

const HEAD =
  'px-3 py-3 align-bottom font-semibold first:rounded-tl-lg first:pl-4 last:rounded-tr-lg last:pr-4 print:px-1 print:py-1';

/** So many columns fit beside the navigation from 1,024 pixels on; with offers and credit a report has more. */
const FEW_COLUMNS = 10;
const hasMany = ({ length }: readonly string[]) => length > FEW_COLUMNS;
/** Cards are shown where the table is not. */
export const hiddenBesideTable = (columns: readonly string[]) => (hasMany(columns) ? 'xl:hidden' : 'lg:hidden');

/** Amounts in columns on wide screens and on paper. In a long table the header stays visible. */
export function FiguresGrid({ caption, head, columns, rows, total }: FiguresProps & { total?: FiguresRow }) {
  const headStyle = cx(HEAD, total && 'sticky top-0 bg-surface');
  return (
    <div
      className={cx(
        'rounded-lg border border-line bg-surface print:block print:border-0',
        hasMany(columns) ? 'max-xl:hidden not-print:[&_td]:px-2 not-print:[&_th]:px-2' : 'max-lg:hidden',
      )}
    >
      <table className="w-full border-collapse text-sm tabular-nums">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="text-left text-quiet">
            <th scope="col" className={headStyle}>
              {head}
            </th>
            {columns.map((label) => (
              <th key={label} scope="col" className={cx(headStyle, 'text-right wrap-normal')}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Line key={row.key} row={row} columns={columns} />
          ))}
        </tbody>
        {total && (
          <tfoot>
            <Line row={total} columns={columns} />
          </tfoot>
        )}
      </table>
    </div>
  );
}

function Line({ row, columns }: { row: FiguresRow } & Pick<FiguresProps, 'columns'>) {
  return (
    <tr className={cx('border-t border-line print:break-inside-avoid', row.isBold && 'font-bold')}>
      <th scope="row" className="px-4 py-2.5 text-left font-semibold wrap-anywhere print:px-1 print:py-1">
        {row.name}
      </th>
      {row.cells.map((cell, index) => (
        <td
          key={columns[index]}
          className="px-3 py-2.5 text-right whitespace-nowrap last:pr-4 last:font-bold print:px-1 print:py-1"
        >
          {cell}
        </td>
      ))}
    </tr>
  );
}

type FiguresCardProps = Pick<FiguresRow, 'name' | 'cells'> &
  Pick<FiguresProps, 'columns'> & { isWide?: boolean; children?: ReactNode };

/** The same as a card for narrow screens: the most important amount next to the name, the rest below. */
export function FiguresCard({ name, cells, columns, isWide = false, children }: FiguresCardProps) {
  return (
    <li className="rounded-lg border border-line bg-surface p-4">
      <p className="flex flex-wrap items-baseline gap-x-4">
        <strong className="min-w-0 font-bold break-words">{name}</strong>
        <span className="ml-auto text-right tabular-nums">
          <span className="text-xs text-quiet">{columns.at(-1)}</span>{' '}
          <strong className="font-bold text-nowrap">{cells.at(-1)}</strong>
        </span>
      </p>
      <dl
        className={cx(
          'mt-3 grid gap-x-6 gap-y-1.5 border-t border-line pt-3 text-sm tabular-nums [&_dd]:text-nowrap',
          isWide ? 'grid-cols-[repeat(auto-fill,minmax(min(100%,8rem),1fr))] sm:grid-cols-3' : 'grid-cols-1',
        )}
      >
        {columns.slice(0, -1).map((label, index) =>
          cells[index] === null ? null : (
            <div key={label} className="flex min-w-0 flex-wrap items-baseline gap-x-2">
              <dt className="text-quiet">{label}</dt>
              <dd className="ml-auto">{cells[index]}</dd>
            </div>
          ),
        )}
      </dl>
      {children}
    </li>
  );
}

/** Amounts in columns: a table on wide screens and on paper; a card for each row on a phone. */
export function FiguresTable(props: FiguresProps) {
  const { caption, columns, rows } = props;
  return (
    <>
      <FiguresGrid {...props} />
      <ul aria-label={caption} className={cx('grid gap-3 sm:grid-cols-2 print:hidden', hiddenBesideTable(columns))}>
        {rows.map(({ key, name, cells }) => (
          <FiguresCard key={key} name={name} cells={cells} columns={columns} />
        ))}
      </ul>
    </>
  );
}
