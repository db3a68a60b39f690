/**
 * The areas of the gallery editor: one at a time is open, and the page's address says which (specification A§2, "Gallery
 * editor").
 */

const GALLERY_AREAS = ['upload', 'settings', 'collaborators', 'share', 'reports'] as const;
export type GalleryArea = (typeof GALLERY_AREAS)[number];

export const AREA_NAMES: Record<GalleryArea, string> = {
  upload: 'Upload',
  settings: 'Settings',
  collaborators: 'Collaborators',
  share: 'Share',
  reports: 'Reports',
};

/**
 * In the rail of wide screens, beside the organization's own Settings and Reports. Phones show only these areas, with short
 * names.
 */
export const FULL_AREA_NAMES: Record<GalleryArea, string> = {
  ...AREA_NAMES,
  settings: 'Gallery settings',
  reports: 'Gallery reports',
};

/** The label of an open area's toggle on phones (specification A§2). */
export const CLOSE_AREA = 'Close';

const AREA = 'area';
/** In the address when someone closed the default area. */
const CLOSED = 'none';

/** @param usual the area that is open by default */
export function areaOf(search: URLSearchParams, usual: GalleryArea | null): GalleryArea | null {
  const word = search.get(AREA);
  if (word === CLOSED) return null;
  return GALLERY_AREAS.find((area) => area === word) ?? usual;
}

/** The rest of the address stays. */
export function searchWithArea(search: URLSearchParams, area: GalleryArea | null, usual: GalleryArea | null): string {
  const next = new URLSearchParams(search);
  if (area === usual) next.delete(AREA);
  else next.set(AREA, area ?? CLOSED);
  return next.size === 0 ? '' : `?${next}`;
}

/** The toggle of an open area closes it, every other one opens its own instead. */
export function afterToggle(open: GalleryArea | null, pressed: GalleryArea): GalleryArea | null {
  return open === pressed ? null : pressed;
}

/** Whether two addresses show the same page, whatever area is open: then nothing is loaded again. */
export function differsByAreaOnly(current: URL, next: URL): boolean {
  if (current.href === next.href || current.pathname !== next.pathname) return false;
  const [before, after] = [current, next].map((url) => searchWithArea(url.searchParams, null, null));
  return before === after;
}
