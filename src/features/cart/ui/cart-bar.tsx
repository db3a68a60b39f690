import { lazy, Suspense } from 'react';
import { useWholeCart } from '#src/features/cart/cart.client.ts';
import { useWaitingItem } from '#src/features/cart/ui/use-choice.ts';
import { ShoppingBag } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Price } from '#src/ui/price.tsx';

/** Rarely needed, so it is loaded with the question. */
const NewCartQuestion = lazy(async () => ({
  default: (await import('#src/features/cart/ui/new-cart-question.tsx')).NewCartQuestion,
}));

/** Computes offers, for carts of galleries that have some. */
const loadOffered = () => import('#src/features/cart/ui/offered-cart.tsx');
const OfferedCart = lazy(async () => ({ default: (await loadOffered()).OfferedCart }));
const CartHint = lazy(async () => ({ default: (await loadOffered()).CartHint }));

/**
 * The cart's content and the way to the checkout, within reach of a thumb. It links to the checkout of the photos' seller, also
 * from another affiliate's page. It floats, so nothing moves when it appears; the space that it needs is added below the footer
 * (styles.css).
 */
export function CartBar() {
  const { items, passes, hasOffers, count, totalCents } = useWholeCart();
  const first = items[0] ?? passes[0];
  const waiting = useWaitingItem();
  const plain = (
    <>
      {count === 1 ? '1 photo' : `${count} photos`}
      <strong className="font-bold">
        <Price cents={totalCents} />
      </strong>
    </>
  );
  return (
    <>
      {first && (
        <aside aria-label="Cart" className="cart-bar">
          <div className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] shadow-[0_-6px_24px_rgb(11_12_14/0.12)] sm:inset-x-auto sm:right-5 sm:bottom-5 sm:rounded-lg sm:border">
            {hasOffers && (
              <Suspense>
                <CartHint />
              </Suspense>
            )}
            <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 py-2.5 sm:gap-x-6 pr-3 pl-5">
              <p role="status" className="flex items-center gap-3 text-sm">
                <ShoppingBag aria-hidden="true" className="size-5 shrink-0 text-accent-text" />
                <span className="flex flex-wrap gap-x-2 whitespace-nowrap">
                  {hasOffers ? (
                    <Suspense fallback={plain}>
                      <OfferedCart />
                    </Suspense>
                  ) : (
                    plain
                  )}
                </span>
              </p>
              <LinkButton to={`/${first.organization_path}/checkout`} className="shrink-0">
                Review &amp; Get
              </LinkButton>
            </div>
          </div>
        </aside>
      )}
      {waiting && (
        <Suspense>
          <NewCartQuestion item={waiting} />
        </Suspense>
      )}
    </>
  );
}
