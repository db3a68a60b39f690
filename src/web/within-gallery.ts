import type { ShouldRevalidateFunctionArgs } from 'react-router';

const GALLERY_OR_PHOTO = /\/gallery\/\d+(?:\/photo\/\d+)?$/;

/**
 * For `shouldRevalidate` of the frames around a page. Opening and closing a photo of a gallery changes nothing in them,
 * so neither waits for the server.
 */
export function unlessWithinGallery(step: ShouldRevalidateFunctionArgs): boolean {
  const { currentUrl, nextUrl, currentParams, nextParams, formMethod, defaultShouldRevalidate } = step;
  const isSameGallery =
    currentParams['id'] === nextParams['id'] && currentParams['affiliate'] === nextParams['affiliate'];
  const isWithin = [currentUrl, nextUrl].every(({ pathname }) => GALLERY_OR_PHOTO.test(pathname));
  if (isSameGallery && isWithin && formMethod === undefined && currentUrl.href !== nextUrl.href) return false;
  return defaultShouldRevalidate;
}
