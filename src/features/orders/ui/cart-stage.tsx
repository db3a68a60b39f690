/** A photo of the cart, large: `?photo=` of the checkout, so that the form behind it keeps what was typed. */
import type { CartItem } from '#src/features/cart/cart.rules.ts';
import { Button } from '#src/ui/button.tsx';
import { LightboxFrame } from '#src/ui/lightbox-frame.tsx';

type CartStageProps = { items: readonly CartItem[]; photoId: number; onRemove: (photoId: number) => void };

export function CartStage({ items, photoId, onRemove }: CartStageProps) {
  const index = items.findIndex((item) => item.id === photoId);
  const item = items[index];
  if (!item) return null;
  const at = (step: number) => `?photo=${items[(index + step + items.length) % items.length]?.id ?? item.id}`;
  return (
    <LightboxFrame
      photo={{ id: item.id, imageUrl: item.image_url, width: null, height: null, thumbhash: null, alt: item.name }}
      position={index + 1}
      total={items.length}
      previousTo={at(-1)}
      nextTo={at(1)}
      closeTo="."
      header={<p className="min-w-0 truncate text-sm">{item.name}</p>}
      footer={
        <Button variant="secondary" className="max-sm:w-full sm:min-w-52" onClick={() => onRemove(item.id)}>
          Remove From Cart
        </Button>
      }
    />
  );
}
