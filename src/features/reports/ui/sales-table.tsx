import { Fragment } from 'react';
import { Link } from 'react-router';
import {
  TOTALS,
  type GallerySales,
  type SellerReport,
  type Totals,
  type TotalsColumn,
} from '#src/features/reports/reports.rules.ts';
import { formatDollars } from '#src/shared/money.ts';
import { cx } from '#src/ui/cx.ts';

type Column = Omit<TotalsColumn, 'label'> & { label: string };

const textOf = (totals: Totals, { key }: Column) =>
  key === 'orders' || key === 'photos' ? totals[key].toLocaleString('en-US') : formatDollars(totals[key]);

type SalesTableProps = {
  sellers: readonly SellerReport[];
  total: Totals;
  /** Only one organization: its galleries are the rows. */
  isOne: boolean;
};

/** Organizations with their galleries. A table on wide screens; on narrow ones a card for each, with every number. */
export function SalesTable({ sellers, total, isOne }: SalesTableProps) {
  const columns = TOTALS.filter(({ key, isRare }) => !isRare || total[key] !== 0).map((column) => ({
    ...column,
    label: (isOne ? null : column.ofSeveral) ?? column.label ?? column.head,
  }));
  return (
    <>
      <div className="rounded-lg border border-line bg-surface max-lg:hidden">
        <table className="w-full border-collapse text-sm tabular-nums">
          <caption className="sr-only">{isOne ? 'Sales per gallery' : 'Sales per organization and gallery'}</caption>
          <thead>
            <tr className="text-left text-quiet">
              <th scope="col" className={HEAD}>
                {isOne ? 'Gallery' : 'Organization'}
              </th>
              {columns.map(({ label }) => (
                <th key={label} scope="col" className={cx(HEAD, 'text-right')}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sellers.map((seller) => (
              <Fragment key={seller.id}>
                {!isOne && (
                  <Line columns={columns} totals={seller.totals} name={<SellerName seller={seller} />} isBold />
                )}
                {seller.galleries.map((gallery) => (
                  <Line
                    key={gallery.id}
                    columns={columns}
                    totals={gallery.totals}
                    name={<span className={cx(!isOne && 'pl-4 font-normal')}>{gallery.name}</span>}
                  />
                ))}
              </Fragment>
            ))}
          </tbody>
          <tfoot>
            <Line columns={columns} totals={total} name="Total" isBold />
          </tfoot>
        </table>
      </div>
      <ul aria-label={isOne ? 'Sales per gallery' : 'Sales per organization'} className="grid gap-3 lg:hidden">
        {sellers.flatMap((seller) =>
          isOne
            ? seller.galleries.map((gallery) => (
                <SalesCard key={gallery.id} columns={columns} totals={gallery.totals} name={gallery.name} />
              ))
            : [
                <SalesCard
                  key={seller.id}
                  columns={columns}
                  totals={seller.totals}
                  name={<SellerName seller={seller} />}
                  galleries={seller.galleries}
                />,
              ],
        )}
      </ul>
    </>
  );
}

const HEAD =
  'sticky top-0 bg-surface px-3 py-3 align-bottom font-semibold first:rounded-tl-lg first:pl-4 last:rounded-tr-lg last:pr-4';

function SellerName({ seller }: { seller: SellerReport }) {
  return (
    <Link to={`/${seller.path}/dashboard`} className="underline decoration-line-strong underline-offset-4">
      {seller.name}
    </Link>
  );
}

type LineProps = { columns: readonly Column[]; name: React.ReactNode; totals: Totals; isBold?: boolean };

function Line({ columns, name, totals, isBold = false }: LineProps) {
  return (
    <tr className={cx('border-t border-line', isBold && 'font-bold')}>
      <th scope="row" className="px-4 py-2.5 text-left font-semibold break-words">
        {name}
      </th>
      {columns.map((column) => (
        <td key={column.key} className="px-3 py-2.5 text-right whitespace-nowrap last:pr-4 last:font-bold">
          {textOf(totals, column)}
        </td>
      ))}
    </tr>
  );
}

function SalesCard({ columns, name, totals, galleries = [] }: LineProps & { galleries?: readonly GallerySales[] }) {
  const last = columns.at(-1);
  return (
    <li className="rounded-lg border border-line bg-surface p-4">
      <p className="flex items-baseline justify-between gap-4">
        <strong className="min-w-0 font-bold break-words">{name}</strong>
        <span className="shrink-0 text-right tabular-nums">
          <span className="text-xs text-quiet">{last?.label}</span>{' '}
          <strong className="font-bold">{last && textOf(totals, last)}</strong>
        </span>
      </p>
      <dl className="mt-3 grid grid-cols-2 gap-x-6 gap-y-1.5 border-t sm:grid-cols-3 border-line pt-3 text-sm tabular-nums">
        {columns.slice(0, -1).map((column) => (
          <div key={column.key} className="flex min-w-0 flex-wrap items-baseline gap-x-2">
            <dt className="text-quiet">{column.short ?? column.label}</dt>
            <dd className="ml-auto">{textOf(totals, column)}</dd>
          </div>
        ))}
      </dl>
      {galleries.length > 0 && (
        <ul aria-label="Galleries" className="mt-3 border-t border-line pt-2 text-sm tabular-nums">
          {galleries.map((gallery) => (
            <li key={gallery.id} className="flex items-baseline justify-between gap-4 py-1">
              <span className="min-w-0 break-words">{gallery.name}</span>
              <span>{last && textOf(gallery.totals, last)}</span>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
