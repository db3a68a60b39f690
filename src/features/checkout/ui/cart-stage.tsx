/** A photo of the cart, large: `?photo=` of the checkout, so that the form behind it keeps what was typed. */
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { CartItem } from '#src/features/cart/cart.rules.ts';
import { Button } from '#src/ui/button.tsx';
import { photoTitle } from '#src/features/photos/photo-title.rules.ts';
import { LightboxFrame } from '#src/ui/lightbox-frame.tsx';

type CartStageProps = { items: readonly CartItem[]; photoId: number; onRemove: (photoId: number) => void };

export function CartStage({ items, photoId, onRemove }: CartStageProps) {
  const isOpen = items.some((item) => item.id === photoId);
  return isOpen && <OpenStage items={items} photoId={photoId} onRemove={onRemove} />;
}

function OpenStage({ items, photoId, onRemove }: CartStageProps) {
  const navigate = useNavigate();
  const [index, setIndex] = useState(() => items.findIndex((item) => item.id === photoId));
  const at = (step: number) => items[(index + step + items.length) % items.length] ?? items[0];
  const item = at(0);
  if (!item) return null;
  const close = () => void navigate('.', { preventScrollReset: true, replace: true });
  return (
    <LightboxFrame
      index={index}
      total={items.length}
      photoAt={(place) => {
        const { id, image_url: imageUrl, name: alt } = items[place] ?? item;
        return { id, imageUrl, alt, width: null, height: null, thumbhash: null };
      }}
      addresses={{ previous: `?photo=${at(-1)?.id}`, next: `?photo=${at(1)?.id}`, close: '.' }}
      onTurn={setIndex}
      onClose={close}
      header={<p className="mr-auto min-w-0 truncate text-sm">{photoTitle(item.name, item.id)}</p>}
      footer={
        <Button
          variant="secondary"
          className="max-sm:w-full sm:min-w-52"
          onClick={() => {
            onRemove(item.id);
            close();
          }}
        >
          Remove From Cart
        </Button>
      }
    />
  );
}
