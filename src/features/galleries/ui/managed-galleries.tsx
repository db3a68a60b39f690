import { Link, useFetcher } from 'react-router';
import type { ManagedGallery } from '#src/features/galleries/managed-gallery.rules.ts';
import { ManagedGalleryCard } from '#src/features/galleries/ui/managed-gallery-card.tsx';
import { buttonStyle } from '#src/ui/button-style.ts';
import { Spinner } from '#src/ui/spinner.tsx';

type Page = { galleries: readonly ManagedGallery[]; next: string | null };
type Shared = {
  path: string;
  search: string;
  deletedIds: ReadonlySet<number>;
  onDelete: (gallery: ManagedGallery) => void;
};

/** The owner's tiles, and more of them on request; each page knows the next. */
export function ManagedGalleries({ first, ...shared }: Shared & { first: Page }) {
  if (first.galleries.length === 0) return null;
  return (
    <ul aria-label="Galleries" className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
      <PageOfGalleries page={first} {...shared} />
    </ul>
  );
}

function PageOfGalleries({ page, ...shared }: Shared & { page: Page }) {
  return (
    <>
      {page.galleries
        .filter(({ id }) => !shared.deletedIds.has(id))
        .map((gallery) => (
          <li key={gallery.id} className="grid">
            <ManagedGalleryCard gallery={gallery} path={shared.path} onDelete={shared.onDelete} />
          </li>
        ))}
      {page.next !== null && <MoreGalleries after={page.next} {...shared} />}
    </>
  );
}

/** A link to the next page; with a script the next page comes here instead. */
function MoreGalleries({ after, ...shared }: Shared & { after: string }) {
  const fetcher = useFetcher<Page>();
  const { path, search } = shared;
  const address = `/${path}/dashboard?${new URLSearchParams({ ...(search === '' ? {} : { search }), after })}`;
  if (fetcher.data) return <PageOfGalleries page={fetcher.data} {...shared} />;
  return (
    <li className="col-span-full grid min-h-24 place-items-center">
      {fetcher.state === 'idle' ? (
        <Link
          to={address}
          className={buttonStyle({ variant: 'secondary' })}
          onClick={(event) => {
            event.preventDefault();
            void fetcher.load(address);
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
