/** `/:affiliate/gallery/:id/photo/:photo`: one photo at its own address, over its gallery (specification P§2.4, "Photo detail"). */
import { useEffect } from 'react';
import { Link, useOutletContext, useSearchParams } from 'react-router';
import { useChoice } from '#src/features/cart/ui/use-choice.ts';
import { CartButton } from '#src/features/cart/ui/cart-button.tsx';
import { cartItemOf } from '#src/features/cart/ui/cart-item.ts';
import { galleryPath, photoPath } from '#src/features/galleries/gallery-link.rules.ts';
import type { PhotoPages } from '#src/features/galleries/ui/use-photo-pages.ts';
import { showPhoto } from '#src/features/photos/shown-photo.rules.ts';
import { MarkButton } from '#src/features/photos/ui/mark-button.tsx';
import { ASK_TO_HIDE } from '#src/features/takedowns/takedowns.contract.ts';
import { askToHidePath } from '#src/features/takedowns/takedowns.rules.ts';
import { notFound } from '#src/shared/problem.ts';
import { readId } from '#src/shared/validators.ts';
import { LightboxFrame } from '#src/ui/lightbox-frame.tsx';
import { Price } from '#src/ui/price.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { aboutPhoto } from '#src/web/about-pages.ts';
import { orNotFoundPage } from '#src/web/not-found.ts';
import { pageMeta, type PageMeta } from '#src/web/page-meta.ts';
import type { Route } from './+types/photo.page.ts';

/** Photos beyond the loaded ones that are worth loading at once. */
const FAR = 100;

/** Null while the gallery is locked: the page below it asks for the password. */
export function loader(args: Route.LoaderArgs) {
  return orNotFoundPage(load(args));
}

async function load({ context, params }: Route.LoaderArgs) {
  const { app, caller, url } = context.get(requestContext);
  const affiliate = context.get(affiliateContext);
  const [galleryId, photoId] = [readId(params.id), readId(params.photo)];
  if (galleryId === null || photoId === null) throw notFound();
  const view = await app.galleries.view(caller, galleryId);
  if (view.gallery.organizationId !== affiliate.id || !view.gallery.active) throw notFound();
  if (view.locked) return null;
  const { photo, ...place } = await app.photos.find(caller, galleryId, photoId, {
    asVisitor: true,
    // Whoever searched leafs through what was found.
    keyword: url.searchParams.get('search') ?? '',
  });
  const shown = showPhoto(photo);
  const isListed = !view.gallery.isPrivate && !view.gallery.passwordRequired;
  return {
    photo: shown,
    ...place,
    allowsVoting: view.gallery.allowVoting,
    about: aboutPhoto(context, affiliate, { id: galleryId, name: view.gallery.name, isListed }, shown),
    seller: { id: affiliate.id, name: affiliate.name, path: affiliate.domainName },
  };
}

/** A locked gallery's photos tell what its gate tells. */
export function meta({ loaderData, matches }: Route.MetaArgs) {
  const ofGallery = matches.map((match) => (match?.loaderData as { about?: PageMeta } | undefined)?.about);
  const about = loaderData?.about ?? ofGallery.findLast((told) => told !== undefined);
  return about ? pageMeta(about) : [];
}

export default function PhotoPage({ loaderData }: Route.ComponentProps) {
  return loaderData && <OpenPhoto {...loaderData} />;
}

type Loaded = NonNullable<Awaited<ReturnType<typeof loader>>>;

function OpenPhoto({ photo, previousId, nextId, index, total, seller, allowsVoting }: Loaded) {
  const { photos, until } = useOutletContext<PhotoPages>();
  const [search] = useSearchParams();
  const { cart, toggle } = useChoice(seller.id);
  const neighbours = [nextId, previousId].flatMap(
    (id) => photos.find((each) => each.id === id && id !== photo.id) ?? [],
  );
  // The gallery behind comes along, so that the neighbours are known and closing finds the photo's tile.
  const wantsMore = index + 1 >= photos.length && index - photos.length < FAR;
  useEffect(() => {
    if (wantsMore) void until(index + 1);
  }, [wantsMore, index, until]);
  const place = { affiliate: seller.path, galleryId: photo.galleryId, search };
  return (
    <LightboxFrame
      photo={photo}
      position={index + 1}
      total={total}
      previousTo={photoPath(place, previousId)}
      nextTo={photoPath(place, nextId)}
      closeTo={galleryPath(place, index)}
      neighbours={neighbours}
      header={<p className="min-w-0 truncate text-sm">{photo.name}</p>}
      footer={
        <>
          <MarkButton photo={photo} mark="like" />
          {allowsVoting && <MarkButton photo={photo} mark="vote" />}
          <strong className="px-1 text-lg font-bold">
            <Price cents={photo.priceCents} />
          </strong>
          <CartButton
            look="stage"
            item={cartItemOf(photo, seller)}
            priceCents={photo.priceCents}
            alt={photo.alt}
            inCart={cart.has(photo.id)}
            onToggle={toggle}
          />
          <Link
            to={askToHidePath({ affiliate: seller.path, galleryId: photo.galleryId, id: photo.id })}
            className="inline-flex min-h-11 items-center px-2 text-xs underline opacity-80 hover:opacity-100"
          >
            {ASK_TO_HIDE}
          </Link>
        </>
      }
    />
  );
}
