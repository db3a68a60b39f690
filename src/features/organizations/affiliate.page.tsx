/** The frame of every page below `/:affiliate`; its child is the screen. */
import { Outlet } from 'react-router';
import { findAffiliate } from '#src/web/affiliate-context.ts';
import { loadAffiliate } from '#src/web/affiliate.ts';
import type { RouteHandle } from '#src/web/route-handle.ts';
import type { Route } from './+types/affiliate.page.ts';

export const handle: RouteHandle = { layout: 'affiliate' };

export const middleware: Route.MiddlewareFunction[] = [findAffiliate];

export function loader({ context }: Route.LoaderArgs) {
  return loadAffiliate(context);
}

export default function AffiliatePage() {
  return <Outlet />;
}
