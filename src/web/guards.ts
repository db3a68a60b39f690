/** Who may open a page (specification P§2.3). What they may see there is decided by the services. */
import { redirect, type MiddlewareFunction, type RouterContextProvider } from 'react-router';
import { isPlatformAdmin, type SignedIn } from '#src/features/tenancy/actor.rules.ts';
import { problem } from '#src/shared/problem.ts';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { choosePasswordAddress, loginAddress } from '#src/web/safe-redirect.ts';
import { OTHER_ACCOUNT } from '#src/web/words.ts';

type Context = Readonly<RouterContextProvider>;

/**
 * Guard 2: the signed-in user. @throws a redirect to the login that returns here, or to the choice of a password if
 * someone else chose the present one
 */
export function requireUser(context: Context): SignedIn {
  const { caller, url } = context.get(requestContext);
  if (caller.actor.kind !== 'user') throw redirect(loginAddress(url));
  if (caller.actor.mustChangePassword === true) throw redirect(choosePasswordAddress(url));
  return caller.actor;
}

/**
 * Guard 3, for pages below `/:affiliate` that need a session: a user who belongs neither to the affiliate nor to the
 * host's organization is logged out and sent home. Rule 10 limits it to these pages, so that no public link logs anyone
 * out; after a link from another site, which people may click without knowing where it leads, a page asks instead.
 * @throws a redirect; forbidden
 */
export async function requireMember(context: Context): Promise<SignedIn> {
  const user = requireUser(context);
  if (isPlatformAdmin(user)) return user;
  const { tenant, isOwnNavigation, endSession } = context.get(requestContext);
  const affiliate = context.get(affiliateContext);
  const belongs = user.memberships.some(
    ({ organizationId }) => organizationId === affiliate.id || organizationId === tenant.organization.id,
  );
  if (belongs) return user;
  if (!isOwnNavigation) throw problem('forbidden', OTHER_ACCOUNT);
  await endSession();
  throw redirect('/');
}

/** For a page's `middleware`: only members may enter. */
export const membersOnly: MiddlewareFunction<Response> = async ({ context }) => {
  await requireMember(context);
};

/** Only users with `role_id` 2 may enter; others see the 403 screen (rule 36). @throws forbidden */
export function requirePlatformAdmin(context: Context): void {
  if (!isPlatformAdmin(requireUser(context)))
    throw problem('forbidden', 'Only platform administrators can open this page.');
}

/** The same for a page's `middleware`. */
export const platformAdminsOnly: MiddlewareFunction<Response> = ({ context }) => requirePlatformAdmin(context);
