/**
 * Inside someone else's page (an embedded gallery, rule 41). The `frame-ancestors` of the Content-Security-Policy keep every
 * other document out of the frame; this file keeps our router from rendering other pages in it. Everything except the public
 * view opens in a new tab. Browsers give a frame its own storage, so the cart travels in the address.
 */
import { CART_KEY, parseCart } from '#src/features/cart/cart.rules.ts';
import { withCarried } from '#src/features/cart/carried-photos.rules.ts';
import { isEmbeddable } from '#src/shared/embedding.ts';

/** Call once, before React attaches its listeners. */
export function guardFrame(frame: Window & typeof globalThis): void {
  // On the window in the capture phase: before React, which listens on the document.
  frame.addEventListener('click', (event) => onClick(event, frame), true);
  frame.addEventListener('submit', onSubmit, true);
  guardHistory(frame);
}

function onClick(event: MouseEvent, frame: Window): void {
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
  if (!(link instanceof HTMLAnchorElement) || link.target === '_blank') return;
  const url = new URL(link.href, frame.location.href);
  if (url.origin === frame.location.origin && isEmbeddable(url)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  frame.open(url.pathname.endsWith('/checkout') ? withCarried(url, cartOf(frame)) : url, '_blank', 'noopener');
}

/** A gallery's password unlocks it for a tab: browsers accept no cookie inside a frame. */
function onSubmit(event: SubmitEvent): void {
  const { target } = event;
  if (!(target instanceof HTMLFormElement) || target.method !== 'post') return;
  target.target = '_blank';
  event.stopImmediatePropagation();
}

/** Throws for other addresses, so that the router loads the whole document, which the Content-Security-Policy blocks. */
function guardHistory(frame: Window): void {
  const { history } = frame;
  for (const name of ['pushState', 'replaceState'] as const) {
    const original = history[name].bind(history);
    history[name] = (state: unknown, title: string, to?: string | URL | null) => {
      if (to !== undefined && to !== null && !isEmbeddable(new URL(to, frame.location.href)))
        throw new Error('Only the public view of a gallery can be shown in a frame.');
      original(state, title, to);
    };
  }
}

function cartOf(frame: Window) {
  try {
    return parseCart(frame.localStorage.getItem(CART_KEY));
  } catch {
    // Storage is forbidden here.
    return [];
  }
}
