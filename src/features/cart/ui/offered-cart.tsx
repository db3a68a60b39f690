/** The cart bar for galleries with offers: the best price, the sum of single prices, and a hint. */
import { useState } from 'react';
import { useWholeCart } from '#src/features/cart/cart.client.ts';
import { hiddenHints } from '#src/features/cart/hidden-hints.client.ts';
import { offeredPrice } from '#src/features/cart/offered-cart.rules.ts';
import { cartSpoken, goodsText } from '#src/features/offers/offer-words.rules.ts';
import { formatDollars } from '#src/shared/money.ts';
import { IconButton } from '#src/ui/icon-button.tsx';
import { X } from '#src/ui/icon.tsx';

/** Count and price, for sighted users and screen readers. */
export function OfferedCart() {
  const { items, passes, offered, count, totalCents } = useWholeCart();
  const goods = goodsText(count, passes.length);
  const best = offeredPrice(items, passes, offered);
  const priceCents = best?.price.subtotalCents ?? totalCents;
  const singleSumCents = best?.singleSumCents ?? totalCents;
  return (
    <>
      <span className="sr-only">{cartSpoken(goods, priceCents, singleSumCents)}</span>
      <span aria-hidden="true">{goods}</span>
      <span aria-hidden="true" className="flex gap-x-2 tabular-nums">
        {priceCents < singleSumCents && <s className="text-quiet">{formatDollars(singleSumCents)}</s>}
        <strong className="font-bold">{formatDollars(priceCents)}</strong>
      </span>
    </>
  );
}

/** Only the price. */
export function OfferedTotal() {
  const { items, passes, offered, totalCents } = useWholeCart();
  const best = offeredPrice(items, passes, offered);
  return formatDollars(best?.price.subtotalCents ?? totalCents);
}

/** A hint about one more photo or a little more money; once hidden, it stays hidden in its gallery. */
export function CartHint() {
  const { items, passes, offered } = useWholeCart();
  const [hidden, setHidden] = useState(() => hiddenHints.read());
  const galleryId = items.at(-1)?.gallery_id;
  const hint = offeredPrice(items, passes, offered)?.hint;
  if (!hint || galleryId === undefined || hidden.includes(galleryId)) return null;
  return (
    <div className="cart-hint flex items-center justify-between gap-2 border-b border-line bg-accent-tint py-1 pr-1 pl-5 sm:max-w-md sm:rounded-t-lg">
      <p className="text-sm">{hint}</p>
      <IconButton label="Hide this hint" onClick={() => setHidden(hiddenHints.hide(galleryId))}>
        <X aria-hidden="true" />
      </IconButton>
    </div>
  );
}
