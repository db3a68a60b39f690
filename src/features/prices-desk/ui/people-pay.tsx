import type { Offer } from '#src/features/offers/best-price.rules.ts';
import { earlyBirdIsOver, offerText } from '#src/features/offers/offer-words.rules.ts';
import { paidFor, sheetWarnings, SHOWN_COUNTS, type PriceGroup } from '#src/features/offers/sheet-warnings.rules.ts';
import { contentOf, earlyBirdState, type SheetValues } from '#src/features/prices-desk/price-sheet-form.rules.ts';
import { formatDollars } from '#src/shared/money.ts';
import { Notice } from '#src/ui/notice.tsx';

type PeoplePayProps = {
  /** Prices in the galleries that use it, most common first; without galleries the usual price of a photo. */
  prices: readonly PriceGroup[];
  values: SheetValues;
  /** In the seller's zone. */
  today: string;
};

/** Its steps would be the same in every row. */
const nameOf = (offer: Offer) => (offer.kind === 'steps' ? 'falling price' : offerText(offer));

/** What these numbers of photos will cost, and with which offer; below it warnings for the sheet's owner. */
export function PeoplePay({ values, prices, today }: PeoplePayProps) {
  const content = contentOf(values);
  const early = earlyBirdState(values, today);
  const common = prices[0]?.priceCents ?? 0;
  const warnings = [...sheetWarnings(content, prices), ...(early === 'over' ? [earlyBirdIsOver(values.lastDay)] : [])];
  return (
    <section aria-labelledby="people-pay" className="flex flex-col gap-3">
      <h2 id="people-pay" className="text-lg">
        What people will pay
      </h2>
      <p className="text-sm text-pretty text-quiet">
        {prices.some(({ galleries }) => galleries > 0)
          ? `At ${formatDollars(common)} a photo, the most common price in its galleries.`
          : `At ${formatDollars(common)} a photo, your usual price.`}
        {early === 'applies' && ' The early bird is subtracted from these prices.'}
      </p>
      {/* On a phone with large text it is smaller here: otherwise the page would scroll sideways. */}
      <table className="w-full rounded-lg border border-line bg-surface text-[length:min(var(--text-sm),8vw)]">
        <thead>
          <tr className="text-left text-quiet">
            <th scope="col" className="py-2 pr-1 pl-2 font-semibold whitespace-nowrap sm:px-3">
              Photos
            </th>
            <th scope="col" className="px-1 py-2 text-right font-semibold whitespace-nowrap sm:px-3">
              Price
            </th>
            <th scope="col" className="py-2 pr-2 pl-1 font-semibold sm:px-3">
              With
            </th>
          </tr>
        </thead>
        <tbody>
          {SHOWN_COUNTS.map((count) => {
            const { cents: amount, offers } = paidFor(content, common, count);
            return (
              <tr key={count} className="border-t border-line">
                <th
                  scope="row"
                  className="py-2 pr-1 pl-2 sm:px-3 text-left font-semibold whitespace-nowrap tabular-nums"
                >
                  {count}
                </th>
                <td className="px-1 py-2 sm:px-3 text-right whitespace-nowrap tabular-nums">{formatDollars(amount)}</td>
                <td className="py-2 pr-2 pl-1 wrap-break-word text-quiet sm:px-3">
                  {offers.length > 0 ? offers.map(nameOf).join(' and ') : 'single photos'}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <div role="status" className="flex flex-col gap-2">
        {warnings.map((text) => (
          <Notice key={text} tone="warning">
            {text}
          </Notice>
        ))}
      </div>
    </section>
  );
}
