/**
 * Finds an affiliate by its path below a parent and returns it with its galleries. Visitors see listed galleries, members all
 * active ones and sales.
 */
import { mayEdit, type Caller } from '#src/features/tenancy/actor.rules.ts';
import type { GalleryListService } from '#src/features/home/gallery-lists.service.ts';
import { AFFILIATE_NOT_FOUND, MAX_LISTED_GALLERIES } from '#src/features/settings/affiliates.contract.ts';
import { presentOrganization, ROOT_ID, type Organization } from '#src/features/tenancy/organizations.rules.ts';
import type { OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import type { SettingsService } from '#src/features/settings/settings.service.ts';
import type { ReportService } from '#src/features/reports/reports.service.ts';
import { bind } from '#src/shared/bind.ts';
import { notFound } from '#src/shared/problem.ts';

export type AffiliateService = ReturnType<typeof createAffiliateService>;

type AffiliateDeps = {
  organizations: OrganizationService;
  galleryLists: Pick<GalleryListService, 'listForOrganization'>;
  settings: Pick<SettingsService, 'read'>;
  reports: Pick<ReportService, 'statsFor'>;
};

async function find(ctx: AffiliateDeps, domainName: string, parentId: number): Promise<Organization> {
  const parent = await ctx.organizations.byId(parentId);
  const affiliate = parent ? await ctx.organizations.byPath(parent, domainName) : null;
  if (!affiliate) throw notFound(AFFILIATE_NOT_FOUND);
  return affiliate;
}

/**
 * The affiliate by its path below the organization `orgId` (aliases are followed, rule 34); a parent by its own name and id.
 * Members also get its settings. `after`: from which gallery on, `galleries_next` of the answer before.
 * @throws not_found; invalid for an unknown `after`
 */
export async function read(
  ctx: AffiliateDeps,
  caller: Caller,
  domainName: string,
  { orgId, after = null }: { orgId: number | null; after?: string | null },
) {
  const affiliate = await find(ctx, domainName, orgId ?? ROOT_ID);
  const owned = {
    id: affiliate.id,
    organizationId: affiliate.id,
    parentOrganizationId: affiliate.parentOrganizationId,
  };
  const [facts, parent, listed, stats] = await Promise.all([
    mayEdit(caller.actor, owned) ? ctx.settings.read(caller, affiliate.id) : presentOrganization(affiliate),
    affiliate.parentOrganizationId === null ? null : ctx.organizations.byId(affiliate.parentOrganizationId),
    ctx.galleryLists.listForOrganization(caller, owned, { limit: MAX_LISTED_GALLERIES, after }),
    ctx.reports.statsFor(caller, affiliate),
  ]);
  return {
    ...facts,
    parent_organization: parent ? presentOrganization(parent) : null,
    galleries: listed.galleries,
    galleries_next: listed.next,
    ...stats,
  };
}

export const createAffiliateService = (deps: AffiliateDeps) => bind(deps, { read });
