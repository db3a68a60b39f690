/**
 * What a gallery did: its sales and donations, likes, votes and visits by day, and what sold best. For those who may edit
 * it; one gallery at a time.
 */
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import type { OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import * as gallerySql from '#src/features/reports/gallery-report.sql.ts';
import { presentGalleryReport } from '#src/features/reports/gallery-report.rules.ts';
import { BEST_SELLERS, STATS_DAYS, type GalleryReport } from '#src/features/reports/reports.contract.ts';
import { coveredBy } from '#src/features/reports/sales-days.rules.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { Database } from '#src/platform/db/db.ts';
import type { ConcurrencyLimit } from '#src/platform/limits/concurrency-limit.ts';
import { machineDay } from '#src/shared/dates.ts';
import { lastDays } from '#src/shared/day-range.ts';
import { bind } from '#src/shared/bind.ts';
import { notFound } from '#src/shared/problem.ts';

export type GalleryReportDeps = {
  database: Database;
  clock: Clock;
  galleries: Pick<GalleryService, 'ownedBy'>;
  organizations: Pick<OrganizationService, 'byId'>;
};

export type GalleryReportsDeps = GalleryReportDeps & { limit: ConcurrencyLimit };

/** The last 30 days, or all time. @throws unauthenticated; not_found; unavailable when too many reports are being made */
export async function ofGallery(
  ctx: GalleryReportsDeps,
  caller: Caller,
  galleryId: number,
  days: '30' | 'all',
): Promise<GalleryReport> {
  const gallery = await ctx.galleries.ownedBy(caller, galleryId);
  const owner = await ctx.organizations.byId(gallery.organizationId);
  if (!owner) throw notFound();
  const today = machineDay(ctx.clock.now(), owner.timeZone);
  const range = days === 'all' ? null : lastDays(today, STATS_DAYS);
  const filter = { organizationIds: [owner.id], range, timeZone: owner.timeZone, galleryId: gallery.id };
  const found = await ctx.limit.run(() =>
    ctx.database.read({ kind: 'tenants', organizationIds: [owner.id] }, async (db) => ({
      days: await gallerySql.listGalleryDays(db, filter),
      bestSellers: await gallerySql.listBestSellers(db, filter, BEST_SELLERS),
    })),
  );
  return presentGalleryReport(gallery, found, range ?? coveredBy(found.days, today));
}

export const createGalleryReports = (deps: GalleryReportsDeps) => bind(deps, { ofGallery });
