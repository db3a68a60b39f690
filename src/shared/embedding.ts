/** Which of our pages other sites may frame: the public view of a gallery, and no other (rule 41). */

const GALLERY = /^\/[^/]+\/gallery\/\d+(?:\/photo\/\d+)?$/;

/** Whether an address is the public view of a gallery, or of a photo opened in it. */
export function isEmbeddable(url: Pick<URL, 'pathname' | 'searchParams'>): boolean {
  return GALLERY.test(url.pathname) && url.searchParams.get('publicView') === 'true';
}

export const OEMBED_PATH = '/api/v1/oembed';

/** The oEmbed address for the gallery at this address. */
export const oembedPath = (address: string): string => `${OEMBED_PATH}?url=${encodeURIComponent(address)}`;
