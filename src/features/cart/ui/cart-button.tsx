import type { CartItem } from '#src/features/cart/cart.rules.ts';
import { Check, Plus } from '#src/ui/icon.tsx';
import { buttonStyle } from '#src/ui/button-style.ts';
import { Price } from '#src/ui/price.tsx';
import { formatDollars, type Cents } from '#src/shared/money.ts';

type CartButtonProps = {
  item: CartItem;
  priceCents: Cents;
  /** Said aloud: what the photo shows. */
  alt: string;
  inCart: boolean;
  onToggle: (item: CartItem) => void;
  /** `tile`: the price is the button; `stage`: the words of the specification beside the price. */
  look: 'tile' | 'stage';
};

/** Puts a photo into the cart, or takes it out. */
export function CartButton({ item, priceCents, alt, inCart, onToggle, look }: CartButtonProps) {
  const verb = inCart ? 'Remove From Cart' : 'Add to Cart';
  const isTile = look === 'tile';
  return (
    <button
      type="button"
      onClick={() => onToggle(item)}
      aria-label={
        isTile ? (inCart ? `In cart. Remove ${alt}` : `${formatDollars(priceCents)}. Add ${alt} to cart`) : undefined
      }
      className={buttonStyle({
        variant: inCart && !isTile ? 'secondary' : 'primary',
        size: isTile ? 'small' : 'normal',
        className: isTile ? 'tabular-nums' : 'max-sm:w-full sm:min-w-52',
      })}
    >
      {inCart ? <Check aria-hidden="true" /> : <Plus aria-hidden="true" />}
      {isTile ? inCart ? 'In cart' : <Price cents={priceCents} /> : verb}
    </button>
  );
}
