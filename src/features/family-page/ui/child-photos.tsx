import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router';
import { useOffered, type CartOf } from '#src/features/cart/cart.client.ts';
import type { ShownGallery } from '#src/features/cart/offered-cart.rules.ts';
import { athletePassId } from '#src/features/order-offers/athlete-pass.rules.ts';
import { AthletePassBar } from '#src/features/order-offers/ui/athlete-pass-bar.tsx';
import { cartItemOf, useChoice, type Seller } from '#src/features/cart/ui/use-choice.ts';
import { familyPath } from '#src/features/families/families.rules.ts';
import {
  CHECKOUT_SUBTRACTS,
  hiddenNowText,
  NONE_TO_SEE_YET,
  noOneSeesText,
  noPhotosYet,
  unpublishedText,
  type FamilyGallery,
  type FamilyPhotosAnswer,
} from '#src/features/family-page/family-page.contract.ts';
import { FamilyMenu } from '#src/features/family-page/ui/family-menu.tsx';
import { INCLUDED_IN_PASS } from '#src/features/offers/offer-words.rules.ts';
import { showPhoto, type ShownPhoto } from '#src/features/photos/shown-photo.rules.ts';
import { LaterWatchForm } from '#src/features/watches/ui/later-watch-form.tsx';
import { formatDollars, fromDollars, type Cents } from '#src/shared/money.ts';
import { Button } from '#src/ui/button.tsx';
import { Card } from '#src/ui/card.tsx';
import { Check, Plus } from '#src/ui/icon.tsx';
import { LightboxFrame } from '#src/ui/photos/lightbox-frame.tsx';
import { PhotoGrid } from '#src/ui/photos/photo-grid.tsx';
import { useOpenPhoto } from '#src/ui/photos/use-open-photo.ts';
import { api } from '#src/web/api-client.ts';
import { counted } from '#src/shared/counted.ts';

/** Computes offers, as in the cart bar. */
const OfferedCart = lazy(async () => ({
  default: (await import('#src/features/cart/ui/offered-cart.tsx')).OfferedCart,
}));

type ChildPhotosProps = { page: FamilyPhotosAnswer; affiliate: Seller; hasSiblings: boolean };

/** The child, the photos by game, and the menu. */
export function ChildPhotos({ page, affiliate, hasSiblings }: ChildPhotosProps) {
  const { child, total, unpublished, included } = page;
  const list = useFamilyPhotos(page);
  const { label, number, team } = child;
  const heading = [label, ...(number === null ? [] : [`number\u00a0${number}`]), ...(team === null ? [] : [team])].join(
    ', ',
  );
  const priceCents = priceOfAll(page);
  const facts = [
    ...(total > 0 ? [counted(total, 'photo', 'photos')] : []),
    ...(priceCents === null ? [] : [priceCents === 0 ? 'Free' : `${formatDollars(priceCents)} each`]),
    ...(unpublished > 0 ? [unpublishedText(unpublished)] : []),
  ];
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 px-5 pt-5 pb-4">
        <div>
          <h1 className="text-2xl text-balance sm:text-3xl">{heading}</h1>
          <p className="mt-1 text-sm text-quiet">{facts.join(' · ')}</p>
          {/* After "no" they are hidden here, too, and counted as not published. */}
          {child.hidden && child.consent !== 'no' && <p className="mt-1 text-sm">{hiddenNowText(label)}</p>}
          {included && (
            <p className="mt-1 text-sm">
              {included.text}
              {included.left > 0 && ` ${CHECKOUT_SUBTRACTS}`}
            </p>
          )}
        </div>
        <FamilyMenu child={child} affiliate={affiliate.path} hasSiblings={hasSiblings} />
      </div>
      {page.pass && <AthletePassBar pass={page.pass} seller={affiliate} total={total} />}
      {list.galleries.map(
        ({ offers, ...gallery }) => offers && <NoteOffers key={gallery.id} gallery={{ ...gallery, offers }} />,
      )}
      {total === 0 ? (
        <NoPhotos child={child} unpublished={unpublished} />
      ) : (
        <Photos list={list} page={page} affiliate={affiliate} />
      )}
    </>
  );
}

/** In place of the photos: why there are none, and an email about the first ones, unless no one is to see them. */
function NoPhotos({ child, unpublished }: Pick<FamilyPhotosAnswer, 'child' | 'unpublished'>) {
  const { id, label, consent } = child;
  const why = unpublished > 0 ? NONE_TO_SEE_YET : noPhotosYet(label);
  return (
    <div className="mx-auto w-full max-w-md px-5 pt-6">
      <Card className="flex flex-col gap-5 p-6">
        <p className="text-pretty">{consent === 'no' ? noOneSeesText(label) : why}</p>
        {consent !== 'no' && <LaterWatchForm target={{ child: id }} />}
      </Card>
    </div>
  );
}

/** The price of all photos, shown once above them, so that no tile covers a face with it; null if they differ. */
const priceOfAll = ({ price_per_photo: dollars }: FamilyPhotosAnswer): Cents | null =>
  dollars === null ? null : fromDollars(dollars);

/** Passes the offers of a gallery to the cart, once. */
function NoteOffers({ gallery }: { gallery: ShownGallery }) {
  const [first] = useState(gallery);
  useOffered(first);
  return null;
}

/** The loaded photos: twenty with the page, more on request. */
function useFamilyPhotos(page: FamilyPhotosAnswer) {
  const [pages, setPages] = useState([page]);
  const [isLoading, setLoading] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const next = pages.at(-1)?.next ?? null;
  return {
    photos: pages.flatMap(({ photos }) => photos.map(showPhoto)),
    galleries: [...new Map(pages.flatMap(({ offers }) => offers.map((each) => [each.id, each] as const))).values()],
    hasMore: next !== null,
    isLoading,
    problem,
    async more(): Promise<void> {
      if (next === null || isLoading) return;
      setLoading(true);
      const answer = await api('GET /api/v1/family/photos', {
        query: { child: page.child.id, after: next, limit: '60' },
      });
      setLoading(false);
      setProblem(answer.ok ? null : answer.error);
      if (answer.ok) setPages((known) => [...known, answer.data]);
    },
  };
}

type PhotosProps = { list: ReturnType<typeof useFamilyPhotos>; page: FamilyPhotosAnswer; affiliate: Seller };

function Photos({ list, page, affiliate }: PhotosProps) {
  const { child, pass, total } = page;
  const { photos, galleries } = list;
  const priceCents = priceOfAll(page);
  const { cart, toggle } = useChoice(affiliate.id);
  const large = useOpenPhoto();
  const addressOf = (photo: ShownPhoto | undefined) =>
    `${familyPath(affiliate.path)}?child=${child.id}${photo ? `&photo=${photo.id}` : ''}`;
  const openAt = photos.findIndex(({ id }) => String(id) === large.id);
  const ofPass = pass && { athlete_key: pass.athlete_key };
  const put = (photo: ShownPhoto) => toggle({ ...cartItemOf(photo, affiliate), ...ofPass });
  const hasPass = pass !== null && cart.has(athletePassId(pass.athlete_key));
  // The pass includes all photos except those with prices of their own.
  const isIncluded = (photo: ShownPhoto) =>
    hasPass && galleries.some(({ id, offers }) => id === photo.galleryId && offers?.sheet_id === pass.sheet_id);
  const open = photos[openAt];
  const at = (index: number) => photos[(index + photos.length) % photos.length];
  return (
    <>
      <PhotoGrid
        hint="Arrow keys move from photo to photo. Enter opens, C adds to the cart."
        photos={photos}
        sections={gamesOf(photos, galleries)}
        toOf={addressOf}
        isChosen={({ id }) => cart.has(id)}
        overlay={(photo, inCart) =>
          isIncluded(photo) && !inCart ? (
            <span className="tile-price right-2">Included</span>
          ) : (
            <CartCorner
              photo={photo}
              inCart={inCart}
              isIncluded={isIncluded(photo)}
              showsPrice={photo.priceCents !== priceCents}
              onPress={() => put(photo)}
            />
          )
        }
      />
      {list.hasMore && <More list={list} total={total} />}
      {open && (
        <LightboxFrame
          index={openAt}
          total={photos.length}
          photoAt={(index) => at(index) ?? null}
          tileAt={(index) => document.getElementById(`photo-${index}`)}
          addresses={{
            previous: addressOf(at(openAt - 1)),
            next: addressOf(at(openAt + 1)),
            close: addressOf(undefined),
          }}
          onGoTo={(index) => large.goTo(String(at(index)?.id))}
          onClose={large.close}
          header={<p className="w-0 flex-1 truncate pl-2 text-sm">{open.name}</p>}
          footer={
            <StageBar
              photo={open}
              cart={cart}
              checkout={`/${affiliate.path}/checkout`}
              isIncluded={isIncluded(open)}
              onPress={put}
            />
          }
        />
      )}
    </>
  );
}

function More({ list, total }: { list: PhotosProps['list']; total: number }) {
  return (
    <div className="flex flex-col items-center gap-2 px-5 pt-6">
      {list.problem !== null && <p role="alert">{list.problem}</p>}
      <Button variant="secondary" busy={list.isLoading && 'Loading...'} onClick={() => void list.more()}>
        Show more photos
      </Button>
      <p className="text-sm text-quiet">
        {list.photos.length} of {total}
      </p>
    </div>
  );
}

/** Where another game begins, with the gallery's name. */
function gamesOf(photos: readonly ShownPhoto[], galleries: readonly FamilyGallery[]) {
  const byId = new Map(galleries.map((gallery) => [gallery.id, gallery]));
  return photos.flatMap(({ galleryId }, at) => {
    const gallery = byId.get(galleryId);
    if (!gallery || photos[at - 1]?.galleryId === galleryId) return [];
    return { at, label: gallery.name, count: gallery.of_child };
  });
}

type CartCornerProps = {
  photo: ShownPhoto;
  inCart: boolean;
  isIncluded: boolean;
  showsPrice: boolean;
  onPress: () => void;
};

function CartCorner({ photo, inCart, isIncluded, showsPrice, onPress }: CartCornerProps) {
  const price = isIncluded ? 'Included' : formatDollars(photo.priceCents);
  return (
    <>
      {(isIncluded || showsPrice) && <span className="tile-price">{price}</span>}
      <button
        type="button"
        className="tile-button tile-cart"
        data-key="c"
        data-on={inCart || undefined}
        aria-keyshortcuts="c"
        aria-label={inCart ? `In cart. Remove ${photo.alt}` : `${price}. Add ${photo.alt} to cart`}
        onClick={onPress}
      >
        <span aria-hidden="true">{inCart ? <Check /> : <Plus />}</span>
      </button>
    </>
  );
}

type StageBarProps = {
  photo: ShownPhoto;
  cart: CartOf;
  /** Its address. */
  checkout: string;
  isIncluded: boolean;
  onPress: (photo: ShownPhoto) => void;
};

/** Below a large photo: adding it, and what the cart contains, as the link to the checkout. The cart's bar is behind the stage. */
function StageBar({ photo, cart, checkout, isIncluded, onPress }: StageBarProps) {
  const isIn = cart.has(photo.id);
  return (
    <div className="ml-auto flex flex-wrap items-center justify-end gap-x-3 gap-y-1">
      {cart.count + cart.passes.length > 0 && (
        <Link
          to={checkout}
          className="flex min-h-11 flex-wrap items-center justify-end gap-x-2 px-1 text-sm leading-tight"
        >
          <Suspense>
            <OfferedCart />
          </Suspense>
          <span className="font-semibold underline underline-offset-4">Review</span>
        </Link>
      )}
      {isIncluded ? (
        <p className="text-sm">{INCLUDED_IN_PASS}</p>
      ) : (
        <Button variant={isIn ? 'secondary' : 'primary'} className="min-h-13 min-w-28" onClick={() => onPress(photo)}>
          {isIn ? <Check aria-hidden="true" /> : <Plus aria-hidden="true" />}
          {isIn ? 'Added' : `Add · ${formatDollars(photo.priceCents)}`}
        </Button>
      )}
    </div>
  );
}
