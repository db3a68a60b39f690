import type { ReportRow, Totals } from '#src/features/reports/reports.rules.ts';
import { formatDollars, type Cents } from '#src/shared/money.ts';

type Column = { label: string; text: (totals: Totals) => string };

const money = (pick: (totals: Totals) => Cents) => (totals: Totals) => formatDollars(pick(totals));
const COLUMNS: readonly Column[] = [
  { label: 'Orders', text: ({ orders }) => orders.toLocaleString('en-US') },
  { label: 'Photos', text: ({ photos }) => photos.toLocaleString('en-US') },
  { label: 'Sales', text: money((totals) => totals.salesCents) },
  { label: 'Donations', text: money((totals) => totals.donationsCents) },
  { label: 'Taxes', text: money((totals) => totals.taxCents) },
  { label: 'Refunds', text: money((totals) => totals.refundsCents) },
  { label: 'Card fees', text: money((totals) => totals.feesCents) },
  { label: 'Sideline’s share', text: money((totals) => totals.shareCents) },
  { label: 'You get', text: money((totals) => totals.netCents) },
];

/** One line per organisation and their sum; on phones the table scrolls sideways below its names. */
export function SalesTable({ rows, total }: { rows: readonly ReportRow[]; total: Totals }) {
  return (
    <section
      aria-label="Sales per organization"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
      tabIndex={0}
      className="overflow-x-auto rounded border border-line bg-surface"
    >
      <table className="w-full min-w-[52rem] border-collapse text-sm tabular-nums">
        <thead>
          <tr className="border-b border-line text-left text-quiet">
            <th scope="col" className="sticky left-0 bg-surface px-4 py-3 font-semibold">
              Organization
            </th>
            {COLUMNS.map(({ label }) => (
              <th key={label} scope="col" className="px-3 py-3 text-right font-semibold whitespace-nowrap">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Line key={row.id} name={row.name} totals={row.totals} />
          ))}
        </tbody>
        {rows.length > 1 && (
          <tfoot className="font-bold">
            <Line name="Total" totals={total} />
          </tfoot>
        )}
      </table>
    </section>
  );
}

function Line({ name, totals }: { name: string; totals: Totals }) {
  return (
    <tr className="border-t border-line">
      <th scope="row" className="sticky left-0 max-w-48 bg-surface px-4 py-3 text-left font-semibold sm:max-w-72">
        {name}
      </th>
      {COLUMNS.map(({ label, text }) => (
        <td key={label} className="px-3 py-3 text-right whitespace-nowrap">
          {text(totals)}
        </td>
      ))}
    </tr>
  );
}
