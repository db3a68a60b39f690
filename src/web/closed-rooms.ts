/** Addresses of the specification that ask for a session (P§2.2), although their pages do not stand yet. */
import type { MiddlewareFunction, RouterContextProvider } from 'react-router';
import { requestContext } from '#src/web/app-context.ts';
import { requireUser } from '#src/web/guards.ts';

const FOR_USERS = /^\/[^/]+\/(?:bulk-gallery-csv|bulk-users-csv)\/?$/;

/** Who asks for such a room meets its guard first. @throws a redirect to the login */
export function guardClosedRooms(context: Readonly<RouterContextProvider>): void {
  const { pathname } = context.get(requestContext).url;
  if (FOR_USERS.test(pathname)) requireUser(context);
}

/** For `middleware`: `/new-org` looks like an affiliate as long as it has no page. */
export const closedRooms: MiddlewareFunction<Response> = ({ context }) => guardClosedRooms(context);
