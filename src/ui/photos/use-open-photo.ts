import { useLocation, useNavigate, useSearchParams } from 'react-router';

/** Stored in the history with the address of a photo that was opened on its page; also by links to one. */
export const OPENED_HERE = { photoOpenedHere: true };

/**
 * The large photo of a page, `?photo=` in its address, so that the phone's Back closes it. Closing it otherwise goes back,
 * too: the page is in the history once.
 */
export function useOpenPhoto() {
  const [search] = useSearchParams();
  const { state } = useLocation();
  const navigate = useNavigate();
  const isOpenedHere = (state as Partial<typeof OPENED_HERE> | null)?.photoOpenedHere === true;
  /** Null for the page without a large photo. */
  function addressOf(id: string | null): string {
    const next = new URLSearchParams(search);
    if (id === null) next.delete('photo');
    else next.set('photo', id);
    return next.size === 0 ? '.' : `?${next}`;
  }
  return {
    id: search.get('photo'),
    addressOf,
    open: (id: string) => void navigate(addressOf(id), { preventScrollReset: true, state: OPENED_HERE }),
    goTo: (id: string) => void navigate(addressOf(id), { replace: true, preventScrollReset: true, state }),
    close: () =>
      isOpenedHere ? void navigate(-1) : void navigate(addressOf(null), { replace: true, preventScrollReset: true }),
  };
}
