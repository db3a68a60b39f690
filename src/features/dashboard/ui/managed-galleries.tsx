import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Link, useFetcher } from 'react-router';
import type { ManagedGallery } from '#src/features/galleries/gallery-cards.rules.ts';
import { ManagedGalleryCard } from '#src/features/dashboard/ui/managed-gallery-card.tsx';
import { Button } from '#src/ui/button.tsx';
import { buttonStyle } from '#src/ui/button-style.ts';
import { Spinner } from '#src/ui/spinner.tsx';

type ManagedGalleriesProps = {
  first: ManagedPage;
  path: string;
  search: string;
  deletedIds: ReadonlySet<number>;
  onDelete: (gallery: ManagedGallery) => void;
};

/** The owner's tiles, and more of them as their end comes near. Tiles that no one sees cost the browser next to nothing. */
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

/** A link to the next page; with a script the next page comes here on its own. */
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

export type ManagedPage = {
  galleries: readonly ManagedGallery[];
  next: string | null;
  /** Where the page begins; null for the first. */
  after: string | null;
};

export type ManagedPages = {
  galleries: readonly ManagedGallery[];
  next: string | null;
  isLoading: boolean;
  /** The last try brought nothing. */
  hasFailed: boolean;
  more: () => void;
};

/** The page of the address, and those after it as they are asked for; each page knows the next. */
export function useManagedPages(first: ManagedPage, addressOf: (after: string) => string): ManagedPages {
  const fetcher = useFetcher<{ list: ManagedPage }>();
  const [later, setLater] = useState<readonly ManagedPage[]>([]);
  const next = (later.at(-1) ?? first).next;
  const came = fetcher.state === 'idle' ? fetcher.data?.list : undefined;
  const [asked, setAsked] = useState<string | null>(null);
  // Taken in once: then `next` is another one. A page that was loaded anew is known already.
  if (came && came.after !== null && came.after === next) setLater((pages) => [...pages, came]);
  const more = useCallback(() => {
    if (next === null) return;
    setAsked(next);
    void fetcher.load(addressOf(next));
  }, [next, addressOf, fetcher]);
  // What moved from one page to another while they were loaded is here once.
  const known = new Map<number, ManagedGallery>();
  for (const { galleries } of [first, ...later])
    for (const gallery of galleries) if (!known.has(gallery.id)) known.set(gallery.id, gallery);
  return {
    galleries: [...known.values()],
    next,
    isLoading: fetcher.state !== 'idle',
    hasFailed: fetcher.state === 'idle' && asked !== null && asked === next && came?.after !== next,
    more,
  };
}
