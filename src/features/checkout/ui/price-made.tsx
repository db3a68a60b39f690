/** "How your price is made": the lines of the server's price, with the photos in each. */
import { Link } from 'react-router';
import type { CartItem } from '#src/features/cart/cart.rules.ts';
import { openSlotText } from '#src/features/offers/offer-words.rules.ts';
import type { QuoteAnswer } from '#src/features/orders/orders.contract.ts';
import { photoTitle } from '#src/features/photos/photo-title.rules.ts';
import { dollarText } from '#src/shared/money.ts';
import { ChevronDown, CircleCheck, Plus } from '#src/ui/icon.tsx';
import { renditionUrl } from '#src/ui/photos/photo-sources.ts';

type PriceMadeProps = { quote: QuoteAnswer; items: readonly CartItem[]; sellerPath: string };

/** Nothing without an offer, a pass or a code. */
export function PriceMade({ quote, items, sellerPath }: PriceMadeProps) {
  const { pricing = [], offers = [], notes = [], hints = [] } = quote;
  if (pricing.length === 0) return null;
  const [hint] = hints;
  return (
    <section aria-labelledby="price-made">
      <h2 id="price-made" className="mb-1 text-lg">
        How your price is made
      </h2>
      <ul className="flex flex-col text-sm">
        {pricing.map(({ text, amount }, at) => {
          // Offers come first among the lines, in their order.
          const offer = offers[at];
          return (
            <li key={text} className="border-line not-first:border-t">
              {offer && offer.photo_ids.length + offer.open_slots > 0 ? (
                <OfferLine text={text} amount={amount} offer={offer} items={items} sellerPath={sellerPath} />
              ) : (
                <p className="flex justify-between gap-4 py-2.5">
                  <Line text={text} amount={amount} />
                </p>
              )}
            </li>
          );
        })}
      </ul>
      {notes.map((note) => (
        <p key={note} className="mt-2 flex gap-2 text-sm text-quiet">
          <CircleCheck aria-hidden="true" className="size-4 shrink-0 translate-y-0.5 text-success" /> {note}
        </p>
      ))}
      {hint && <p className="mt-2 text-sm text-quiet">{hint.text}</p>}
    </section>
  );
}

/** The sentence of a reduction ends with its amount, which has its own column on screens. */
function Line({ text, amount, isFolded = false }: { text: string; amount: number; isFolded?: boolean }) {
  const shown = amount < 0 ? `−${dollarText(-amount)}` : dollarText(amount);
  const end = `: ${shown}`;
  const isReduction = amount < 0 && text.endsWith(end);
  return (
    <>
      <span className="flex min-w-0 grow items-center gap-1">
        {isReduction ? text.slice(0, -end.length) : text}
        {isReduction && <span className="sr-only">: </span>}
        {isFolded && <ChevronDown aria-hidden="true" className="size-4 shrink-0 text-quiet group-open:rotate-180" />}
      </span>
      <span className="shrink-0 tabular-nums whitespace-nowrap">{shown}</span>
    </>
  );
}

type Offer = NonNullable<QuoteAnswer['offers']>[number];
type OfferLineProps = Omit<PriceMadeProps, 'quote'> & { text: string; amount: number; offer: Offer };

const THUMB = 'aspect-square w-full rounded bg-sunken';

/** Open from the start if it has slots that are paid for and not chosen yet. */
function OfferLine({ text, amount, offer, items, sellerPath }: OfferLineProps) {
  const photos = items.filter((item) => offer.photo_ids.includes(item.id));
  const [first] = photos;
  return (
    <details open={offer.open_slots > 0} className="group">
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 [&::-webkit-details-marker]:hidden">
        <Line text={text} amount={amount} isFolded />
      </summary>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(4rem,1fr))] gap-2 pb-3">
        {photos.map((item) => (
          <li key={item.id}>
            <img
              src={renditionUrl(item.image_url, 320)}
              alt={photoTitle(item.name, item.id)}
              loading="lazy"
              className={`${THUMB} object-cover`}
            />
          </li>
        ))}
        {offer.open_slots > 0 && first && (
          <li className="col-span-2">
            <Link
              to={`/${sellerPath}/gallery/${first.gallery_id}`}
              className="flex h-full min-h-16 items-center gap-2 rounded border border-dashed border-line-strong p-2 text-xs font-semibold text-accent-text hover:underline"
            >
              <Plus aria-hidden="true" className="size-4 shrink-0" /> {openSlotText(offer.open_slots)}
            </Link>
          </li>
        )}
      </ul>
    </details>
  );
}
