import type { ReactNode } from 'react';
import { Link, useFetcher } from 'react-router';
import type { GalleryCardFacts } from '#src/features/galleries/gallery-cards.rules.ts';
import { GalleryCard } from '#src/features/home/ui/gallery-card.tsx';
import { buttonStyle } from '#src/ui/button-style.ts';
import { Spinner } from '#src/ui/spinner.tsx';

type Page = { galleries: readonly GalleryCardFacts[]; next: string | null };

/** On phones the sponsor comes after the first galleries, so that a visitor sees photos before an ad. */
const BEFORE_SPONSOR = 2;

type GalleryListProps = { first: Page; path: string; search: string; sponsor?: ReactNode };

/** Cards, including the sponsor on phones, and more cards on request; each page knows the next. */
export function GalleryList({ first, path, search, sponsor }: GalleryListProps) {
  const { galleries, next } = first;
  return (
    <ul aria-label="Galleries" className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
      <Cards galleries={galleries.slice(0, BEFORE_SPONSOR)} from={0} />
      {sponsor && <li className="sm:hidden">{sponsor}</li>}
      <Cards galleries={galleries.slice(BEFORE_SPONSOR)} from={BEFORE_SPONSOR} />
      {next !== null && <MoreGalleries key={`${search} ${next}`} after={next} path={path} search={search} />}
    </ul>
  );
}

const IN_A_WIDE_ROW = 3;

/** `from` is the position of the first one on the page: photos of the first row load before all others. */
function Cards({ galleries, from }: { galleries: readonly GalleryCardFacts[]; from: number }) {
  return galleries.map((gallery, index) => {
    const place = from + index;
    return (
      <li key={gallery.id} className="grid">
        <GalleryCard gallery={gallery} urgency={place >= IN_A_WIDE_ROW ? 'later' : place === 0 ? 'first' : 'soon'} />
      </li>
    );
  });
}

/** A link to the next page; with scripts the next page loads here. */
function MoreGalleries({ after, path, search }: { after: string; path: string; search: string }) {
  const fetcher = useFetcher<Page>();
  const query = new URLSearchParams({ ...(search === '' ? {} : { search }), after });
  if (fetcher.data) {
    const { galleries, next } = fetcher.data;
    return (
      <>
        <Cards galleries={galleries} from={IN_A_WIDE_ROW} />
        {next !== null && <MoreGalleries after={next} path={path} search={search} />}
      </>
    );
  }
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
