/** `/:affiliate/gallery/:id/photo/:photo/hide`: anyone who sees a photo may ask to hide it. Works without a script, too. */
import { useState } from 'react';
import { Link, redirect } from 'react-router';
import { galleryPath, photoPath } from '#src/features/galleries/gallery-link.rules.ts';
import { showPhoto } from '#src/features/photos/shown-photo.rules.ts';
import { formProblemOf, wasAsked } from '#src/features/takedowns/takedowns.rules.ts';
import { ASK_TO_HIDE, TAKEDOWN_THANKS } from '#src/features/takedowns/takedowns.contract.ts';
import { Asked, AskForm } from '#src/features/takedowns/ui/ask-form.tsx';
import { notFound } from '#src/shared/problem.ts';
import { readId } from '#src/shared/validators.ts';
import { Card } from '#src/ui/card.tsx';
import { ChevronLeft } from '#src/ui/icon.tsx';
import { Main } from '#src/ui/main.tsx';
import { ratioOf, renditionUrl, srcSetOf } from '#src/ui/photo-sources.ts';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { orNotFoundPage } from '#src/web/not-found.ts';
import type { RouteHandle } from '#src/web/route-handle.ts';
import type { Route } from './+types/ask-to-hide.page.ts';

export const handle: RouteHandle = { hidesCart: true };

const NOWHERE = new URLSearchParams();

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
  const place = { affiliate: affiliate.domainName, galleryId, search: NOWHERE };
  const about = { affiliate: affiliate.name, gallery: galleryPath(place) };
  if (wasAsked(url.searchParams)) return { ...about, photo: null, backTo: about.gallery, problem: null };
  // The gate is at the gallery.
  if (view.locked) throw redirect(photoPath(place, photoId));
  const { photo } = await app.photos.find(caller, galleryId, photoId, { asVisitor: true, index: 0 });
  return {
    ...about,
    photo: showPhoto(photo),
    backTo: photoPath(place, photoId),
    problem: formProblemOf(url.searchParams),
  };
}

export function meta() {
  return [{ title: ASK_TO_HIDE }, { name: 'robots', content: 'noindex' }];
}

export default function AskToHidePage({ loaderData }: Route.ComponentProps) {
  const { affiliate, gallery, photo, backTo, problem } = loaderData;
  const [isAsked, setAsked] = useState(photo === null);
  return (
    <Main className="py-5 sm:py-10">
      <div className="mx-auto w-full max-w-3xl">
        <Link
          to={isAsked ? gallery : backTo}
          className="-ml-1 inline-flex min-h-11 items-center gap-1 rounded pr-2 text-sm font-semibold text-accent-text hover:underline"
        >
          <ChevronLeft aria-hidden="true" className="size-4 shrink-0" />
          {isAsked ? 'The gallery' : 'The photo'}
        </Link>
        {isAsked || !photo ? (
          <Asked message={TAKEDOWN_THANKS} galleryTo={gallery} takesFocus={photo !== null} />
        ) : (
          <Card className="mt-2 grid gap-6 p-5 sm:p-8 md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] md:gap-8">
            <div>
              <img
                src={renditionUrl(photo.imageUrl, 480)}
                srcSet={srcSetOf(photo)}
                sizes="(min-width: 768px) 300px, 50vw"
                alt={photo.alt}
                className="max-h-64 w-auto max-w-full rounded bg-sunken object-contain"
                style={{ aspectRatio: ratioOf(photo) }}
              />
            </div>
            <div>
              <h1 className="text-xl">{ASK_TO_HIDE}</h1>
              <p className="mt-2 text-pretty text-quiet">
                {affiliate} decides and replies to you. No one else sees what you write here.
              </p>
              <AskForm photo={photo} problem={problem} onAsked={() => setAsked(true)} />
            </div>
          </Card>
        )}
      </div>
    </Main>
  );
}
