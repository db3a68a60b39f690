/** Where the focus goes when the button that had it is removed with what it deleted, which may be when a list reloads. */

/** A list that takes longer leaves the focus where it is. */
const LIST_RELOADS_MS = 15_000;

/**
 * Remembers where a button is in the page. Call the returned function when the button has the focus again: as soon as it is
 * removed or disabled, its row gets the focus, else the next row, the previous one, the heading above the list, or the page.
 * If the user moves the focus meanwhile, it stays there. Safari does not focus a clicked button: then the page gets the focus.
 */
export function rememberPlace(focused: Element | null): () => void {
  const opener = focused === document.body ? null : focused;
  const row = opener?.closest('li, tr') ?? null;
  const rows = row ? [row, ...siblings(row, 'nextElementSibling'), ...siblings(row, 'previousElementSibling')] : [];
  const around: Element[] = [];
  for (let at = row?.parentElement ?? opener?.parentElement; at; at = at.parentElement) around.push(at);

  function focusWhatIsLeft(): void {
    const left = rows.find((each) => each.isConnected) ?? headingIn(around) ?? document.getElementById('main');
    if (!(left instanceof HTMLElement)) return;
    if (!left.hasAttribute('tabindex')) left.tabIndex = -1;
    left.focus({ preventScroll: left.id === 'main' });
  }

  return () => {
    const observer = new MutationObserver(check);
    let timer = setTimeout(giveUp, LIST_RELOADS_MS);
    // What was made may be shown in a dialog first, such as a token to copy.
    function isDialogOpen(): boolean {
      const dialog = document.querySelector('dialog[open]');
      return dialog !== null && !dialog.contains(opener);
    }
    function giveUp(): void {
      if (isDialogOpen()) timer = setTimeout(giveUp, LIST_RELOADS_MS);
      else observer.disconnect();
    }
    function check(): void {
      if (isDialogOpen()) return;
      const isGone = !opener?.isConnected || opener.matches(':disabled');
      const isElsewhere = document.activeElement !== document.body && document.activeElement !== opener;
      if (!isGone && !isElsewhere) return;
      observer.disconnect();
      clearTimeout(timer);
      if (!isElsewhere) focusWhatIsLeft();
    }
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
    check();
  };
}

function siblings(row: Element, side: 'nextElementSibling' | 'previousElementSibling'): Element[] {
  const found: Element[] = [];
  for (let at = row[side]; at; at = at[side]) found.push(at);
  return found;
}

/** Of the innermost part of the page that is left and has one. */
function headingIn(around: readonly Element[]): Element | null {
  for (const part of around) {
    const heading = part.isConnected ? part.querySelector('h1, h2, h3') : null;
    if (heading) return heading;
  }
  return null;
}
