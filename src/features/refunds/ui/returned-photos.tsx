/** Chooses the photos and passes of an order to refund, by their pictures, and shows the amount. */
import { useEffect, useEffectEvent, useState } from 'react';
import type { RefundParts, RefundQuote } from '#src/features/refunds/refunds.contract.ts';
import type { OrderCard } from '#src/features/refunds/refunds.rules.ts';
import { cx } from '#src/ui/cx.ts';
import { Checkbox } from '#src/ui/form/checkbox.tsx';
import { api } from '#src/web/api-client.ts';

type Bought = {
  photos: readonly { id: number; name: string; image_url: string }[];
  passes: readonly { id: number; name: string }[];
};
export type Chosen = { photos: number[]; passes: number[] };
export const NOTHING_CHOSEN: Chosen = { photos: [], passes: [] };

type ReturnedPhotosProps = {
  order: OrderCard;
  chosen: Chosen;
  onChoose: (chosen: Chosen) => void;
  /** Called with the amount of the chosen ones. */
  onQuoted: (quote: RefundQuote) => void;
};

/**
 * Collapsed at first, because most refunds are of everything. The sentence below says why it is not simply the price of the
 * photos.
 */
export function ReturnedPhotos({ order, chosen, onChoose, onQuoted }: ReturnedPhotosProps) {
  const [isOpen, setOpen] = useState(chosen.photos.length + chosen.passes.length > 0);
  const bought = useBought(order.id, isOpen, () => setOpen(false));
  const note = useRefundQuote(order.id, chosen, onQuoted);
  const refunds = order.refunds.filter(({ state }) => state !== 'refused');
  const refundedPhotos = new Set(refunds.flatMap(({ photos = [] }) => photos));
  const refundedPasses = new Set(refunds.flatMap(({ passes = [] }) => passes));
  return (
    <details className="text-sm" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="min-h-11 cursor-pointer py-2.5 font-semibold">Choose photos</summary>
      <div aria-busy={isOpen && bought === null} className="min-h-24">
        {bought?.passes.map((pass) => (
          <Checkbox
            key={pass.id}
            label={pass.name}
            hint={refundedPasses.has(pass.id) ? 'Refunded' : undefined}
            disabled={refundedPasses.has(pass.id)}
            checked={chosen.passes.includes(pass.id)}
            onChange={() => onChoose({ ...chosen, passes: toggled(chosen.passes, pass.id) })}
          />
        ))}
        {bought && (
          <ul className="grid max-h-72 grid-cols-3 gap-2 overflow-y-auto p-1 sm:grid-cols-4">
            {bought.photos.map((photo) => (
              <li key={photo.id}>
                <ChoosePhoto
                  photo={photo}
                  isRefunded={refundedPhotos.has(photo.id)}
                  isChosen={chosen.photos.includes(photo.id)}
                  onToggle={() => onChoose({ ...chosen, photos: toggled(chosen.photos, photo.id) })}
                />
              </li>
            ))}
          </ul>
        )}
      </div>
      <p aria-live="polite" className="min-h-5 text-quiet">
        {note}
      </p>
    </details>
  );
}

const toggled = (ids: readonly number[], id: number) =>
  ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id];

type ChoosePhotoProps = {
  photo: Bought['photos'][number];
  isRefunded: boolean;
  isChosen: boolean;
  onToggle: () => void;
};

function ChoosePhoto({ photo, isRefunded, isChosen, onToggle }: ChoosePhotoProps) {
  return (
    <label className={cx('relative block rounded has-focus-visible:outline-2', isRefunded && 'opacity-50')}>
      <img
        src={photo.image_url}
        alt=""
        loading="lazy"
        className={cx('aspect-square w-full rounded object-cover', isChosen && 'ring-3 ring-accent-text')}
      />
      <input
        type="checkbox"
        className="absolute top-1.5 left-1.5 size-5.5 accent-accent-text"
        disabled={isRefunded}
        checked={isChosen}
        onChange={onToggle}
      />
      <span className="block truncate pt-1 text-xs">{isRefunded ? `${photo.name}, refunded` : photo.name}</span>
    </label>
  );
}

/** What an order bought, loaded on request; null until it is loaded. */
function useBought(orderId: number, isWanted: boolean, onFailed: () => void): Bought | null {
  const [bought, setBought] = useState<Bought | null>(null);
  const giveUp = useEffectEvent(onFailed);
  useEffect(() => {
    if (!isWanted || bought !== null) return;
    void api('GET /api/v1/orders/{id}', { params: { id: orderId } }).then((answer) => {
      if (!answer.ok) return giveUp();
      setBought({ photos: answer.data.order_photo.map(({ photo }) => photo), passes: answer.data.passes ?? [] });
    });
  }, [bought, isWanted, orderId]);
  return bought;
}

/** Requests the amount of the chosen ones whenever they change. @returns why it is that much, or why nothing can be refunded */
function useRefundQuote(orderId: number, { photos, passes }: Chosen, onQuoted: (quote: RefundQuote) => void): string {
  const [note, setNote] = useState('');
  const wanted = photos.length + passes.length === 0 ? '' : JSON.stringify({ photos, passes });
  const onQuote = useEffectEvent(onQuoted);
  useEffect(() => {
    if (wanted === '') return undefined;
    let isStale = false;
    const body = JSON.parse(wanted) as RefundParts;
    void api('POST /api/v1/orders/{id}/refund_quote', { params: { id: orderId }, body }).then((answer) => {
      if (isStale) return;
      setNote(answer.ok ? (answer.data.text ?? '') : answer.error);
      if (answer.ok) onQuote(answer.data);
    });
    return () => {
      isStale = true;
    };
  }, [orderId, wanted]);
  return wanted === '' ? '' : note;
}
