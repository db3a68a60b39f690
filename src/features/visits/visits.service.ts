/**
 * How often galleries are opened. A visitor's browser says so once for a tab and gallery; counted is a number per day, and nothing
 * of the visitor is kept. Members and robots do not count. Reading a page writes nothing.
 */
import { isbot } from 'isbot';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import type { OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import * as visitsSql from '#src/features/visits/visits.sql.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { Database } from '#src/platform/db/db.ts';
import type { MemoryLimits } from '#src/platform/limits/concurrency-limit.ts';
import { mayTake } from '#src/platform/limits/rate-limits.ts';
import { machineDay } from '#src/shared/dates.ts';
import { bind } from '#src/shared/bind.ts';
import { notFound } from '#src/shared/problem.ts';

export type VisitDeps = {
  database: Database;
  clock: Clock;
  memoryLimits: MemoryLimits;
  galleries: Pick<GalleryService, 'view' | 'ownGallery'>;
  organizations: Pick<OrganizationService, 'byId'>;
};
export type VisitService = ReturnType<typeof createVisitService>;

/** Of one address; a school's visitors share one. */
const COUNTED_A_MINUTE = 120;

/** Whether someone who is no member has looked at a gallery. @throws unauthenticated; not_found for others' galleries */
export async function wasVisited(ctx: VisitDeps, caller: Caller, galleryId: number): Promise<boolean> {
  const { organizationId } = await ctx.galleries.ownGallery(caller, galleryId);
  return ctx.database.read({ kind: 'tenants', organizationIds: [organizationId] }, (db) =>
    visitsSql.hasVisits(db, galleryId),
  );
}

/** Counts a visit of a gallery that stands open to the caller. @throws not_found */
export async function count(ctx: VisitDeps, caller: Caller, galleryId: number, userAgent: string = ''): Promise<void> {
  const { gallery, editor, locked } = await ctx.galleries.view(caller, galleryId);
  if (!gallery.active) throw notFound();
  if (editor || locked || userAgent === '' || isbot(userAgent)) return;
  // A page that counts its visit must not be troubled by a limit.
  if (!(await mayTake(ctx.memoryLimits, { bucket: `visit:${caller.ip}`, limit: COUNTED_A_MINUTE, windowSeconds: 60 })))
    return;
  const owner = await ctx.organizations.byId(gallery.organizationId);
  if (!owner) throw notFound();
  const day = machineDay(ctx.clock.now(), owner.timeZone);
  await ctx.database.write({ kind: 'tenants', organizationIds: [owner.id] }, (tx) =>
    visitsSql.addVisit(tx, { organizationId: owner.id, galleryId: gallery.id, day }),
  );
}

export const createVisitService = (deps: VisitDeps) => bind(deps, { wasVisited, count });
