import { lazy, Suspense } from 'react';
import { Link } from 'react-router';
import { useWholeCart } from '#src/features/cart/cart.client.ts';
import { cartItemOf } from '#src/features/cart/ui/use-choice.ts';
import type { GalleryContext } from '#src/features/public-gallery/ui/gallery-context.ts';
import type { ShownPhoto } from '#src/features/photos/shown-photo.rules.ts';
import { formatDollars } from '#src/shared/money.ts';
import { ArrowRight, Check, Plus, Heart, Trophy } from '#src/ui/icon.tsx';
import { buttonStyle } from '#src/ui/button-style.ts';
import { showToast } from '#src/ui/toast.ts';
import { useReaction, type Reaction } from '#src/features/public-gallery/ui/use-reaction.ts';
import { cx } from '#src/ui/cx.ts';

/** Computes offers, as in the cart bar. */
const OfferedTotal = lazy(async () => ({
  default: (await import('#src/features/cart/ui/offered-cart.tsx')).OfferedTotal,
}));

type PhotoBarProps = Pick<GalleryContext, 'seller' | 'allowsVoting' | 'cart' | 'toggle'> & { photo: ShownPhoto };

/** Below the photo on the stage: reactions, price, adding to the cart and removing, and the link to the checkout. */
export function PhotoBar({ photo, seller, allowsVoting, cart, toggle }: PhotoBarProps) {
  const item = cartItemOf(photo, seller);
  const isInCart = cart.has(photo.id);
  const { hasOffers } = useWholeCart();

  function press(): void {
    toggle(item);
    if (isInCart) showToast('Removed from your cart.', 'info', { label: 'Undo', act: () => cart.add(item) });
  }

  return (
    <>
      <div className="mr-auto flex items-center noscript:hidden">
        <ReactionButton photo={photo} reaction="like" />
        {allowsVoting && <ReactionButton photo={photo} reaction="vote" />}
      </div>
      {cart.count > 0 && (
        <Link
          to={`/${seller.path}/checkout`}
          aria-label={`Review your cart: ${cart.count} ${cart.count === 1 ? 'photo' : 'photos'}${hasOffers ? '' : `, ${formatDollars(cart.totalCents)}`}`}
          className="flex min-h-11 flex-wrap items-center justify-center gap-x-1.5 rounded px-1 text-sm leading-tight font-semibold whitespace-nowrap tabular-nums max-sm:flex-col max-sm:items-end"
        >
          <span>
            {cart.count}
            {' · '}
            {hasOffers ? (
              <Suspense>
                <OfferedTotal />
              </Suspense>
            ) : (
              formatDollars(cart.totalCents)
            )}
          </span>
          <span className="inline-flex items-center gap-1 underline underline-offset-4">
            Review <ArrowRight aria-hidden="true" className="size-4" />
          </span>
        </Link>
      )}
      <button
        type="button"
        onClick={press}
        className={buttonStyle({
          variant: isInCart ? 'secondary' : 'primary',
          className:
            'min-h-13 min-w-28 whitespace-nowrap tabular-nums noscript:hidden max-[360px]:grow max-[360px]:px-3',
        })}
      >
        {isInCart ? <Check aria-hidden="true" /> : <Plus aria-hidden="true" className="max-[360px]:hidden" />}
        <span>
          {isInCart ? 'Added' : 'Add'}
          <span className="sr-only">{isInCart ? '. Remove From Cart' : ' to Cart'}</span>
          {!isInCart && ` · ${priceInWords(photo)}`}
        </span>
      </button>
    </>
  );
}

function priceInWords({ priceCents }: ShownPhoto): string {
  return priceCents === 0 ? 'Free' : formatDollars(priceCents);
}

/** A heart or a vote with its count. */
function ReactionButton({ photo, reaction }: { photo: ShownPhoto; reaction: Reaction }) {
  const { count, isOn, toggle } = useReaction(photo, reaction);
  const isLike = reaction === 'like';
  const Icon = isLike ? Heart : Trophy;
  return (
    <button
      type="button"
      aria-pressed={isOn}
      aria-label={`${isLike ? 'Like' : 'Vote for'} ${photo.alt}, ${count} ${reaction}${count === 1 ? '' : 's'}`}
      onClick={toggle}
      className="inline-flex min-h-11 min-w-11 items-center justify-center gap-1 rounded px-1.5 text-sm font-semibold tabular-nums"
    >
      <Icon aria-hidden="true" className={cx('size-5 shrink-0', isOn && 'fill-current')} />
      {count > 0 && <span aria-hidden="true">{count}</span>}
    </button>
  );
}
