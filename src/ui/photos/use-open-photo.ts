import { useEffect, useRef } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';

/** Stored in the history with the address of a photo that was opened on its page; also by links to one. */
export const OPENED_HERE = { photoOpenedHere: true };

/**
 * Closes a large photo like the phone's Back, so that the page it was opened on is in the history once. One that was opened
 * by its address is replaced by `page`.
 */
export function useClosePhoto(page: () => string) {
  const { state, key } = useLocation();
  const navigate = useNavigate();
  const isOpenedHere = (state as Partial<typeof OPENED_HERE> | null)?.photoOpenedHere === true;
  const isClosing = useRef(false);
  useEffect(() => {
    isClosing.current = false;
  }, [key]);
  /** Returns false if it is being closed already: a second click would leave the page. */
  function close(): boolean {
    if (isClosing.current) return false;
    isClosing.current = true;
    if (isOpenedHere) void navigate(-1);
    else void navigate(page(), { replace: true, preventScrollReset: true });
    return true;
  }
  return close;
}

/** The large photo of a page, `?photo=` in its address, so that the phone's Back closes it. */
export function useOpenPhoto() {
  const [search] = useSearchParams();
  const { state } = useLocation();
  const navigate = useNavigate();
  const close = useClosePhoto(() => addressOf(null));
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
    close,
  };
}
