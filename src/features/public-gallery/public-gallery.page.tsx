/** `/:affiliate/gallery/:id`: the photos of a gallery, to look at and to put in the cart (specification P§2.4, "Public gallery"). */
import { lazy, Suspense, useEffect, useRef } from 'react';
import { Outlet, redirectDocument, useParams, useSearchParams, type ShouldRevalidateFunctionArgs } from 'react-router';
import { useChoice, type Seller } from '#src/features/cart/ui/use-choice.ts';
import type { GalleryAnswer } from '#src/features/galleries/galleries.contract.ts';
import { gateProblemOf, readPhotoIndex, unlockPath, photoPath } from '#src/features/galleries/gallery-link.rules.ts';
import { usePhotoPages, type PhotoPages } from '#src/features/public-gallery/ui/use-photo-pages.ts';
import type { GalleryContext } from '#src/features/public-gallery/ui/gallery-context.ts';
import { GalleryPhotos } from '#src/features/public-gallery/ui/gallery-photos.tsx';
import { GalleryTitle } from '#src/features/public-gallery/ui/gallery-title.tsx';
import { KeywordChips } from '#src/features/public-gallery/ui/keyword-chips.tsx';
import { SearchForm } from '#src/ui/form/search-form.tsx';
import { jumpTo, usePlaceInGallery } from '#src/features/public-gallery/ui/use-place-in-gallery.ts';
import { textOfSearch } from '#src/features/photos/keyword-search.rules.ts';
import { MAX_PHOTOS_PER_PAGE, PHOTOS_PER_PAGE } from '#src/features/photos/photos.contract.ts';
import { usePhotoAhead } from '#src/features/public-gallery/ui/use-photo-ahead.ts';
import { foundText, showPhotos } from '#src/features/photos/shown-photo.rules.ts';
import { reportVisit } from '#src/features/visits/visit.client.ts';
import { fromDollars } from '#src/shared/money.ts';
import { notFound } from '#src/shared/problem.ts';
import { readId } from '#src/shared/read-id.ts';
import { Main } from '#src/ui/main.tsx';
import { affiliateContext, everyoneSees } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { aboutGallery } from '#src/web/about-pages.ts';
import { orNewPlace } from '#src/web/not-found.ts';
import { packed, useUnpacked, type Unpacked } from '#src/web/packed.ts';
import { pageMeta } from '#src/web/page-meta.ts';
import type { Route } from './+types/public-gallery.page.ts';

/** Most galleries are open, and do not load the form. */
const PasswordGate = lazy(async () => ({
  default: (await import('#src/features/public-gallery/ui/password-gate.tsx')).PasswordGate,
}));

/** Loaded only if there is nothing to show. */
const NoPhotos = lazy(async () => ({
  default: (await import('#src/features/public-gallery/ui/no-photos.tsx')).NoPhotos,
}));

/** Loaded for searches by number. */
const NumberOffers = lazy(async () => ({
  default: (await import('#src/features/public-gallery/ui/number-offers.tsx')).NumberOffers,
}));

/** Loaded for visitors who scrolled past the first photos. */
const ToTop = lazy(async () => ({ default: (await import('#src/ui/to-top.tsx')).ToTop }));

/** Also below a photo's page, whose old link leads out of a gallery that was deleted. */
export const loader = orNewPlace(open, photoPath);

async function open({ context, params }: Route.LoaderArgs) {
  const { app, caller, url } = context.get(requestContext);
  const affiliate = context.get(affiliateContext);
  const id = readId(params.id);
  if (id === null) throw notFound();
  const search = textOfSearch(url.searchParams.get('search'));
  const index = search === '' ? readPhotoIndex(url.searchParams) : null;
  const { view, page, revisions } = await app.photos.open(caller, id, {
    after: url.searchParams.get('after'),
    limit:
      index === null
        ? PHOTOS_PER_PAGE
        : Math.min(MAX_PHOTOS_PER_PAGE, Math.ceil((index + 1) / PHOTOS_PER_PAGE) * PHOTOS_PER_PAGE),
    keyword: search,
    asVisitor: true,
  });
  if (view.gallery.organizationId !== affiliate.id) throw notFound();
  // An unlock link: the route stores the proof in a cookie, and redirects the browser without the key.
  const unlock = unlockPath(id, url);
  if (unlock !== null) throw redirectDocument(unlock);
  const site = {
    affiliate: { id: affiliate.id, name: affiliate.name, path: affiliate.domainName },
  };
  if (view.locked) {
    const locked = { id, name: view.gallery.name, problem: gateProblemOf(url.searchParams) };
    const about = { id, name: locked.name, isListed: false, isLocked: true, photoCount: 0, firstPictureUrl: null };
    return { ...site, locked, open: null, about: aboutGallery(context, affiliate, about) };
  }
  // An open photo declares it itself.
  if (!view.gallery.passwordRequired && !('photo' in params)) everyoneSees(context, id);
  const outline = await app.photos.outline(view.gallery, revisions);
  // As a visitor sees it, also for its owner.
  const gallery = (await app.galleries.answerFor({ ...view, editor: false })) as GalleryAnswer;
  const shown = showPhotos(page);
  return {
    ...site,
    locked: null,
    open: packed(url, { gallery, search, ...shown, ...outline }),
    about: packed(
      url,
      aboutGallery(context, affiliate, {
        id,
        name: gallery.name,
        isListed: !view.gallery.isPrivate && !view.gallery.passwordRequired,
        isLocked: false,
        photoCount: gallery.photo_count,
        firstPictureUrl: shown.photos[0]?.imageUrl ?? null,
      }),
    ),
  };
}

/** Opening and closing a photo, and searching, use the photos that are already loaded. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  currentParams,
  nextParams,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  if (currentParams['id'] !== nextParams['id'] || currentUrl.href === nextUrl.href) return defaultShouldRevalidate;
  return (
    currentUrl.searchParams.get('after') !== nextUrl.searchParams.get('after') && nextUrl.searchParams.has('after')
  );
}

export function meta({ loaderData }: Route.MetaArgs) {
  return loaderData ? pageMeta(loaderData.about) : [];
}

export default function PublicGalleryPage({ loaderData }: Route.ComponentProps) {
  const { affiliate, locked } = loaderData;
  const open = useUnpacked(loaderData.open);
  if (locked)
    return (
      <Main>
        <Suspense>
          <PasswordGate galleryId={locked.id} name={locked.name} affiliate={affiliate} problem={locked.problem} />
        </Suspense>
      </Main>
    );
  if (!open) return null;
  return <OpenGallery key={`${open.gallery.id} ${open.photos[0]?.id ?? ''}`} open={open} affiliate={affiliate} />;
}

const JUMPS_UP_TO = 3_000;

type Open = Unpacked<Awaited<ReturnType<typeof loader>>['open']>;

function OpenGallery({ open, affiliate }: { open: Open; affiliate: Seller }) {
  const { gallery } = open;
  useEffect(() => reportVisit(gallery.id), [gallery.id]);
  const chips = useRef<HTMLDivElement>(null);
  const [search, setSearch] = useSearchParams();
  const keyword = textOfSearch(search.get('search'));
  const pages = usePhotoPages(gallery.id, open, { firstKeyword: open.search, keyword });
  const place = { affiliate: affiliate.path, galleryId: gallery.id, search };
  const { cart, toggle } = useChoice(affiliate.id);
  // Beyond that a jump would load for too long (decision record 0036).
  const sections = open.total > JUMPS_UP_TO || search.has('after') ? [] : open.sections;
  const outlet: GalleryContext = { pages, place, seller: affiliate, allowsVoting: gallery.allow_voting, cart, toggle };
  usePhotoAhead(pages.photos);
  usePlaceInGallery(pages, {
    openPhotoId: readId(useParams()['photo']),
    photoIndex: keyword === '' ? readPhotoIndex(search) : null,
  });

  const searchFor = (text: string) =>
    setSearch(searchedFor(text, search), { replace: true, preventScrollReset: true, defaultShouldRevalidate: false });

  /** From the sticky row: results start at the top of the photos. */
  function searchFromChip(text: string): void {
    searchFor(text);
    const start = chips.current?.getBoundingClientRect().top ?? 0;
    if (start < 0) chips.current?.scrollIntoView();
  }

  const count = keyword === '' ? pages.total : gallery.photo_count;
  return (
    <>
      {/* The open photo covers the gallery: first, so that the first frame has it (decision record 0179). */}
      <Outlet context={outlet} />
      <Main edgeToEdge className="pb-10">
        <div className="px-5">
          <GalleryTitle
            gallery={gallery}
            affiliate={affiliate}
            photoCount={count}
            isEmbedded={search.has('publicView')}
          >
            {count > 0 && (
              <GallerySearch
                byNumber={open.byNumber}
                keyword={keyword}
                isEmbedded={search.has('publicView')}
                onSearch={searchFor}
              />
            )}
          </GalleryTitle>
        </div>
        <div ref={chips} />
        <KeywordChips
          chips={open.chips}
          sections={sections}
          place={place}
          keyword={keyword}
          onSearch={searchFromChip}
          onJump={(at) => void jumpTo(pages, at)}
        />
        <SearchStatus keyword={keyword} found={pages.isComplete ? pages.total : null} />
        <BesidePhotos
          {...{ pages, gallery, keyword, affiliate }}
          byNumber={open.byNumber}
          isSearchable={open.chips.length > 0}
          isEmbedded={search.has('publicView')}
          onShowAll={() => searchFor('')}
        />
        {pages.photos.length > 0 && (
          <GalleryPhotos
            {...outlet}
            sections={keyword === '' ? sections : []}
            usualPriceCents={fromDollars(gallery.price_per_photo)}
          />
        )}
      </Main>
      {pages.photos.length > PHOTOS_PER_PAGE && (
        <Suspense>
          <ToTop />
        </Suspense>
      )}
    </>
  );
}

type BesidePhotosProps = {
  pages: PhotoPages;
  gallery: GalleryAnswer;
  keyword: string;
  affiliate: Seller;
  byNumber: boolean | undefined;
  isSearchable: boolean;
  isEmbedded: boolean;
  onShowAll: () => void;
};

/** A message without photos, or the offers of a searched number. */
function BesidePhotos({ pages, byNumber, isSearchable, isEmbedded, onShowAll, ...of }: BesidePhotosProps) {
  if (of.keyword !== '' && !pages.isComplete) return null;
  const hasPass = !isEmbedded && of.gallery.offers?.offers.some((offer) => offer.kind === 'athlete_pass');
  return (
    // As high as what comes, so that the photos do not move.
    <Suspense fallback={<div className={hasPass ? 'pass-height' : 'h-14'} />}>
      {pages.photos.length === 0 ? (
        <NoPhotos {...of} {...{ byNumber, isSearchable, onShowAll }} />
      ) : (
        byNumber && /\d$/.test(of.keyword) && <NumberOffers {...of} hasPass={hasPass} />
      )}
    </Suspense>
  );
}

/** `found`: null while the count is unknown. That there is none is said below, large; only screen readers hear it here. */
function SearchStatus({ keyword, found }: { keyword: string; found: number | null }) {
  return (
    <p role="status" className={keyword === '' || found === 0 ? 'sr-only' : 'px-5 pb-3 text-sm text-quiet'}>
      {keyword !== '' && (found === null ? 'Searching...' : `${foundText(found)} with “${keyword}”`)}
    </p>
  );
}

type GallerySearchProps = {
  byNumber: boolean | undefined;
  keyword: string;
  isEmbedded: boolean;
  onSearch: (text: string) => void;
};

function GallerySearch({ byNumber, keyword, isEmbedded, onSearch }: GallerySearchProps) {
  return (
    <div className="w-full md:w-80">
      <SearchForm
        label={byNumber ? 'Find a number' : 'Search photos by keyword'}
        placeholder={byNumber ? 'Number' : 'Name or number'}
        inputMode={byNumber ? 'numeric' : undefined}
        value={keyword}
        onSearch={onSearch}
        kept={isEmbedded ? { publicView: 'true' } : {}}
      />
    </div>
  );
}

/** The address with another keyword, and without the open position. */
function searchedFor(text: string, search: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const name of ['search', 'photoIndex', 'after']) next.delete(name);
  if (text !== '') next.set('search', text);
  return next;
}
