/** What an order comes to, line by line. Amounts are dollars, as the calls answer them. */
import { formatDollars, parseDollarNumber, ZERO } from '#src/shared/money.ts';

export type TotalsShown = { photoCount: number; subtotal: number; tax: number; donation: number; total: number };

const shown = (dollars: number) => formatDollars(parseDollarNumber(dollars) ?? ZERO);

export function Totals({ totals }: { totals: TotalsShown }) {
  const rows: [string, number][] = [
    [totals.photoCount === 1 ? '1 photo' : `${totals.photoCount} photos`, totals.subtotal],
    ['Taxes', totals.tax],
    ['Donation', totals.donation],
  ];
  return (
    <dl className="flex flex-col gap-2 text-sm tabular-nums">
      {rows.map(([label, amount]) => (
        <div key={label} className="flex justify-between gap-4">
          <dt className="text-quiet">{label}</dt>
          <dd>{shown(amount)}</dd>
        </div>
      ))}
      <div className="mt-1 flex justify-between gap-4 border-t border-line pt-3 text-base font-bold">
        <dt>Total</dt>
        <dd>{shown(totals.total)}</dd>
      </div>
    </dl>
  );
}
