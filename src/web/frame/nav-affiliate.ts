/**
 * What the navigation bar and the dashboard ask about an affiliate: may this viewer edit it, and may it have another
 * gallery (specification P§2.4)?
 */
import type { RouterContextProvider } from 'react-router';
import { belongsTo, isPlatformAdmin, mayEdit } from '#src/features/tenancy/actor.rules.ts';
import { mayHaveAnotherGallery } from '#src/features/tenancy/plans.rules.ts';
import { isChild, type Organization } from '#src/features/tenancy/organizations.rules.ts';
import { requestContext } from '#src/web/app-context.ts';
import type { NavAffiliate } from '#src/web/navigation.ts';

type Context = Readonly<RouterContextProvider>;

/** Galleries are counted only for free plans; all other plans have no limit. */
export async function navAffiliate(context: Context, organization: Organization): Promise<NavAffiliate> {
  const { app, caller } = context.get(requestContext);
  const owner = { organizationId: organization.id, parentOrganizationId: organization.parentOrganizationId };
  const place = { domainName: organization.domainName, isChild: isChild(organization) };
  // Of a deleted one only receipts remain (rule 26).
  const isOpen = mayEdit(caller.actor, owner) && (await app.organizations.byId(organization.id)) !== null;
  if (!isOpen) return { ...place, mayWork: false, isFull: false };
  const asAdmin = isPlatformAdmin(caller.actor) && !belongsTo(caller.actor, owner);
  const openRequests = await app.takedowns.countOpen(caller, organization.id);
  const open = { ...place, mayWork: true, openRequests, asAdmin, parentPath: parentPathOf(context, organization) };
  if (!place.isChild || !organization.freeTier) return { ...open, isFull: false };
  const { total } = await app.galleryLists.listForOrganization(caller, owner, { limit: 1 });
  return { ...open, isFull: !mayHaveAnotherGallery(organization.freeTier, total) };
}

/**
 * Where a member of the parent finds all of its organizations; platform admins have a page of their own. An affiliate's pages
 * are on its parent's host.
 */
function parentPathOf(context: Context, organization: Organization): string | undefined {
  const { caller, tenant } = context.get(requestContext);
  const parent = isChild(organization) ? tenant.organization : organization;
  if (isPlatformAdmin(caller.actor) || (isChild(organization) && organization.parentOrganizationId !== parent.id))
    return undefined;
  const isMember = belongsTo(caller.actor, { organizationId: parent.id, parentOrganizationId: null });
  return isMember ? parent.domainName : undefined;
}

/** Whether a page offers "New Gallery": on a child affiliate, unless it is free and has a gallery. */
export async function mayCreateGallery(context: Context, organization: Organization): Promise<boolean> {
  const { isChild: isBelow, mayWork, isFull } = await navAffiliate(context, organization);
  return isBelow && mayWork && !isFull;
}
