/** Which area of the editor is open: kept in the address, so that it can be linked to and the back button closes it. */
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { afterToggle, areaOf, searchWithArea, type GalleryArea } from '#src/features/galleries/gallery-areas.rules.ts';

/** In the history beside an address whose area was opened from the page without one. */
const OPENED_HERE = { areaOpenedHere: true };

export type OpenArea = { area: GalleryArea | null; toggle: (area: GalleryArea) => void };

/** @param usual the area that is open where the address says nothing */
export function useArea(usual: GalleryArea | null): OpenArea {
  const [search] = useSearchParams();
  const { state, hash } = useLocation();
  const navigate = useNavigate();
  const area = areaOf(search, usual);
  const isOpenedHere = (state as Partial<typeof OPENED_HERE> | null)?.areaOpenedHere === true;

  function toggle(pressed: GalleryArea): void {
    const next = afterToggle(area, pressed);
    // Back to the page as it was, rather than another copy of it on top.
    if (next === null && isOpenedHere) return void navigate(-1);
    const isOpening = (area === null || area === usual) && next !== null && next !== usual;
    void navigate(
      { search: searchWithArea(search, next, usual), hash },
      { replace: !isOpening, preventScrollReset: true, state: isOpening || isOpenedHere ? OPENED_HERE : null },
    );
  }
  return { area, toggle };
}
