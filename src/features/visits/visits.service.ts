/**
 * Counts how often galleries are opened. A visitor's browser reports it once for each tab and gallery; only a number
 * per day is stored, and nothing about the visitor. Members and robots do not count. Loading a page writes nothing.
 */
import { isbot } from 'isbot';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import type { OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import * as visitsSql from '#src/features/visits/visits.sql.ts';
import { tenantScope } from '#src/platform/db/db.ts';
import { mayTake } from '#src/platform/limits/rate-limits.ts';
import type { Platform } from '#src/platform/platform.ts';
import { machineDay } from '#src/shared/dates.ts';
import { bind } from '#src/shared/bind.ts';
import { notFound } from '#src/shared/problem.ts';

type VisitDeps = Pick<Platform, 'database' | 'clock' | 'memoryLimits'> & {
  galleries: Pick<GalleryService, 'view' | 'ownGallery'>;
  organizations: Pick<OrganizationService, 'byId'>;
};
export type VisitService = ReturnType<typeof createVisitService>;

/** From one address; a school's visitors share one. */
const VISITS_A_MINUTE = 120;

/** Whether someone who is not a member has opened a gallery. @throws unauthenticated; not_found for galleries of others */
export async function wasVisited(ctx: VisitDeps, caller: Caller, galleryId: number): Promise<boolean> {
  const { organizationId } = await ctx.galleries.ownGallery(caller, galleryId);
  return ctx.database.read(tenantScope(organizationId), (db) => visitsSql.hasVisits(db, galleryId));
}

/** Counts a visit of a gallery that is open to the caller. @throws not_found */
export async function count(ctx: VisitDeps, caller: Caller, galleryId: number, userAgent: string = ''): Promise<void> {
  const { gallery, editor, locked } = await ctx.galleries.view(caller, galleryId);
  if (!gallery.active) throw notFound();
  if (editor || locked || userAgent === '' || isbot(userAgent)) return;
  // A visit over the limit is ignored without an error.
  if (!(await mayTake(ctx.memoryLimits, { bucket: `visit:${caller.ip}`, limit: VISITS_A_MINUTE, windowSeconds: 60 })))
    return;
  const owner = await ctx.organizations.byId(gallery.organizationId);
  if (!owner) throw notFound();
  const day = machineDay(ctx.clock.now(), owner.timeZone);
  await ctx.database.write(tenantScope(owner.id), (tx) =>
    visitsSql.addVisit(tx, { organizationId: owner.id, galleryId: gallery.id, day }),
  );
}

export const createVisitService = (deps: VisitDeps) => bind(deps, { wasVisited, count });
