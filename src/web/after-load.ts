/** Calls `act` when the page and its pictures have loaded, or immediately if they have. Returns how to cancel it. */
export function afterLoad(act: () => void): () => void {
  if (document.readyState === 'complete') {
    act();
    return () => undefined;
  }
  window.addEventListener('load', act, { once: true });
  return () => window.removeEventListener('load', act);
}
