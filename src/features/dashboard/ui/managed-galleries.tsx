import { useCallback, useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import { Link, useFetcher } from 'react-router';
import type { ManagedGallery } from '#src/features/galleries/gallery-cards.rules.ts';
import { Button } from '#src/ui/button.tsx';
import { buttonStyle } from '#src/ui/button-style.ts';
import { Spinner } from '#src/ui/spinner.tsx';
import { reviewPath, waitingText } from '#src/features/contributors/contributor-paths.rules.ts';
import type { PhotoPreview } from '#src/features/galleries/galleries.contract.ts';
import { copyGalleryLink } from '#src/features/sharing/ui/copy-gallery-link.ts';
import { DONATIONS, SALES } from '#src/features/reports/money-words.contract.ts';
import { formatDollars } from '#src/shared/money.ts';
import { Badge } from '#src/ui/badge.tsx';
import { IconButton } from '#src/ui/icon-button.tsx';
import { ExternalLink, EyeOff, Images, Link2, Lock, Trash } from '#src/ui/icon.tsx';
import { renditionUrl, srcSetOf } from '#src/ui/photos/photo-sources.ts';
import { Price } from '#src/ui/price.tsx';
import { placeholderStyle } from '#src/ui/photos/thumbhash.ts';
import { counted, formatCount } from '#src/shared/counted.ts';

type ManagedGalleriesProps = {
  first: ManagedPage;
  path: string;
  search: string;
  deletedIds: ReadonlySet<number>;
  onDelete: (gallery: ManagedGallery) => void;
};

/** The owner's tiles; more of them load near the end. Tiles outside the screen cost the browser almost nothing. */
export function ManagedGalleries({ first, path, search, deletedIds, onDelete }: ManagedGalleriesProps) {
  const addressOf = useCallback(
    (after: string) => `/${path}/dashboard?${new URLSearchParams({ ...(search === '' ? {} : { search }), after })}`,
    [path, search],
  );
  const pages = useManagedPages(first, addressOf);
  if (pages.galleries.length === 0) return null;
  return (
    <>
      <ul aria-label="Galleries" className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
        {pages.galleries
          .filter(({ id }) => !deletedIds.has(id))
          .map((gallery) => (
            <li
              key={gallery.id}
              className="grid min-w-0 [contain-intrinsic-block-size:auto_25rem] [content-visibility:auto]"
            >
              <ManagedGalleryCard gallery={gallery} path={path} onDelete={onDelete} />
            </li>
          ))}
      </ul>
      {pages.next !== null && <More pages={pages} address={addressOf(pages.next)} />}
    </>
  );
}

/** A link to the next page; with scripts the next page loads automatically. */
function More({ pages, address }: { pages: ManagedPages; address: string }) {
  const end = useRef<HTMLDivElement>(null);
  const near = useEffectEvent(() => pages.more());
  const isOver = pages.hasFailed || pages.isLoading;
  useEffect(() => {
    if (isOver || !end.current) return;
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && near(), {
      rootMargin: '0px 0px 600px 0px',
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isOver, address]);
  return (
    <div ref={end} className="grid min-h-28 place-items-center">
      {pages.isLoading ? (
        <p role="status" className="flex items-center gap-3 text-sm text-quiet">
          <Spinner /> Loading more galleries
        </p>
      ) : pages.hasFailed ? (
        <Button variant="secondary" onClick={pages.more}>
          Try again
        </Button>
      ) : (
        <Link
          to={address}
          className={buttonStyle({ variant: 'secondary' })}
          onClick={(event) => {
            event.preventDefault();
            pages.more();
          }}
        >
          Show more galleries
        </Link>
      )}
    </div>
  );
}

type ManagedPage = {
  galleries: readonly ManagedGallery[];
  next: string | null;
  /** The start of the page; null for the first. */
  after: string | null;
};

type ManagedPages = {
  galleries: readonly ManagedGallery[];
  next: string | null;
  isLoading: boolean;
  /** The last attempt failed. */
  hasFailed: boolean;
  more: () => void;
};

/** The page of the address, and later pages as they are requested; each page knows the next. */
function useManagedPages(first: ManagedPage, addressOf: (after: string) => string): ManagedPages {
  const fetcher = useFetcher<{ list: ManagedPage }>();
  const [later, setLater] = useState<readonly ManagedPage[]>([]);
  const next = (later.at(-1) ?? first).next;
  const came = fetcher.state === 'idle' ? fetcher.data?.list : undefined;
  const [requested, setRequested] = useState<string | null>(null);
  // Added once: then `next` is another one. A page that was loaded again is known already.
  if (came && came.after !== null && came.after === next) setLater((pages) => [...pages, came]);
  const more = useCallback(() => {
    if (next === null) return;
    setRequested(next);
    void fetcher.load(addressOf(next));
  }, [next, addressOf, fetcher]);
  // Galleries that moved between pages while loading appear once.
  const known = new Map<number, ManagedGallery>();
  for (const { galleries } of [first, ...later])
    for (const gallery of galleries) if (!known.has(gallery.id)) known.set(gallery.id, gallery);
  return {
    galleries: [...known.values()],
    next,
    isLoading: fetcher.state !== 'idle',
    hasFailed: fetcher.state === 'idle' && requested !== null && requested === next && came?.after !== next,
    more,
  };
}

type ManagedGalleryCardProps = { gallery: ManagedGallery; path: string; onDelete: (gallery: ManagedGallery) => void };

/** A gallery on its owner's dashboard: the tile opens the editor, the row below has the other actions. */
function ManagedGalleryCard({ gallery, path, onDelete }: ManagedGalleryCardProps) {
  const publicPath = `/${path}/gallery/${gallery.id}`;
  return (
    <article className="relative flex flex-col overflow-hidden rounded-lg border border-line bg-surface transition-colors hover:border-line-strong has-[h3_a:focus-visible]:outline-3 has-[h3_a:focus-visible]:outline-offset-2 has-[h3_a:focus-visible]:outline-accent-text">
      <Cover photo={gallery.cover} />
      <div className="flex flex-1 flex-col gap-2 p-4 pb-3">
        <h3 className="text-lg leading-snug">
          <Link to={`${publicPath}/edit`} className="outline-none after:absolute after:inset-0">
            {gallery.name}
          </Link>
        </h3>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-quiet tabular-nums">
          <strong className="font-bold text-ink">
            <Price cents={gallery.priceCents} />
          </strong>
          <span>{counted(gallery.photoCount, 'photo', 'photos')}</span>
          {gallery.isPrivate && (
            <Badge>
              <EyeOff aria-hidden="true" /> Private
            </Badge>
          )}
          {gallery.isLocked && (
            <Badge>
              <Lock aria-hidden="true" /> Password
            </Badge>
          )}
        </p>
        {gallery.waiting > 0 && (
          <Link
            to={reviewPath({ affiliate: path, id: gallery.id })}
            className="relative inline-flex min-h-6 items-center self-start text-sm font-semibold underline underline-offset-4 after:absolute after:-inset-x-2 after:-inset-y-2.5"
          >
            {waitingText(gallery.waiting)}
            <span className="sr-only"> in {gallery.name}</span>
          </Link>
        )}
        <dl className="mt-auto flex flex-wrap gap-x-4 gap-y-2 border-t border-line pt-3 text-sm tabular-nums">
          <Figure name="Photos sold">{formatCount(gallery.sold)}</Figure>
          <Figure name={SALES}>{formatDollars(gallery.salesCents)}</Figure>
          <Figure name={DONATIONS}>{formatDollars(gallery.donationsCents)}</Figure>
        </dl>
      </div>
      {/* Above the tile's own link, which covers everything else. */}
      <div className="relative flex items-center gap-1 border-t border-line px-2 py-1">
        <Link
          to={publicPath}
          className="inline-flex min-h-11 items-center gap-2 rounded px-2 text-sm font-semibold hover:bg-sunken"
        >
          <ExternalLink aria-hidden="true" className="size-4.5" />
          View
          <span className="sr-only">{gallery.name}</span>
        </Link>
        <button
          type="button"
          onClick={() => void copyGalleryLink(publicPath)}
          className="inline-flex min-h-11 items-center gap-2 rounded px-2 text-sm font-semibold hover:bg-sunken"
        >
          <Link2 aria-hidden="true" className="size-4.5" />
          Copy link
          <span className="sr-only">to {gallery.name}</span>
        </button>
        <IconButton label={`Delete ${gallery.name}`} onClick={() => onDelete(gallery)} className="ml-auto">
          <Trash aria-hidden="true" />
        </IconButton>
      </div>
    </article>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-col-reverse">
      <dt className="text-xs text-quiet">{name}</dt>
      <dd className="font-bold">{children}</dd>
    </div>
  );
}

/** The first photo of the gallery, in a frame that keeps all tiles the same height. */
function Cover({ photo }: { photo: PhotoPreview | null }) {
  if (!photo) {
    return (
      <div className="grid aspect-[2/1] place-items-center bg-accent-tint text-accent-text">
        <Images aria-hidden="true" className="size-7" />
      </div>
    );
  }
  const source = { imageUrl: photo.image_url, width: photo.width, height: photo.height };
  return (
    <div
      className="relative aspect-[2/1] overflow-hidden bg-sunken bg-cover bg-center"
      style={placeholderStyle(photo.thumbhash)}
    >
      <img
        alt=""
        loading="lazy"
        decoding="async"
        src={renditionUrl(source.imageUrl, 640)}
        srcSet={srcSetOf(source)}
        sizes="(width < 600px) 100vw, (width < 1100px) 45vw, 400px"
        className="absolute inset-0 size-full object-cover"
      />
    </div>
  );
}
