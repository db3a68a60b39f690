/**
 * What a search for a number offers besides its photos: all of them for one price, and emails about new ones (athletes
 * B.3, B.6).
 */
import { lazy, Suspense, useState } from 'react';
import { AthletePassBar } from '#src/features/order-offers/ui/athlete-pass-bar.tsx';
import type { Seller } from '#src/features/cart/ui/use-choice.ts';
import type { GalleryAnswer } from '#src/features/galleries/galleries.contract.ts';
import { useNumberOffers } from '#src/features/public-gallery/ui/use-number-offers.ts';
import { Button } from '#src/ui/button.tsx';

const WatchNumber = lazy(async () => ({
  default: (await import('#src/features/public-gallery/ui/watch-number.tsx')).WatchNumber,
}));

type Searched = { gallery: GalleryAnswer; keyword: string };
type NumberOffersProps = Searched & { affiliate: Seller; hasPass: boolean | undefined };

/** Above the photos found, which move only if the number has no pass. In an embedded page the cart takes no pass. */
export function NumberOffers({ gallery, keyword, affiliate, hasPass }: NumberOffersProps) {
  const offers = useNumberOffers(hasPass ? gallery.id : null, keyword);
  const sold = offers?.teams.flatMap(({ name, pass }) => (pass ? { name, pass } : [])) ?? [];
  return (
    <>
      {hasPass && offers === null && <div className="h-34.5 sm:h-21.5 noscript:hidden" />}
      {sold.map(({ name, pass }) => (
        <AthletePassBar
          key={pass.athlete_key}
          pass={pass}
          seller={affiliate}
          of={` of ${pass.whose}${sold.length > 1 ? ` of ${name}` : ''}`}
        />
      ))}
      <div className="px-5 pb-3 empty:hidden noscript:hidden">
        <TellMe
          {...{ gallery, keyword }}
          label={`Tell me about new photos of number ${keyword.replace(/^.*\D/s, '')}`}
        />
      </div>
    </>
  );
}

/** A button that opens the form. A number is watched in public galleries. */
export function TellMe({ gallery, keyword, label }: Searched & { label: string }) {
  const [isOpen, setOpen] = useState(false);
  if (gallery.is_private || gallery.password_required) return null;
  return (
    <>
      <Button variant="secondary" size="small" onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <Suspense>
          {/* For any position of the button. */}
          <div className="contents text-left">
            <WatchNumber galleryId={gallery.id} keyword={keyword} title={label} onClose={() => setOpen(false)} />
          </div>
        </Suspense>
      )}
    </>
  );
}
