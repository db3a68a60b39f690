import { Link } from 'react-router';
import { TOTALS, type GallerySales, type SellerReport, type Totals } from '#src/features/reports/reports.rules.ts';
import { FiguresCard, FiguresGrid, type FiguresRow } from '#src/features/reports/ui/figures-table.tsx';
import { formatDollars } from '#src/shared/money.ts';
import { cx } from '#src/ui/cx.ts';

type SalesTableProps = {
  sellers: readonly SellerReport[];
  total: Totals;
  /** Only one organization: its galleries are the rows. */
  isOne: boolean;
};

/** Organizations with their galleries. A table on wide screens; on narrow ones a card for each, with every number. */
export function SalesTable({ sellers, total, isOne }: SalesTableProps) {
  const columns = TOTALS.filter(({ key, isRare }) => !isRare || total[key] !== 0);
  const labels = columns.map(({ head, label = head, ofSeveral = label }) => (isOne ? label : ofSeveral));
  const shortLabels = columns.map(({ short }, index) => short ?? labels[index] ?? '');
  const cellsOf = (totals: Totals) =>
    columns.map(({ key }) =>
      key === 'orders' || key === 'photos' ? totals[key].toLocaleString('en-US') : formatDollars(totals[key]),
    );
  const rowOf = ({ id, name, totals }: GallerySales): FiguresRow => ({
    key: String(id),
    name: <span className={cx(!isOne && 'pl-4 font-normal')}>{name}</span>,
    cells: cellsOf(totals),
  });
  return (
    <>
      <FiguresGrid
        caption={isOne ? 'Sales per gallery' : 'Sales per organization and gallery'}
        head={isOne ? 'Gallery' : 'Organization'}
        columns={labels}
        rows={sellers.flatMap((seller) => [
          ...(isOne
            ? []
            : [
                {
                  key: `of ${seller.id}`,
                  name: <SellerName seller={seller} />,
                  cells: cellsOf(seller.totals),
                  isBold: true,
                },
              ]),
          ...seller.galleries.map(rowOf),
        ])}
        total={{ key: 'total', name: 'Total', cells: cellsOf(total), isBold: true }}
      />
      <ul aria-label={isOne ? 'Sales per gallery' : 'Sales per organization'} className="grid gap-3 lg:hidden">
        {isOne
          ? sellers
              .flatMap(({ galleries }) => galleries)
              .map(({ id, name, totals }) => (
                <FiguresCard key={id} name={name} cells={cellsOf(totals)} columns={shortLabels} isWide />
              ))
          : sellers.map((seller) => (
              <FiguresCard
                key={seller.id}
                name={<SellerName seller={seller} />}
                cells={cellsOf(seller.totals)}
                columns={shortLabels}
                isWide
              >
                {seller.galleries.length > 0 && (
                  <ul aria-label="Galleries" className="mt-3 border-t border-line pt-2 text-sm tabular-nums">
                    {seller.galleries.map(({ id, name, totals }) => (
                      <li key={id} className="flex items-baseline justify-between gap-4 py-1">
                        <span className="min-w-0 break-words">{name}</span>
                        <span>{cellsOf(totals).at(-1)}</span>
                      </li>
                    ))}
                  </ul>
                )}
              </FiguresCard>
            ))}
      </ul>
    </>
  );
}

function SellerName({ seller }: { seller: SellerReport }) {
  return (
    <Link to={`/${seller.path}/dashboard`} className="underline decoration-line-strong underline-offset-4">
      {seller.name}
    </Link>
  );
}
