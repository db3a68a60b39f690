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
  if (!place.isChild || !organization.freeTier)
    return { ...place, mayWork: true, isFull: false, openRequests, asAdmin };
  const { total } = await app.galleryLists.listForOrganization(caller, owner, { limit: 1 });
  return {
    ...place,
    mayWork: true,
    isFull: !mayHaveAnotherGallery(organization.freeTier, total),
    openRequests,
    asAdmin,
  };
}

/** Whether a page offers "New Gallery": on a child affiliate, unless it is free and has a gallery. */
export async function mayCreateGallery(context: Context, organization: Organization): Promise<boolean> {
  const { isChild: isBelow, mayWork, isFull } = await navAffiliate(context, organization);
  return isBelow && mayWork && !isFull;
}
