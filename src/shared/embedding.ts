/** Which of our pages other people's pages may frame: the public view of a gallery, and no other (rule 41). */

const GALLERY = /^\/[^/]+\/gallery\/\d+(?:\/photo\/\d+)?$/;

/** Whether an address is the public view of a gallery, or of a photo opened in it. */
export function isEmbeddable(url: Pick<URL, 'pathname' | 'searchParams'>): boolean {
  return GALLERY.test(url.pathname) && url.searchParams.get('publicView') === 'true';
}

export const OEMBED_PATH = '/api/v1/oembed';

/** Where another site asks how to show the gallery of this address in its own page. */
export const oembedPath = (address: string): string => `${OEMBED_PATH}?url=${encodeURIComponent(address)}`;
