/** The photos of the cart, each removable and to be opened large. */
import { Link } from 'react-router';
import type { CartItem } from '#src/features/cart/cart.rules.ts';
import { PHOTO_NOT_AVAILABLE, type Unavailable } from '#src/features/orders/orders.contract.ts';
import { formatDollars, parseDollarNumber, ZERO } from '#src/shared/money.ts';
import { cx } from '#src/ui/cx.ts';
import { IconButton } from '#src/ui/icon-button.tsx';
import { ImageOff, Lock, Trash } from '#src/ui/icon.tsx';
import { renditionUrl } from '#src/ui/photo-sources.ts';

type CartPhotosProps = {
  items: readonly CartItem[];
  unavailable: ReadonlyMap<number, Unavailable['reason']>;
  /** The server's price by photo id, in dollars; the cart's own until it is known. */
  prices: ReadonlyMap<number, number>;
  onRemove: (photoId: number) => void;
};

const shown = (dollars: number) => formatDollars(parseDollarNumber(dollars) ?? ZERO);
const FRAME = 'grid aspect-[4/3] w-full place-items-center bg-sunken';

export function CartPhotos({ items, unavailable, prices, onRemove }: CartPhotosProps) {
  return (
    <ul
      aria-label="Photos in your cart"
      className="grid grid-cols-2 gap-4 sm:grid-cols-3 md:sticky md:top-6 md:max-h-[calc(100dvh-3rem)] md:grid-cols-2 md:overflow-y-auto lg:grid-cols-3"
    >
      {items.map((item) => {
        const reason = unavailable.get(item.id);
        const price = prices.get(item.id) ?? item.sales_price;
        return (
          <li
            key={item.id}
            className={cx(
              'flex flex-col overflow-hidden rounded-lg border bg-surface',
              reason ? 'border-danger' : 'border-line',
            )}
          >
            {reason ? (
              // Its picture may not be shown any more, or not yet again.
              <span className={cx(FRAME, 'text-quiet [&_svg]:size-8')}>
                {reason === 'locked' ? <Lock aria-hidden="true" /> : <ImageOff aria-hidden="true" />}
              </span>
            ) : (
              <Link
                to={`?photo=${item.id}`}
                preventScrollReset
                aria-label={`Open ${item.name}`}
                className="focus-visible:-outline-offset-3"
              >
                <img src={renditionUrl(item.image_url, 480)} alt="" className={cx(FRAME, 'object-contain')} />
              </Link>
            )}
            <div className="flex flex-1 items-center justify-between gap-2 py-1 pr-1 pl-3">
              <div className="min-w-0">
                <p className="truncate text-sm">{item.name}</p>
                <p className="text-sm font-bold tabular-nums">
                  {price !== item.sales_price && (
                    <s className="mr-1.5 font-normal text-quiet">
                      <span className="sr-only">before </span>
                      {shown(item.sales_price)}
                    </s>
                  )}
                  {shown(price)}
                </p>
              </div>
              <IconButton label={`Remove ${item.name}`} onClick={() => onRemove(item.id)}>
                <Trash aria-hidden="true" />
              </IconButton>
            </div>
            {reason && (
              <p className="px-3 pb-3 text-xs font-semibold text-danger">
                {reason === 'locked' ? 'Its gallery asks for a password now.' : PHOTO_NOT_AVAILABLE}
              </p>
            )}
          </li>
        );
      })}
    </ul>
  );
}
