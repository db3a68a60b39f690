/** Keyboard movement in a grid of photos; loaded with the first key press in one. */

const TILE = '.photo-tile';
/** Keys that click a button of the tile: buttons with `data-key`. */
const LETTER = /^[a-z]$/;

/** Handles the keys pressed in a grid, beginning with those pressed before this was loaded. Returns a function that ends it. */
export function followKeys(list: HTMLElement, early: readonly KeyboardEvent[]): () => void {
  const spoken = document.createElement('p');
  spoken.setAttribute('role', 'status');
  spoken.className = 'sr-only';
  document.body.append(spoken);
  function onKeyDown(event: KeyboardEvent): void {
    if (!event.defaultPrevented) act(event, spoken);
  }
  for (const event of early) act(event, spoken);
  list.addEventListener('keydown', onKeyDown);
  return () => {
    list.removeEventListener('keydown', onKeyDown);
    spoken.remove();
  };
}

function act(event: KeyboardEvent, spoken: HTMLElement): void {
  const tile = document.activeElement?.closest<HTMLElement>(TILE);
  if (!tile || event.altKey || event.ctrlKey || event.metaKey) return;
  const button = LETTER.test(event.key) && tile.querySelector<HTMLElement>(`button[data-key="${event.key}"]`);
  if (button) {
    button.click();
    // The focus stays on the photo, so that a screen reader does not read the button; React has changed it by then.
    if (button.hasAttribute('aria-pressed'))
      setTimeout(() => {
        spoken.textContent = `${button.getAttribute('aria-label')}: ${button.getAttribute('aria-pressed') === 'true' ? 'on' : 'off'}`;
      });
    return;
  }
  const next = tileAfter(tile, event.key);
  if (!next) return;
  event.preventDefault();
  next.querySelector<HTMLElement>(':scope > a')?.focus();
}

/** The tile to which a key moves; null for other keys and at the ends. */
function tileAfter(tile: HTMLElement, key: string): HTMLElement | null {
  const tiles = [...(tile.parentElement?.querySelectorAll<HTMLElement>(TILE) ?? [])];
  const at = tiles.indexOf(tile);
  if (key === 'ArrowRight') return tiles[at + 1] ?? null;
  if (key === 'ArrowLeft') return tiles[at - 1] ?? null;
  if (key === 'Home') return tiles[0] ?? null;
  if (key === 'End') return tiles.at(-1) ?? null;
  if (key === 'ArrowDown') return nearestInRow(tile, tiles.slice(at + 1));
  if (key === 'ArrowUp') return nearestInRow(tile, tiles.slice(0, at).reverse());
  return null;
}

/** In the next row of `others`, which lead away from the tile, the one whose middle is nearest. */
function nearestInRow(tile: HTMLElement, others: readonly HTMLElement[]): HTMLElement | null {
  const row = others.find((other) => other.offsetTop !== tile.offsetTop)?.offsetTop;
  const middle = (each: HTMLElement) => each.offsetLeft + each.offsetWidth / 2;
  let nearest: HTMLElement | null = null;
  for (const other of others) {
    if (other.offsetTop === tile.offsetTop) continue;
    if (other.offsetTop !== row) break;
    if (!nearest || Math.abs(middle(other) - middle(tile)) < Math.abs(middle(nearest) - middle(tile))) nearest = other;
  }
  return nearest;
}
