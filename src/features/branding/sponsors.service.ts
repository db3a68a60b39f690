/**
 * A club thanks its sponsor with a banner, and can tell the sponsor how often it was seen and clicked. Visitors' views and
 * clicks are counted by day and position; nothing about the visitor is stored. Members and robots do not count.
 */
import { isbot } from 'isbot';
import { mayEdit, type Caller } from '#src/features/tenancy/actor.rules.ts';
import type { Organization } from '#src/features/tenancy/organizations.rules.ts';
import { editedBy, type OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { SPONSOR_PICTURES, type SponsorCount, type SponsorSlot } from '#src/features/branding/sponsors.contract.ts';
import { sponsorLink } from '#src/features/branding/sponsors.rules.ts';
import * as sponsorsSql from '#src/features/branding/sponsors.sql.ts';
import { tenantScope } from '#src/platform/db/db.ts';
import type { Platform } from '#src/platform/platform.ts';
import { machineDay } from '#src/shared/dates.ts';
import { bind } from '#src/shared/bind.ts';
import { notFound } from '#src/shared/problem.ts';

type SponsorDeps = Pick<Platform, 'database' | 'clock' | 'memoryLimits'> & {
  organizations: Pick<OrganizationService, 'byId'>;
};
export type SponsorService = ReturnType<typeof createSponsorService>;

/** The banner, and the visitor's browser. */
type BannerOf = { organizationId: number; slot: SponsorSlot; userAgent: string | undefined };

/** Per address; a school's visitors share one. */
const BANNERS_A_MINUTE = 120;
/** Both positions over a year. */
const MOST_DAYS = 732;

async function ownerOf(ctx: SponsorDeps, organizationId: number): Promise<Organization> {
  const owner = await ctx.organizations.byId(organizationId);
  if (!owner) throw notFound();
  return owner;
}

async function count(
  ctx: SponsorDeps,
  caller: Caller,
  owner: Organization,
  banner: BannerOf,
  what: { impressions: 0 | 1; clicks: 0 | 1 },
): Promise<void> {
  const { userAgent = '', slot } = banner;
  const { id: organizationId, parentOrganizationId } = owner;
  const isMember = mayEdit(caller.actor, { organizationId, parentOrganizationId });
  if (userAgent === '' || isbot(userAgent) || isMember) return;
  ctx.memoryLimits.take({ bucket: `sponsor:${caller.ip}`, limit: BANNERS_A_MINUTE, windowSeconds: 60 });
  const day = machineDay(ctx.clock.now(), owner.timeZone);
  await ctx.database.write(tenantScope(organizationId), (tx) =>
    sponsorsSql.addCount(tx, { organizationId, slot, day, ...what }),
  );
}

/** A visitor saw the banner. @throws not_found without such a banner; too_many */
export async function countView(ctx: SponsorDeps, caller: Caller, banner: BannerOf): Promise<void> {
  const owner = await ownerOf(ctx, banner.organizationId);
  if (owner.pictureKeys[SPONSOR_PICTURES[banner.slot]] === null) throw notFound();
  await count(ctx, caller, owner, banner, { impressions: 1, clicks: 0 });
}

/** The target of a click: the stored web address and nothing else. @throws not_found without one */
export async function follow(ctx: SponsorDeps, caller: Caller, banner: BannerOf): Promise<string> {
  const owner = await ownerOf(ctx, banner.organizationId);
  const link = sponsorLink(banner.slot === 'tablet' ? owner.tabletAdUrl : owner.mobileAdUrl);
  if (link === null || owner.pictureKeys[SPONSOR_PICTURES[banner.slot]] === null) throw notFound();
  await count(ctx, caller, owner, banner, { impressions: 0, clicks: 1 });
  return link;
}

/** The counts, newest days first. @throws unauthenticated; not_found for other organizations */
export async function counts(ctx: SponsorDeps, caller: Caller, organizationId: number): Promise<SponsorCount[]> {
  const owner = await editedBy(ctx.organizations, caller, organizationId);
  return ctx.database.read(tenantScope(owner.id), (db) => sponsorsSql.listCounts(db, owner.id, MOST_DAYS));
}

export const createSponsorService = (deps: SponsorDeps) => bind(deps, { countView, follow, counts });
