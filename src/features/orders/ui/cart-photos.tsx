/** The photos of the cart, each removable and to be opened large. */
import { Link } from 'react-router';
import type { CartItem } from '#src/features/cart/cart.rules.ts';
import { PHOTO_NOT_AVAILABLE } from '#src/features/orders/orders.contract.ts';
import { formatDollars, parseDollarNumber, ZERO } from '#src/shared/money.ts';
import { cx } from '#src/ui/cx.ts';
import { IconButton } from '#src/ui/icon-button.tsx';
import { Trash } from '#src/ui/icon.tsx';
import { renditionUrl } from '#src/ui/photo-sources.ts';

type CartPhotosProps = {
  items: readonly CartItem[];
  missingIds: ReadonlySet<number>;
  /** The server's price by photo id, in dollars; the cart's own until it is known. */
  prices: ReadonlyMap<number, number>;
  sellerPath: string;
  onRemove: (photoId: number) => void;
};

export function CartPhotos({ items, missingIds, prices, sellerPath, onRemove }: CartPhotosProps) {
  return (
    <ul
      aria-label="Photos in your cart"
      className="grid grid-cols-2 gap-4 sm:grid-cols-3 md:sticky md:top-6 md:max-h-[calc(100dvh-3rem)] md:grid-cols-2 md:overflow-y-auto lg:grid-cols-3"
    >
      {items.map((item) => {
        const isMissing = missingIds.has(item.id);
        const price = parseDollarNumber(prices.get(item.id) ?? item.sales_price) ?? ZERO;
        return (
          <li
            key={item.id}
            className={cx(
              'flex flex-col overflow-hidden rounded-lg border bg-surface',
              isMissing ? 'border-danger' : 'border-line',
            )}
          >
            <Link to={`/${sellerPath}/gallery/${item.gallery_id}/photo/${item.id}`} aria-label={`Open ${item.name}`}>
              <img
                src={renditionUrl(item.image_url, 480)}
                alt=""
                className={cx('aspect-[4/3] w-full bg-sunken object-contain', isMissing && 'opacity-40')}
              />
            </Link>
            <div className="flex flex-1 items-center justify-between gap-2 py-1 pr-1 pl-3">
              <div className="min-w-0">
                <p className="truncate text-sm">{item.name}</p>
                <p className="text-sm font-bold tabular-nums">{formatDollars(price)}</p>
              </div>
              <IconButton label={`Remove ${item.name}`} onClick={() => onRemove(item.id)}>
                <Trash aria-hidden="true" />
              </IconButton>
            </div>
            {isMissing && <p className="px-3 pb-3 text-xs font-semibold text-danger">{PHOTO_NOT_AVAILABLE}</p>}
          </li>
        );
      })}
    </ul>
  );
}
