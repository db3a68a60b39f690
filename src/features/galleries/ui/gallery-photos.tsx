import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import { Link } from 'react-router';
import { cartItemOf, type Seller } from '#src/features/cart/ui/cart-item.ts';
import { useChoice } from '#src/features/cart/ui/use-choice.ts';
import { laterPath, photoPath, type GalleryPlace } from '#src/features/galleries/gallery-link.rules.ts';
import type { PhotoPages } from '#src/features/galleries/ui/use-photo-pages.ts';
import { PhotoOverlay } from '#src/features/galleries/ui/photo-overlay.tsx';
import { Button } from '#src/ui/button.tsx';
import { buttonStyle } from '#src/ui/button-style.ts';
import { PhotoGrid } from '#src/ui/photo-grid.tsx';
import { Spinner } from '#src/ui/spinner.tsx';

type GalleryPhotosProps = { pages: PhotoPages; place: GalleryPlace; seller: Seller; allowsVoting: boolean };

/** The grid, and ten more photos whenever its end comes near. */
export function GalleryPhotos({ pages, place, seller, allowsVoting }: GalleryPhotosProps) {
  const { cart, toggle } = useChoice(seller.id);
  return (
    <>
      <PhotoGrid
        className="px-(--gutter)"
        label="Photos"
        photos={pages.photos}
        toOf={(photo) => photoPath(place, photo.id)}
        isChosen={(photo) => cart.has(photo.id)}
        overlay={(photo) => (
          <PhotoOverlay
            photo={photo}
            item={cartItemOf(photo, seller)}
            inCart={cart.has(photo.id)}
            onToggle={toggle}
            allowsVoting={allowsVoting}
          />
        )}
      />
      <More pages={pages} place={place} />
    </>
  );
}

/** A link for readers without a script; with one it works by itself, and stands for those who wait at the end. */
function More({ pages, place }: { pages: PhotoPages; place: GalleryPlace }) {
  const end = useRef<HTMLDivElement>(null);
  useNearEnd(end, pages);
  if (pages.next === null) return null;
  return (
    <div ref={end} className="grid min-h-24 place-items-center px-5 py-6">
      {pages.problem !== null ? (
        <div className="flex flex-col items-center gap-3 text-center">
          <p role="alert" className="text-sm text-quiet">
            {pages.problem}
          </p>
          <Button variant="secondary" onClick={() => void pages.more()}>
            Try again
          </Button>
        </div>
      ) : pages.isLoading ? (
        <p role="status" className="flex items-center gap-3 text-sm text-quiet">
          <Spinner /> Loading more photos
        </p>
      ) : (
        <Link
          to={laterPath(place, pages.next)}
          className={buttonStyle({ variant: 'secondary' })}
          onClick={(event) => {
            event.preventDefault();
            void pages.more();
          }}
        >
          Show more
        </Link>
      )}
    </div>
  );
}

/** Loads on within 200 px of the end (specification P§4); after a failure it waits to be asked. */
function useNearEnd(end: RefObject<HTMLElement | null>, { next, problem, more }: PhotoPages): void {
  const load = useEffectEvent(() => void more());
  const isOver = next === null || problem !== null;
  useEffect(() => {
    if (isOver || !end.current) return;
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && load(), {
      rootMargin: '0px 0px 200px 0px',
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [end, isOver, next]);
}
