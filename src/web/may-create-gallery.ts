/** Whether a page offers "New Gallery" (specification P§2.4): on a child affiliate, unless it is free and has a gallery. */
import type { RouterContextProvider } from 'react-router';
import { mayEdit } from '#src/features/accounts/actor.rules.ts';
import { mayHaveAnotherGallery } from '#src/features/galleries/galleries.rules.ts';
import { isChild, type Organization } from '#src/features/organizations/organizations.rules.ts';
import { requestContext } from '#src/web/app-context.ts';

/** Galleries are counted only for free plans; everybody else has no limit. */
export async function mayCreateGallery(
  context: Readonly<RouterContextProvider>,
  organization: Organization,
): Promise<boolean> {
  const { app, caller } = context.get(requestContext);
  const owner = { organizationId: organization.id, parentOrganizationId: organization.parentOrganizationId };
  if (!isChild(organization) || !mayEdit(caller.actor, owner)) return false;
  if (!organization.freeTier) return true;
  const { total } = await app.galleries.listForOrganization(caller, owner, { limit: 1 });
  return mayHaveAnotherGallery(organization.freeTier, total);
}
