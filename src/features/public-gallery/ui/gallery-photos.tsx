import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { cartItemOf } from '#src/features/cart/ui/use-choice.ts';
import { laterPath, photoPath, type GalleryPlace } from '#src/features/galleries/gallery-link.rules.ts';
import type { GalleryContext } from '#src/features/public-gallery/ui/gallery-context.ts';
import type { PhotoPages } from '#src/features/public-gallery/ui/use-photo-pages.ts';
import { PhotoOverlay } from '#src/features/public-gallery/ui/photo-overlay.tsx';
import type { ShownPhoto } from '#src/features/photos/shown-photo.rules.ts';
import type { TimeSection } from '#src/features/photos/time-sections.rules.ts';
import type { Cents } from '#src/shared/money.ts';
import { Button } from '#src/ui/button.tsx';
import { buttonStyle } from '#src/ui/button-style.ts';
import { Link } from '#src/ui/link.tsx';
import { PhotoGrid } from '#src/ui/photos/photo-grid.tsx';
import { Spinner } from '#src/ui/spinner.tsx';
import { useInBrowser } from '#src/ui/use-in-browser.ts';

type GalleryPhotosProps = GalleryContext & { usualPriceCents: Cents; sections: readonly TimeSection[] };

/** The grid, and ten more photos whenever its end is near. */
export function GalleryPhotos(props: GalleryPhotosProps) {
  const { pages, place, seller, allowsVoting, cart, toggle, usualPriceCents, sections } = props;
  const box = useRef<HTMLDivElement>(null);
  useWaitingRow(box, pages.photos.length, pages.goesOn);
  const latestToggle = useRef(toggle);
  useLayoutEffect(() => {
    latestToggle.current = toggle;
  });
  const { id, name, path } = seller;
  // The same function for all tiles and all renders: a click renders one tile and not two thousand.
  const overlay = useCallback(
    (photo: ShownPhoto, inCart: boolean) => (
      <PhotoOverlay
        photo={photo}
        item={cartItemOf(photo, { id, name, path })}
        inCart={inCart}
        onToggle={(item) => latestToggle.current(item)}
        allowsVoting={allowsVoting}
        usualPriceCents={usualPriceCents}
      />
    ),
    [id, name, path, allowsVoting, usualPriceCents],
  );
  return (
    <div ref={box}>
      <PhotoGrid
        hint={`Arrow keys move from photo to photo. Enter opens, C adds to the cart, L likes${allowsVoting ? ', V votes' : ''}.`}
        photos={pages.photos}
        sections={sections}
        toOf={(photo) => photoPath(place, photo.id)}
        isChosen={(photo) => cart.has(photo.id)}
        overlay={overlay}
      />
      <More pages={pages} place={place} />
    </div>
  );
}

/** A link for browsers without JavaScript; with it the list continues automatically. */
function More({ pages, place }: { pages: PhotoPages; place: GalleryPlace }) {
  const end = useRef<HTMLDivElement>(null);
  const hasScript = useInBrowser();
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
      <div ref={end} data-list-goes-on aria-busy={pages.isLoading} className="min-h-24" />
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

/**
 * Loads within 200 px of the end (specification P§4), before the first scroll only when the end itself is visible: a
 * first screen loads no photos below it. After a failure it waits for a click.
 */
function useNearEnd(end: RefObject<HTMLElement | null>, { next, problem, more }: PhotoPages, hasScript: boolean): void {
  const load = useEffectEvent(() => void more());
  const isOver = !hasScript || next === null || problem !== null;
  const [margin, setMargin] = useState(0);
  useEffect(() => {
    const widen = () => setMargin(200);
    window.addEventListener('scroll', widen, { once: true });
    return () => window.removeEventListener('scroll', widen);
  }, []);
  useEffect(() => {
    if (isOver || !end.current) return;
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && load(), {
      rootMargin: `0px 0px ${margin}px 0px`,
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [end, isOver, margin, next]);
}

const TILE = '.photo-tile';
/** Photos of one row at most. */
const ROW_AT_MOST = 40;

/**
 * The last row of an unfinished list is not full yet: its photos would change size and position when the next ones
 * come. They stay hidden until then, so that nothing visible ever moves (speed P14).
 */
function useWaitingRow(box: RefObject<HTMLElement | null>, count: number, goesOn: boolean): void {
  useLayoutEffect(() => {
    const grid = box.current;
    if (!grid || count === 0) return;
    const mark = () => {
      const tiles = [...grid.querySelectorAll<HTMLElement>(TILE)];
      const lastTop = tiles.at(-1)?.offsetTop;
      // A single row is shown: an empty page would be worse.
      const waits = goesOn && tiles[0]?.offsetTop !== lastTop;
      // Measures everything before changing anything, and of thousands only the end.
      const row = waits ? tiles.slice(-ROW_AT_MOST).filter((tile) => tile.offsetTop === lastTop) : [];
      for (const tile of grid.querySelectorAll(`${TILE}[data-waiting]`)) tile.removeAttribute('data-waiting');
      for (const tile of row) tile.setAttribute('data-waiting', '');
    };
    mark();
    const observer = new ResizeObserver(mark);
    observer.observe(grid);
    return () => observer.disconnect();
  }, [box, count, goesOn]);
}
