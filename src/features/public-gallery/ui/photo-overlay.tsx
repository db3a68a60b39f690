import type { ReactNode } from 'react';
import type { CartItem } from '#src/features/cart/cart.rules.ts';
import type { ShownPhoto } from '#src/features/photos/shown-photo.rules.ts';
import { useReaction } from '#src/features/public-gallery/ui/use-reaction.ts';
import { formatDollars, type Cents } from '#src/shared/money.ts';
import { Check, Heart, Plus, Trophy } from '#src/ui/icon.tsx';

type PhotoOverlayProps = {
  photo: ShownPhoto;
  item: CartItem;
  inCart: boolean;
  onToggle: (item: CartItem) => void;
  allowsVoting: boolean;
  /** The price in the page's head; a photo with another price shows it on its tile. Null without one. */
  usualPriceCents: Cents | null;
};

/**
 * Actions for a photo in the grid, in its corners: nothing covers a face. On phones a heart is shown only if liked,
 * because photos are liked on their own page.
 */
export function PhotoOverlay({ photo, item, inCart, onToggle, allowsVoting, usualPriceCents }: PhotoOverlayProps) {
  return (
    <>
      <ReactionButton photo={photo} what="like" />
      {allowsVoting && <ReactionButton photo={photo} what="vote" />}
      {photo.priceCents !== usualPriceCents && <span className="tile-price">{formatDollars(photo.priceCents)}</span>}
      <TileButton
        corner="cart"
        letter="c"
        isOn={inCart}
        label={inCart ? `In cart. Remove ${photo.alt}` : `${formatDollars(photo.priceCents)}. Add ${photo.alt} to cart`}
        onPress={() => onToggle(item)}
      >
        {inCart ? <Check /> : <Plus />}
      </TileButton>
    </>
  );
}

function ReactionButton({ photo, what }: { photo: ShownPhoto; what: 'like' | 'vote' }) {
  const { isOn, count, toggle } = useReaction(photo, what);
  return (
    <TileButton
      corner={what}
      letter={what.charAt(0)}
      isOn={isOn}
      label={`${what === 'like' ? 'Like' : 'Vote for'} ${photo.alt}, ${count} ${what}${count === 1 ? '' : 's'}`}
      pressed={isOn}
      onPress={toggle}
    >
      {what === 'like' ? <Heart /> : <Trophy />}
    </TileButton>
  );
}

type TileButtonProps = {
  corner: 'like' | 'vote' | 'cart';
  /** The key that clicks it while its photo has the focus. */
  letter: string;
  label: string;
  isOn: boolean;
  pressed?: boolean;
  onPress: () => void;
  children: ReactNode;
};

/** Round, 32 px wide, with a touch area of 44 px. */
function TileButton({ corner, letter, label, isOn, pressed, onPress, children }: TileButtonProps) {
  return (
    <button
      type="button"
      className={`tile-button tile-${corner}`}
      data-key={letter}
      data-on={isOn || undefined}
      aria-pressed={pressed}
      aria-label={label}
      aria-keyshortcuts={letter}
      onClick={onPress}
    >
      <span aria-hidden="true">{children}</span>
    </button>
  );
}
