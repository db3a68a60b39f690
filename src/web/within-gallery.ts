import type { ShouldRevalidateFunctionArgs } from 'react-router';

const GALLERY_OR_PHOTO = /\/gallery\/\d+(?:\/photo\/\d+)?$/;

/** The address without the photo that is open over its page (`?photo=`). */
function withoutPhoto({ pathname, search }: URL): string {
  const others = new URLSearchParams(search);
  others.delete('photo');
  return `${pathname}?${others}`;
}

/**
 * For `shouldRevalidate` of the frames around a page. Opening and closing a photo of a gallery, of an order, of a child or of a
 * contributor changes nothing in them, so neither waits for the server.
 */
export function unlessWithinGallery(step: ShouldRevalidateFunctionArgs): boolean {
  const { currentUrl, nextUrl, currentParams, nextParams, formMethod, defaultShouldRevalidate } = step;
  const isSameGallery =
    currentParams['id'] === nextParams['id'] && currentParams['affiliate'] === nextParams['affiliate'];
  const isWithin = [currentUrl, nextUrl].every(({ pathname }) => GALLERY_OR_PHOTO.test(pathname));
  const isOverPage = withoutPhoto(currentUrl) === withoutPhoto(nextUrl);
  const changesNothing = (isSameGallery && isWithin) || isOverPage;
  if (changesNothing && formMethod === undefined && currentUrl.href !== nextUrl.href) return false;
  return defaultShouldRevalidate;
}
