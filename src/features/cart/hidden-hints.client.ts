/** Galleries whose hints this browser hides. Without storage they are hidden until the page is left. */
const KEY = 'hiddenHints';
const MOST = 100;
let inMemory: readonly number[] = [];

export const hiddenHints = {
  read(): readonly number[] {
    try {
      const value: unknown = JSON.parse(window.localStorage.getItem(KEY) ?? '[]');
      if (Array.isArray(value)) return [...value.filter((id) => typeof id === 'number'), ...inMemory];
    } catch {
      // Blocked, or invalid.
    }
    return inMemory;
  },
  hide(galleryId: number): readonly number[] {
    const hidden = [...hiddenHints.read(), galleryId].slice(-MOST);
    inMemory = [...inMemory, galleryId];
    try {
      window.localStorage.setItem(KEY, JSON.stringify(hidden));
    } catch {
      // Blocked or full.
    }
    return hidden;
  },
};
