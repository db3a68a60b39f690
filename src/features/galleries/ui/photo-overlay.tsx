import type { CartItem } from '#src/features/cart/cart.rules.ts';
import { CartButton } from '#src/features/cart/ui/cart-button.tsx';
import type { ShownPhoto } from '#src/features/photos/shown-photo.rules.ts';
import { MarkButton } from '#src/features/photos/ui/mark-button.tsx';

type PhotoOverlayProps = {
  photo: ShownPhoto;
  item: CartItem;
  inCart: boolean;
  onToggle: (item: CartItem) => void;
  allowsVoting: boolean;
};

/** What may be done with a photo in the grid. Narrow tiles keep the cart only: the rest is a press away, on the photo's own page. */
export function PhotoOverlay({ photo, item, inCart, onToggle, allowsVoting }: PhotoOverlayProps) {
  return (
    <div className="photo-actions" data-always={inCart || undefined}>
      <div className="mr-auto flex @max-[11rem]:hidden">
        <MarkButton photo={photo} mark="like" />
        {allowsVoting && <MarkButton photo={photo} mark="vote" className="@max-[14rem]:hidden" />}
      </div>
      <CartButton
        look="tile"
        item={item}
        priceCents={photo.priceCents}
        alt={photo.alt}
        inCart={inCart}
        onToggle={onToggle}
      />
    </div>
  );
}
