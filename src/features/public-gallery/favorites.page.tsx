/** `/:affiliate/favorites`: the photos that this browser likes, to add to the cart or share; with `photos`, shared ones. */
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { useCart, useLikes } from '#src/features/cart/cart.client.ts';
import { cartItemOf, useChoice } from '#src/features/cart/ui/use-choice.ts';
import { PhotoOverlay } from '#src/features/public-gallery/ui/photo-overlay.tsx';
import { photoPath } from '#src/features/galleries/gallery-link.rules.ts';
import { favoritesPath, MAX_CHOSEN, readChosen } from '#src/features/public-gallery/chosen-photos.rules.ts';
import { foundText, showPhoto, type ShownPhoto } from '#src/features/photos/shown-photo.rules.ts';
import { formatDollars, type Cents } from '#src/shared/money.ts';
import { Button } from '#src/ui/button.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { Heart, ShoppingBag, Upload } from '#src/ui/icon.tsx';
import { ParentLink } from '#src/ui/parent-link.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Main } from '#src/ui/main.tsx';
import { PhotoGrid } from '#src/ui/photos/photo-grid.tsx';
import { showToast } from '#src/ui/toast.ts';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import type { Route } from './+types/favorites.page.ts';

export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller, url } = context.get(requestContext);
  const affiliate = context.get(affiliateContext);
  const requested = url.searchParams.get('photos');
  const chosen = requested === null ? null : await app.chosenPhotos.chosen(caller, affiliate.id, readChosen(requested));
  return {
    affiliate: { id: affiliate.id, name: affiliate.name, path: affiliate.domainName },
    photos: chosen && chosen.photos.map(showPhoto),
    moved: chosen?.moved ?? [],
  };
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [
    { title: `Favorites · ${loaderData?.affiliate.name ?? ''}` },
    { name: 'description', content: 'Photos that someone picked for you.' },
  ];
}

export default function FavoritesPage({ loaderData }: Route.ComponentProps) {
  const { affiliate, photos, moved } = loaderData;
  const { items, isLoaded, add, remove } = useCart(affiliate.id);
  const { likes, setLiked } = useLikes();
  const navigate = useNavigate();
  // Only the browser knows its likes: they become the address, which the server answers.
  const own =
    photos === null && isLoaded && likes.length > 0 ? favoritesPath(affiliate.path, likes.toReversed()) : null;
  useEffect(() => {
    if (own !== null) void navigate(own, { replace: true });
  }, [own, navigate]);
  // Otherwise a moved photo that is no longer liked would be back at the next visit.
  useEffect(() => {
    for (const { from, to } of moved)
      if (likes.includes(from)) {
        setLiked(from, false);
        setLiked(to, true);
      }
  }, [moved, likes, setLiked]);
  // Otherwise it could be in the cart twice. The checkout asks if its price has changed.
  useEffect(() => {
    for (const { from, to } of moved) {
      const [item, photo] = [items.find(({ id }) => id === from), photos?.find(({ id }) => id === to)];
      if (!item || !photo) continue;
      remove(from);
      add({ ...cartItemOf(photo, affiliate), sales_price: item.sales_price });
    }
  }, [moved, photos, items, affiliate, add, remove]);
  const price = photos && onePriceOf(photos);
  // Opening a shared link does not like its photos.
  const isSent = !!photos?.length && photos.every(({ id, liked }) => !liked && !likes.includes(id));
  const isEmpty = photos === null ? isLoaded && likes.length === 0 : photos.length === 0;
  return (
    <Main edgeToEdge className="pb-10">
      <div className="px-5 pt-5 pb-4">
        <ParentLink to={`/${affiliate.path}`}>{affiliate.name}</ParentLink>
        <h1 className="text-2xl sm:text-3xl">{isSent ? 'Photos picked for you' : 'Favorites'}</h1>
        <p role="status" className="mt-1 text-sm text-quiet">
          {photos && photos.length > 0 && foundText(photos.length)}
          {price !== null && ` · ${formatDollars(price)} each`}
          {photos === null && !isEmpty && 'Looking for the photos you like...'}
        </p>
        {photos && photos.length > 0 && <Actions photos={photos} affiliate={affiliate} />}
      </div>
      {photos && photos.length > 0 && <Chosen photos={photos} affiliate={affiliate} />}
      {isEmpty && (
        <div className="px-5">
          <EmptyState
            icon={<Heart />}
            title={photos === null ? 'No favorites yet' : 'These photos are no longer available'}
            action={
              <LinkButton to={`/${affiliate.path}`} variant="secondary">
                See the galleries
              </LinkButton>
            }
          >
            {photos === null
              ? 'Open a photo and tap its heart. You’ll find it here, and can send all of them as one link.'
              : 'They were hidden or removed, or their gallery requires a password.'}
          </EmptyState>
        </div>
      )}
      {photos === null && (
        <noscript>
          <p className="px-5">Favorites are kept in your browser. Please turn on JavaScript to see them.</p>
        </noscript>
      )}
    </Main>
  );
}

type ListProps = { photos: readonly ShownPhoto[]; affiliate: { id: number; name: string; path: string } };

function Actions({ photos, affiliate }: ListProps) {
  const { cart, toggle } = useChoice(affiliate.id);
  const missing = photos.filter((photo) => !cart.has(photo.id));

  async function send(): Promise<void> {
    const ids = photos.map(({ id }) => id);
    const link = new URL(favoritesPath(affiliate.path, ids), location.href).href;
    try {
      if (navigator.share) return await navigator.share({ title: `Photos from ${affiliate.name}`, url: link });
      await navigator.clipboard.writeText(link);
      showToast('Link copied. Anyone who has it can see these photos.', 'success');
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return;
      showToast('The link could not be copied. Copy it from the address bar.', 'error');
    }
  }

  return (
    <div className="mt-4 flex flex-wrap gap-3 noscript:hidden max-sm:[&>button]:w-full">
      <Button
        disabled={missing.length === 0}
        onClick={() => missing.forEach((photo) => toggle(cartItemOf(photo, affiliate)))}
      >
        <ShoppingBag aria-hidden="true" />
        {missing.length === 0
          ? 'All are in the cart'
          : `Add ${missing.length === 1 ? '1 photo' : `all ${missing.length}`} to the cart`}
      </Button>
      <Button variant="secondary" onClick={() => void send()}>
        <Upload aria-hidden="true" />
        Send as a link
      </Button>
      {photos.length === MAX_CHOSEN && <p className="w-full text-sm text-quiet">The latest {MAX_CHOSEN} are shown.</p>}
    </div>
  );
}

/** The price of all of them; null if they differ, and each tile shows its own. */
function onePriceOf(photos: readonly ShownPhoto[]): Cents | null {
  const [first] = photos;
  return first && photos.every(({ priceCents }) => priceCents === first.priceCents) ? first.priceCents : null;
}

function Chosen({ photos, affiliate }: ListProps) {
  const price = onePriceOf(photos);
  const { cart, toggle } = useChoice(affiliate.id);
  return (
    <PhotoGrid
      hint="Arrow keys move from photo to photo. Enter opens, C adds to the cart, L likes."
      photos={photos}
      toOf={(photo) => photoPath({ affiliate: affiliate.path, galleryId: photo.galleryId }, photo.id)}
      isChosen={(photo) => cart.has(photo.id)}
      overlay={(photo, inCart) => (
        <PhotoOverlay
          photo={photo}
          item={cartItemOf(photo, affiliate)}
          inCart={inCart}
          onToggle={toggle}
          allowsVoting={false}
          usualPriceCents={price}
        />
      )}
    />
  );
}
