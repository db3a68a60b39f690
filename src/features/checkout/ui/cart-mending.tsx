/** What has changed in the cart since the buyer saw it, by name, each with a button that fixes it. */
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { CartItem } from '#src/features/cart/cart.rules.ts';
import { PHOTO_NOT_AVAILABLE, PRICES_CHANGED, type Unavailable } from '#src/features/orders/orders.contract.ts';
import { dollarText } from '#src/shared/money.ts';
import { Button } from '#src/ui/button.tsx';
import { buttonStyle } from '#src/ui/button-style.ts';
import { Notice } from '#src/ui/notice.tsx';

type CartMendingProps = {
  trouble: CartTrouble;
  sellerPath: string;
  onRemove: (...photoIds: readonly number[]) => void;
  onAcceptPrices: () => void;
};

const namesOf = (items: readonly CartItem[]) => items.map((item) => item.name).join(', ');

export function CartMending({ trouble, sellerPath, onRemove, onAcceptPrices }: CartMendingProps) {
  const { gone, locked, repriced } = trouble;
  const lockedGalleries = [...new Set(locked.map((item) => item.gallery_id))];
  const ofGallery = (galleryId: number) => locked.filter((item) => item.gallery_id === galleryId);
  const removing = (items: readonly CartItem[], all = 'Remove them') => (
    <Button variant="secondary" size="small" onClick={() => onRemove(...items.map((item) => item.id))}>
      {items.length === 1 ? 'Remove it' : all}
    </Button>
  );
  return (
    <div role="status" className="flex flex-col gap-4 empty:hidden">
      {gone.length > 0 && (
        <Trouble sentence={PHOTO_NOT_AVAILABLE} actions={removing(gone, `Remove these ${gone.length} photos`)}>
          <p className="mt-1 break-words">{namesOf(gone)}</p>
        </Trouble>
      )}
      {lockedGalleries.map((galleryId) => (
        <Trouble
          key={galleryId}
          sentence={`The gallery of ${ofGallery(galleryId).length === 1 ? 'this photo' : 'these photos'} now requires a password.`}
          actions={
            <>
              <Link to={`/${sellerPath}/gallery/${galleryId}`} className={buttonStyle({ size: 'small' })}>
                Unlock the gallery
              </Link>
              {removing(ofGallery(galleryId))}
            </>
          }
        >
          <p className="mt-1 break-words">{namesOf(ofGallery(galleryId))}</p>
        </Trouble>
      ))}
      {repriced.length > 0 && (
        <Trouble
          sentence={PRICES_CHANGED}
          actions={
            <>
              <Button size="small" onClick={onAcceptPrices}>
                {repriced.length === 1 ? 'Accept the new price' : 'Accept the new prices'}
              </Button>
              {removing(repriced.map(({ item }) => item))}
            </>
          }
        >
          <ul className="mt-1">
            {repriced.map(({ item, price }) => (
              <li key={item.id} className="break-words">
                {item.name}: {dollarText(item.sales_price)} before, <strong>{dollarText(price)}</strong> now
              </li>
            ))}
          </ul>
        </Trouble>
      )}
    </div>
  );
}

function Trouble({ sentence, actions, children }: { sentence: string; actions: ReactNode; children: ReactNode }) {
  return (
    <Notice tone="warning">
      <p className="font-semibold">{sentence}</p>
      {children}
      <div className="mt-3 flex flex-wrap gap-2">{actions}</div>
    </Notice>
  );
}

type CartTrouble = {
  gone: readonly CartItem[];
  locked: readonly CartItem[];
  /** `price` is the server's, in dollars; the item has the one that the buyer saw. */
  repriced: readonly { item: CartItem; price: number }[];
};

/** What prevents an order of this cart. */
export function troubleOf(
  items: readonly CartItem[],
  unavailable: ReadonlyMap<number, Unavailable['reason']>,
  prices: ReadonlyMap<number, number>,
): CartTrouble {
  return {
    gone: items.filter((item) => unavailable.get(item.id) === 'gone'),
    locked: items.filter((item) => unavailable.get(item.id) === 'locked'),
    repriced: items.flatMap((item) => {
      const price = prices.get(item.id);
      const isKnown = price !== undefined && !unavailable.has(item.id);
      return isKnown && price !== item.sales_price ? [{ item, price }] : [];
    }),
  };
}

/** The specification's sentences for what must be fixed. */
export function troubleMessages({ gone, locked, repriced }: CartTrouble): string[] {
  return [
    ...(gone.length + locked.length > 0 ? [PHOTO_NOT_AVAILABLE] : []),
    ...(repriced.length > 0 ? [PRICES_CHANGED] : []),
  ];
}
