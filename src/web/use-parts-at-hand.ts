import { useEffect } from 'react';

/** What the first view does not need and a press, or a lost connection, may want at any moment. */
const PARTS = [
  () => import('#src/web/frame/error-screens.tsx'),
  () => import('#src/ui/dialog.tsx'),
  () => import('#src/ui/toast-card.tsx'),
];

/** Fetches them once the page and its pictures stand. Each has its own answer for when it is missing. */
export function usePartsAtHand(): void {
  useEffect(() => {
    const fetchThem = () => {
      for (const part of PARTS) part().catch(() => undefined);
    };
    if (document.readyState === 'complete') return fetchThem();
    window.addEventListener('load', fetchThem, { once: true });
    return () => window.removeEventListener('load', fetchThem);
  }, []);
}
