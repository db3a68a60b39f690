/** Which of our pages other people's pages may frame: the public view of a gallery, and no other (rule 41). */

const GALLERY = /^\/[^/]+\/gallery\/\d+(?:\/photo\/\d+)?$/;

/** Whether an address is the public view of a gallery, or of a photo opened in it. */
export function isEmbeddable(url: Pick<URL, 'pathname' | 'searchParams'>): boolean {
  return GALLERY.test(url.pathname) && url.searchParams.get('publicView') === 'true';
}
