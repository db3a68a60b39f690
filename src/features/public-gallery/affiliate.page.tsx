/** The frame of every page below `/:affiliate`; its child is the screen. */
import { Outlet, useMatches } from 'react-router';
import { CartBar } from '#src/features/cart/ui/cart-bar.tsx';
import { findAffiliate } from '#src/web/affiliate-context.ts';
import { loadAffiliate } from '#src/web/affiliate.ts';
import { hidesCart, layoutOf, type RouteHandle } from '#src/web/route-handle.ts';
import { unlessWithinGallery } from '#src/web/within-gallery.ts';
import type { Route } from './+types/affiliate.page.ts';

export const handle: RouteHandle = { layout: 'affiliate' };

export const middleware: Route.MiddlewareFunction[] = [findAffiliate];

export function loader({ context }: Route.LoaderArgs) {
  return loadAffiliate(context);
}

export const shouldRevalidate = unlessWithinGallery;

export default function AffiliatePage() {
  const matches = useMatches();
  // On working pages of a phone the bottom is for tabs.
  const hasCart = !hidesCart(matches) && layoutOf(matches) === 'affiliate';
  return (
    <>
      <Outlet />
      {hasCart && <CartBar />}
    </>
  );
}
