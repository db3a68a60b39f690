import { formatDollars, parseDollarNumber, ZERO } from '#src/shared/money.ts';

/** Orders, photos and dollars; absent where nothing was counted. */
type Counted = readonly (number | undefined)[];
export type Figures = { preview: Counted; total: Counted; galleries: number };

const NAMES = ['Orders', 'Photos', 'Sales'] as const;

/** What an account sold: a small table, so that the eye compares the month with everything. */
export function AccountFigures({ figures }: { figures: Figures }) {
  return (
    <table className="my-5 w-full max-w-xl text-sm tabular-nums">
      <caption className="sr-only">What the organization sold</caption>
      <thead>
        <tr className="border-b border-line text-xs text-quiet">
          <th scope="col" className="py-2 pr-3 text-left font-semibold">
            {galleriesText(figures.galleries)}
          </th>
          {NAMES.map((name) => (
            <th key={name} scope="col" className="px-3 py-2 text-right font-semibold">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <Row name="Last 30 days" counted={figures.preview} />
        <Row name="In all" counted={figures.total} />
      </tbody>
    </table>
  );
}

function Row({ name, counted: [orders = 0, photos = 0, dollars = 0] }: { name: string; counted: Counted }) {
  return (
    <tr className="border-b border-line">
      <th scope="row" className="py-2 pr-3 text-left font-normal">
        {name}
      </th>
      <td className="px-3 py-2 text-right">{orders.toLocaleString('en-US')}</td>
      <td className="px-3 py-2 text-right">{photos.toLocaleString('en-US')}</td>
      <td className="px-3 py-2 text-right font-semibold">{formatDollars(parseDollarNumber(dollars) ?? ZERO)}</td>
    </tr>
  );
}

/** A list has at most a hundred. */
function galleriesText(count: number): string {
  if (count === 0) return 'No gallery';
  return count === 1 ? '1 gallery' : `${count}${count >= 100 ? ' or more' : ''} galleries`;
}
