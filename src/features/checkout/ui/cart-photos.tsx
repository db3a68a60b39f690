/** The photos of the cart; each can be removed or opened. */
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router';
import type { CartItem } from '#src/features/cart/cart.rules.ts';
import { INCLUDED_IN_PASS } from '#src/features/offers/offer-words.rules.ts';
import { PHOTO_NOT_AVAILABLE, type Unavailable } from '#src/features/orders/orders.contract.ts';
import { photoTitle } from '#src/features/photos/photo-title.rules.ts';
import { dollarText } from '#src/shared/money.ts';
import { Button } from '#src/ui/button.tsx';
import { cx } from '#src/ui/cx.ts';
import { IconButton } from '#src/ui/icon-button.tsx';
import { ImageOff, Lock, Trash } from '#src/ui/icon.tsx';
import { renditionUrl } from '#src/ui/photos/photo-sources.ts';
import { LightboxFrame } from '#src/ui/photos/lightbox-frame.tsx';
import { OPENED_HERE, useOpenPhoto } from '#src/ui/photos/use-open-photo.ts';

type CartPhotosProps = {
  items: readonly CartItem[];
  unavailable: ReadonlyMap<number, Unavailable['reason']>;
  /** The server's price by photo id, in dollars; the cart's own until it is known. */
  prices: ReadonlyMap<number, number>;
  passes: readonly CartItem[];
  /** Photos that a pass covers. */
  included: readonly number[];
  onRemove: (item: CartItem) => void;
};

/**
 * Only these, and those that cannot be bought, are shown until the buyer asks for all: on a phone the form is below the
 * photos, on wide screens the price.
 */
const SHOWN_ON_PHONES = 4;
const SHOWN = 6;
const FRAME = 'grid aspect-[3/2] w-full place-items-center bg-sunken';

export function CartPhotos({ items, unavailable, prices, passes, included, onRemove }: CartPhotosProps) {
  const [showsAll, setShowsAll] = useState(false);
  return (
    <div className="flex flex-col gap-4">
      {passes.map((pass) => (
        <PassInCart key={pass.id} pass={pass} onRemove={onRemove} />
      ))}
      <ul
        aria-label="Photos in your cart"
        className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8rem),1fr))] gap-4"
      >
        {items.map((item, index) => {
          const reason = unavailable.get(item.id);
          const price = prices.get(item.id) ?? item.sales_price;
          // Carts from before rule 61 contain file names.
          const title = photoTitle(item.name, item.id);
          return (
            <li
              key={item.id}
              className={cx(
                'flex flex-col overflow-hidden rounded-lg border bg-surface',
                reason ? 'border-danger' : 'border-line',
                !showsAll && !reason && index >= SHOWN_ON_PHONES && (index < SHOWN ? 'max-md:hidden' : 'hidden'),
              )}
            >
              {reason ? (
                // The picture may no longer, or not yet, be shown.
                <span className={cx(FRAME, 'text-quiet [&_svg]:size-8')}>
                  {reason === 'locked' ? <Lock aria-hidden="true" /> : <ImageOff aria-hidden="true" />}
                </span>
              ) : (
                <Link
                  to={`?photo=${item.id}`}
                  state={OPENED_HERE}
                  preventScrollReset
                  aria-label={`Open ${title}`}
                  className="focus-visible:-outline-offset-3"
                >
                  <img
                    src={renditionUrl(item.image_url, 480)}
                    alt=""
                    loading={index < SHOWN_ON_PHONES ? 'eager' : 'lazy'}
                    className={cx(FRAME, 'object-contain')}
                  />
                </Link>
              )}
              <div className="flex flex-1 items-center justify-between gap-2 py-2 pr-1 pl-3">
                <div className="min-w-0">
                  <p className="line-clamp-2 text-sm break-words">{title}</p>
                  {included.includes(item.id) ? (
                    <p className="text-sm text-quiet">{INCLUDED_IN_PASS}</p>
                  ) : (
                    <PhotoPrice price={price} before={item.sales_price} />
                  )}
                </div>
                <RemoveButton title={title} item={item} onRemove={onRemove} />
              </div>
              {reason && (
                <p className="px-3 pb-3 text-xs font-semibold text-danger">
                  {reason === 'locked' ? 'This gallery now requires a password.' : PHOTO_NOT_AVAILABLE}
                </p>
              )}
            </li>
          );
        })}
      </ul>
      {!showsAll && items.length > SHOWN_ON_PHONES && (
        <Button
          variant="secondary"
          className={items.length > SHOWN ? '' : 'md:hidden'}
          onClick={() => setShowsAll(true)}
        >
          Show all {items.length} photos
        </Button>
      )}
    </div>
  );
}

function PhotoPrice({ price, before }: { price: number; before: number }) {
  return (
    <p className="text-sm font-bold whitespace-nowrap tabular-nums">
      {price !== before && <Before dollars={before} />}
      {dollarText(price)}
    </p>
  );
}

/** A price that no longer holds. */
function Before({ dollars }: { dollars: number }) {
  return (
    <s className="mr-1.5 font-normal text-quiet">
      <span className="sr-only">before </span>
      {dollarText(dollars)}
    </s>
  );
}

type RemoveButtonProps = { title: string; item: CartItem; onRemove: (item: CartItem) => void };

/**
 * The focus goes to the next photo, or the previous one, and not to its button: a second Enter removes nothing. The next one
 * may be hidden until this one is removed, and cannot take the focus before.
 */
function RemoveButton({ title, item, onRemove }: RemoveButtonProps) {
  return (
    <IconButton
      label={`Remove ${title}`}
      onClick={({ currentTarget }) => {
        const row = currentTarget.closest('li');
        const next = row?.nextElementSibling ?? row?.previousElementSibling ?? document.getElementById('main');
        flushSync(() => onRemove(item));
        if (next instanceof HTMLElement) {
          next.tabIndex = -1;
          next.focus({ preventScroll: true });
        }
      }}
    >
      <Trash aria-hidden="true" />
    </IconButton>
  );
}

function PassInCart({ pass, onRemove }: Pick<CartPhotosProps, 'onRemove'> & { pass: CartItem }) {
  const title = pass.athlete_key === undefined ? `The whole gallery “${pass.name}”` : `All photos of ${pass.name}`;
  return (
    <div className="flex items-center justify-between gap-2 rounded-lg border border-line bg-surface py-2 pr-1 pl-3">
      <p className="text-sm wrap-anywhere">
        {title} <strong className="tabular-nums">{dollarText(pass.sales_price)}</strong>
      </p>
      <RemoveButton title={title} item={pass} onRemove={onRemove} />
    </div>
  );
}

type CartStageProps = { items: readonly CartItem[]; photoId: number; onRemove: (photoId: number) => void };

/** A large photo of the cart: `?photo=` of the checkout, so that the form keeps what was typed. */
export function CartStage({ items, photoId, onRemove }: CartStageProps) {
  const isOpen = items.some((item) => item.id === photoId);
  return isOpen && <OpenStage items={items} photoId={photoId} onRemove={onRemove} />;
}

function OpenStage({ items, photoId, onRemove }: CartStageProps) {
  const { close } = useOpenPhoto();
  const [index, setIndex] = useState(() => items.findIndex((item) => item.id === photoId));
  const at = (step: number) => items[(index + step + items.length) % items.length] ?? items[0];
  const item = at(0);
  if (!item) return null;
  return (
    <LightboxFrame
      index={index}
      total={items.length}
      photoAt={(place) => {
        const { id, image_url: imageUrl, name: alt } = items[place] ?? item;
        return { id, imageUrl, alt, width: null, height: null, thumbhash: null };
      }}
      addresses={{ previous: `?photo=${at(-1)?.id}`, next: `?photo=${at(1)?.id}`, close: '.' }}
      onGoTo={setIndex}
      onClose={close}
      header={<p className="w-0 flex-1 truncate pl-2 text-sm">{photoTitle(item.name, item.id)}</p>}
      footer={
        <Button
          variant="secondary"
          className="max-sm:w-full sm:min-w-52"
          onClick={() => {
            // Of two clicks the second would remove the next photo.
            if (close()) onRemove(item.id);
          }}
        >
          Remove From Cart
        </Button>
      }
    />
  );
}

type TotalsShown = {
  /** "6 photos", or "Subtotal" below the lines of a price. */
  label: string;
  subtotal: number;
  /** What credit codes pay; the rest is for the card. */
  credit?: readonly { last4: string; amount: number; left?: number | undefined }[] | undefined;
  charge?: number | undefined;
  /** What the buyer saw before prices changed. */
  subtotalBefore: number | null;
  tax: number;
  /** "Minnesota sales tax, 6.875%"; absent without a tax. */
  tax_text?: string | undefined;
  donation: number;
  total: number;
};

/** The amounts of an order, line by line, in dollars. */
export function Totals({ totals }: { totals: TotalsShown }) {
  const rows: [label: string, amount: number, note?: string | undefined][] = [
    [totals.label, totals.subtotal],
    ['Taxes', totals.tax, totals.tax_text],
    ['Donation', totals.donation],
  ];
  return (
    <dl className="flex flex-col gap-2 text-sm tabular-nums">
      {rows.map(([label, amount, note]) => (
        <div key={label} className="flex flex-wrap justify-between gap-x-4">
          <dt className="min-w-0 flex-1 basis-32 text-quiet">
            {label}
            {note && <span className="block text-xs wrap-anywhere">{note}</span>}
          </dt>
          <dd className="ml-auto text-right">
            {label === totals.label && totals.subtotalBefore !== null && <Before dollars={totals.subtotalBefore} />}
            {dollarText(amount)}
          </dd>
        </div>
      ))}
      <div className="mt-1 flex justify-between gap-4 border-t border-line pt-3 text-base font-bold">
        <dt>Total</dt>
        <dd>{dollarText(totals.total)}</dd>
      </div>
      {totals.credit?.map(({ last4, amount, left = 0 }) => (
        <div key={last4} className="flex justify-between gap-4">
          <dt className="text-quiet">
            Paid with credit ••••{last4}
            {left > 0 && <span className="block text-xs">{dollarText(left)} stays on it</span>}
          </dt>
          <dd>−{dollarText(amount)}</dd>
        </div>
      ))}
      {totals.credit && totals.credit.length > 0 && (
        <div className="flex justify-between gap-4 border-t border-line pt-3 text-base font-bold">
          <dt>Amount due</dt>
          <dd>{dollarText(totals.charge ?? totals.total)}</dd>
        </div>
      )}
    </dl>
  );
}
