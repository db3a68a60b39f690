/** A missing gallery or photo leads to `/404` (specification P§2.4, P§8: "Gallery missing or inactive"). */
import { redirect, type RouterContextProvider } from 'react-router';
import { isProblem } from '#src/shared/problem.ts';
import { readId } from '#src/shared/read-id.ts';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';

/** The same loader, with a redirect to `/404` instead of not_found. */
export function orNotFoundPage<Args, Answer>(load: (args: Args) => Promise<Answer>): (args: Args) => Promise<Answer> {
  return (args) =>
    load(args).catch((error: unknown) => {
      throw isProblem(error) && error.code === 'not_found' ? redirect('/404') : error;
    });
}

type OfPhoto = {
  context: Readonly<RouterContextProvider>;
  params: { affiliate?: string | undefined; id?: string | undefined; photo?: string | undefined };
};

/**
 * The same loader of a photo's address. The old one of a photo that moved to another gallery leads to the new one, for those who
 * may see it there (decision record 0178).
 */
export function orNewPlace<Args extends OfPhoto, Answer>(
  load: (args: Args) => Promise<Answer>,
  pathOf: (place: { affiliate: string; galleryId: number; search: URLSearchParams }, photoId: number) => string,
): (args: Args) => Promise<Answer> {
  return orNotFoundPage((args) =>
    load(args).catch(async (error: unknown) => {
      const { context, params } = args;
      const [galleryId, photoId] = [readId(params.id ?? ''), readId(params.photo ?? '')];
      if (!isProblem(error) || error.code !== 'not_found' || galleryId === null || photoId === null) throw error;
      const { app, caller, url } = context.get(requestContext);
      const { id: organizationId, domainName: affiliate } = context.get(affiliateContext);
      const place = await app.photos.newPlace(caller, { organizationId, galleryId, photoId });
      throw redirect(pathOf({ ...place, affiliate, search: url.searchParams }, place.photoId));
    }),
  );
}
