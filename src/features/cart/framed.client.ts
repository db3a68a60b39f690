/**
 * Inside someone else's page (an embedded gallery, rule 41). The policy's `frame-ancestors` keeps every other document
 * out of the frame; this keeps our own router from drawing other pages into the document that is there. Whatever is not the
 * public view opens in its own tab. Browsers give a frame its own storage: the cart goes along in the address.
 */
import { CART_KEY, parseCart } from '#src/features/cart/cart.rules.ts';
import { withTaken } from '#src/features/cart/taken-photos.rules.ts';
import { isEmbeddable } from '#src/shared/embedding.ts';

/** Call once, before React listens. */
export function guardFrame(frame: Window & typeof globalThis): void {
  // On the window and while the event comes down: before React, which listens on the document.
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
  frame.open(url.pathname.endsWith('/checkout') ? withTaken(url, cartOf(frame)) : url, '_blank', 'noopener');
}

/** A gallery's password opens it for a tab: the browser takes no cookie from within a frame. */
function onSubmit(event: SubmitEvent): void {
  const { target } = event;
  if (!(target instanceof HTMLFormElement) || target.method !== 'post') return;
  target.target = '_blank';
  event.stopImmediatePropagation();
}

/** What is no link (a script that navigates): refused here, the router asks for the document instead, and the policy keeps that out. */
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
