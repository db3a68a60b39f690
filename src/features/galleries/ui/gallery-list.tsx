import { Link, useFetcher } from 'react-router';
import type { GalleryCardFacts } from '#src/features/galleries/listed-gallery.rules.ts';
import { GalleryCard } from '#src/features/galleries/ui/gallery-card.tsx';
import { buttonStyle } from '#src/ui/button-style.ts';
import { Spinner } from '#src/ui/spinner.tsx';

type Page = { galleries: readonly GalleryCardFacts[]; next: string | null };

/** Cards, and more of them on request; each page knows the next. */
export function GalleryList({ first, path, search }: { first: Page; path: string; search: string }) {
  return (
    <ul aria-label="Galleries" className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
      <PageOfGalleries page={first} path={path} search={search} isFirst />
    </ul>
  );
}

function PageOfGalleries({
  page,
  path,
  search,
  isFirst = false,
}: {
  page: Page;
  path: string;
  search: string;
  isFirst?: boolean;
}) {
  return (
    <>
      {page.galleries.map((gallery, index) => (
        <li key={gallery.id} className="grid">
          <GalleryCard
            gallery={gallery}
            level={3}
            urgency={!isFirst || index > 2 ? 'later' : index === 0 ? 'first' : 'soon'}
          />
        </li>
      ))}
      {page.next !== null && <MoreGalleries after={page.next} path={path} search={search} />}
    </>
  );
}

/** A link to the next page; with a script the next page comes here instead. */
function MoreGalleries({ after, path, search }: { after: string; path: string; search: string }) {
  const fetcher = useFetcher<Page>();
  const query = new URLSearchParams({ ...(search === '' ? {} : { search }), after });
  if (fetcher.data) return <PageOfGalleries page={fetcher.data} path={path} search={search} />;
  return (
    <li className="col-span-full grid min-h-24 place-items-center">
      {fetcher.state === 'idle' ? (
        <Link
          to={`/${path}?${query}`}
          className={buttonStyle({ variant: 'secondary' })}
          onClick={(event) => {
            event.preventDefault();
            void fetcher.load(`/${path}?index&${query}`);
          }}
        >
          Show more galleries
        </Link>
      ) : (
        <p role="status" className="flex items-center gap-3 text-sm text-quiet">
          <Spinner /> Loading more galleries
        </p>
      )}
    </li>
  );
}
