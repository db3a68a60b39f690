import { useEffect, useEffectEvent, useRef, useSyncExternalStore, type RefObject } from 'react';
import { Link } from 'react-router';
import { cartItemOf, type Seller } from '#src/features/cart/ui/cart-item.ts';
import { useChoice } from '#src/features/cart/ui/use-choice.ts';
import { laterPath, photoPath, type GalleryPlace } from '#src/features/galleries/gallery-link.rules.ts';
import type { PhotoPages } from '#src/features/galleries/ui/use-photo-pages.ts';
import { PhotoOverlay } from '#src/features/galleries/ui/photo-overlay.tsx';
import { useWaitingRow } from '#src/features/galleries/ui/use-waiting-row.ts';
import { Button } from '#src/ui/button.tsx';
import { buttonStyle } from '#src/ui/button-style.ts';
import { PhotoGrid } from '#src/ui/photo-grid.tsx';
import { Spinner } from '#src/ui/spinner.tsx';

type GalleryPhotosProps = { pages: PhotoPages; place: GalleryPlace; seller: Seller; allowsVoting: boolean };

/** The grid, and ten more photos whenever its end comes near. */
export function GalleryPhotos({ pages, place, seller, allowsVoting }: GalleryPhotosProps) {
  const { cart, toggle } = useChoice(seller.id);
  const box = useRef<HTMLDivElement>(null);
  useWaitingRow(box, pages.photos.length, pages.next !== null);
  return (
    <div ref={box}>
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
    </div>
  );
}

/** A link for readers without a script; with one the list goes on by itself, and nothing that moves is seen. */
function More({ pages, place }: { pages: PhotoPages; place: GalleryPlace }) {
  const end = useRef<HTMLDivElement>(null);
  const hasScript = useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  );
  useNearEnd(end, pages, hasScript);
  if (pages.next === null) return null;
  if (pages.problem !== null)
    return (
      <div ref={end} className="flex flex-col items-center gap-3 px-5 py-6 text-center">
        <p role="alert" className="text-sm text-quiet">
          {pages.problem}
        </p>
        <Button variant="secondary" onClick={() => void pages.more()}>
          Try again
        </Button>
      </div>
    );
  if (!hasScript)
    return (
      <div ref={end} className="grid min-h-24 place-items-center px-5 py-6">
        <Link to={laterPath(place, pages.next)} className={buttonStyle({ variant: 'secondary' })}>
          Show more
        </Link>
      </div>
    );
  return (
    <>
      <div ref={end} data-list-goes-on className="min-h-24" />
      {pages.isLoading && (
        <p
          role="status"
          className="pointer-events-none fixed inset-x-0 bottom-20 z-20 mx-auto flex w-fit items-center gap-3 rounded-full border border-line bg-surface px-4 py-2 text-sm text-quiet"
        >
          <Spinner /> Loading more photos
        </p>
      )}
    </>
  );
}

/** Loads on within 200 px of the end (specification P§4); after a failure it waits to be asked. */
function useNearEnd(end: RefObject<HTMLElement | null>, { next, problem, more }: PhotoPages, hasScript: boolean): void {
  const load = useEffectEvent(() => void more());
  const isOver = !hasScript || next === null || problem !== null;
  useEffect(() => {
    if (isOver || !end.current) return;
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && load(), {
      rootMargin: '0px 0px 200px 0px',
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [end, isOver, next]);
}
