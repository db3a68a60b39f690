/** Calls back once the page and its pictures stand, or at once if they do. Returns what takes it back. */
export function onceLoaded(act: () => void): () => void {
  if (document.readyState === 'complete') {
    act();
    return () => undefined;
  }
  window.addEventListener('load', act, { once: true });
  return () => window.removeEventListener('load', act);
}
