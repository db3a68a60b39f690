import { lazy, Suspense, useMemo, useState } from 'react';
import { useOffered } from '#src/features/cart/cart.client.ts';
import type { ShownGallery } from '#src/features/cart/offered-cart.rules.ts';
import type { Seller } from '#src/features/cart/ui/use-choice.ts';
import type { GalleryAnswer } from '#src/features/galleries/galleries.contract.ts';
import { Clock } from '#src/ui/icon.tsx';

/** Loaded when someone asks for all prices. */
const AllPrices = lazy(async () => ({
  default: (await import('#src/features/public-gallery/ui/all-prices.tsx')).AllPrices,
}));

type OffersLineProps = {
  gallery: GalleryAnswer;
  offers: NonNullable<GalleryAnswer['offers']>;
  seller: Seller;
  isEmbedded: boolean;
};

/** The price of one photo and of more, in one line. */
export function OffersLine(props: OffersLineProps) {
  const { gallery, offers } = props;
  const [isOpen, setIsOpen] = useState(false);
  const { id, price_per_photo, photo_count, is_private } = gallery;
  // The gallery's fields that the price is computed from.
  const shown = useMemo(
    (): ShownGallery => ({ id, price_per_photo, photo_count, is_private, offers }),
    [id, price_per_photo, photo_count, is_private, offers],
  );
  useOffered(shown);
  return (
    <div className="mt-1 text-sm text-quiet">
      <p className="flex flex-wrap items-center justify-between gap-x-4 md:justify-start">
        {offers.line}
        <button
          type="button"
          className="-my-1.5 min-h-11 font-semibold whitespace-nowrap text-accent-text hover:underline"
          onClick={() => setIsOpen(true)}
        >
          All prices
        </button>
      </p>
      {offers.early_bird && (
        <p className="flex items-center gap-1.5">
          <Clock aria-hidden="true" className="size-4 shrink-0" /> {offers.early_bird.text}
        </p>
      )}
      {isOpen && (
        <Suspense>
          <AllPrices {...props} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}
