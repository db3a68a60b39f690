/**
 * Members of an organization create, change and end codes for their buyers, and see what each has sold. A coupon is
 * locked while it changes, so that a simultaneous order is counted either before or after.
 */
import { randomInt } from 'node:crypto';
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import * as words from '#src/features/coupons/coupon-editing.contract.ts';
import type {
  CouponAnswer,
  CouponChanges,
  CouponsPage,
  NewCoupon,
} from '#src/features/coupons/coupon-editing.contract.ts';
import {
  planOf,
  presentCoupon,
  problemsOf,
  type CouponPlan,
  type CouponRow,
} from '#src/features/coupons/coupon-editing.rules.ts';
import { lockCoupon } from '#src/features/coupons/coupon-uses.sql.ts';
import { makeUpCode } from '#src/features/coupons/coupons.rules.ts';
import * as couponsSql from '#src/features/coupons/coupons.sql.ts';
import { requireUser, type Caller } from '#src/features/tenancy/actor.rules.ts';
import type { Organization } from '#src/features/tenancy/organizations.rules.ts';
import { editedByPerson, type OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { tenantScope, type Reader, type Writer } from '#src/platform/db/db.ts';
import type { Platform } from '#src/platform/platform.ts';
import { bind } from '#src/shared/bind.ts';
import { machineDay, DAY_SECONDS } from '#src/shared/dates.ts';
import { pageOf, type PageQuery } from '#src/shared/paging.ts';
import { brokenConstraint, fieldProblem, notFound, problem, refuseFields } from '#src/shared/problem.ts';

/** A generated code is rarely taken; five in a row do not happen. */
const TRIES = 5;
const COUPONS_A_DAY = 500;

export type CouponService = ReturnType<typeof createCoupons>;
type CouponDeps = Pick<Platform, 'database' | 'clock' | 'limits'> & {
  organizations: Pick<OrganizationService, 'byId'>;
  audit: AuditRecorder;
};

async function one(db: Reader, owner: Organization, id: number): Promise<CouponRow> {
  const row = await couponsSql.findCoupon(db, owner.id, id);
  if (!row) throw notFound(words.COUPON_NOT_FOUND);
  return row;
}

/** Locks first, so that what is read afterwards stays true. */
async function locked(tx: Writer, owner: Organization, id: number): Promise<CouponRow> {
  await lockCoupon(tx, id);
  return one(tx, owner, id);
}

const shown = (ctx: CouponDeps, row: CouponRow): CouponAnswer => presentCoupon(row, ctx.clock.now());

/** What the activity log stores of a coupon, in the units of the API. */
function detailsOf(coupon: CouponAnswer) {
  const { code, kind, value, max_uses, max_per_person, minimum, first_day, last_day, gallery_ids, sheet_ids } = coupon;
  return { code, kind, value, max_uses, max_per_person, minimum, first_day, last_day, gallery_ids, sheet_ids };
}

function record(
  ctx: CouponDeps,
  tx: Writer,
  caller: Caller,
  owner: Organization,
  action: string,
  coupon: CouponAnswer,
  details: object,
) {
  return ctx.audit.record(tx, caller, {
    action: `coupon.${action}`,
    organizationId: owner.id,
    object: ['coupon', coupon.id],
    details: { code: coupon.code, ...details },
  });
}

/** Newest first, including ended ones. @throws unauthenticated; not_found for other organizations */
export async function list(
  ctx: CouponDeps,
  caller: Caller,
  organizationId: number,
  { after, limit = words.COUPONS_PER_PAGE }: PageQuery = {},
): Promise<CouponsPage> {
  const owner = await editedByPerson(ctx.organizations, caller, organizationId);
  const rows = await ctx.database.read(tenantScope(owner.id), (db) =>
    couponsSql.listCoupons(db, owner.id, { after: after ?? null, limit: limit + 1 }),
  );
  const { shown: page, next } = pageOf(rows, limit);
  return { coupons: page.map((row) => shown(ctx, row)), next };
}

/** @throws unauthenticated; not_found for other organizations */
export async function read(ctx: CouponDeps, caller: Caller, organizationId: number, id: number) {
  const owner = await editedByPerson(ctx.organizations, caller, organizationId);
  return shown(ctx, await ctx.database.read(tenantScope(owner.id), (db) => one(db, owner, id)));
}

/**
 * What a code can be limited to: the newest galleries, and price sheets.
 * @throws unauthenticated; not_found for other organizations
 */
export async function choices(ctx: CouponDeps, caller: Caller, organizationId: number) {
  const owner = await editedByPerson(ctx.organizations, caller, organizationId);
  return ctx.database.read(tenantScope(owner.id), async (db) => ({
    galleries: await couponsSql.listGalleries(db, owner.id, words.MAX_CHOSEN),
    sheets: await couponsSql.listSheets(db, owner, words.MAX_CHOSEN),
  }));
}

/** The plan, if it has no problems. @throws invalid with the problems of all fields */
async function requirePlan(
  ctx: CouponDeps,
  db: Reader,
  owner: Organization,
  plan: ReturnType<typeof planOf>,
  { before, codeProblem }: { before: CouponRow | null; codeProblem: boolean },
): Promise<CouponPlan> {
  const errors = problemsOf(plan, { today: machineDay(ctx.clock.now(), owner.timeZone), before });
  // Only newly chosen ones are checked: a gallery may have been deleted since.
  const foreign = await couponsSql.findForeign(db, owner, {
    galleryIds: String(plan.galleryIds) === String(before?.galleryIds) ? null : plan.galleryIds,
    sheetIds: String(plan.sheetIds) === String(before?.sheetIds) ? null : plan.sheetIds,
  });
  if (foreign.galleries) errors['gallery_ids'] = [words.GALLERIES_NOT_VALID];
  if (foreign.sheets) errors['sheet_ids'] = [words.SHEETS_NOT_VALID];
  if (codeProblem) errors['code'] = [words.CODE_TAKEN];
  refuseFields(errors);
  return plan as CouponPlan;
}

/**
 * @throws unauthenticated; not_found for other organizations; invalid; conflict when the organization has the maximum;
 * too_many
 */
export async function make(
  ctx: CouponDeps,
  caller: Caller,
  organizationId: number,
  fresh: NewCoupon,
): Promise<CouponAnswer> {
  const { userId: createdBy } = requireUser(caller.actor);
  const owner = await editedByPerson(ctx.organizations, caller, organizationId);
  await ctx.limits.take({ bucket: `coupons:${owner.id}`, limit: COUPONS_A_DAY, windowSeconds: DAY_SECONDS });
  return ctx.database.write(tenantScope(owner.id), async (tx) => {
    const live = await couponsSql.countLive(tx, owner.id);
    const given = fresh.code ?? null;
    const codeProblem = given !== null && (await couponsSql.hasCode(tx, owner.id, { id: 0, code: given }));
    const plan = await requirePlan(ctx, tx, owner, planOf(null, fresh), { before: null, codeProblem });
    if (live >= words.MAX_COUPONS) throw problem('conflict', words.TOO_MANY_COUPONS);
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const code = { code: given ?? makeUpCode(randomInt), isMadeUp: given === null };
      const id = await couponsSql.insertCoupon(tx, { organizationId: owner.id, createdBy, ...code }, plan);
      if (id === null && given !== null) throw fieldProblem({ code: [words.CODE_TAKEN] });
      if (id === null) continue;
      const made = shown(ctx, await one(tx, owner, id));
      await record(ctx, tx, caller, owner, 'made', made, detailsOf(made));
      return made;
    }
    throw new Error('five made-up codes were taken');
  });
}

/** Changes the given fields for future orders. @throws unauthenticated; not_found; conflict for one that has ended; invalid */
export async function change(
  ctx: CouponDeps,
  caller: Caller,
  place: { organizationId: number; id: number },
  changes: CouponChanges,
): Promise<CouponAnswer> {
  const owner = await editedByPerson(ctx.organizations, caller, place.organizationId);
  const write = async (tx: Writer) => {
    const before = await locked(tx, owner, place.id);
    if (before.endedAt !== null) throw problem('conflict', words.COUPON_HAS_ENDED);
    const code = typeof changes.code === 'string' && changes.code !== before.code ? changes.code : null;
    const codeProblem = code !== null && (await couponsSql.hasCode(tx, owner.id, { id: before.id, code }));
    const plan = await requirePlan(ctx, tx, owner, planOf(before, changes), { before, codeProblem });
    await couponsSql.updateCoupon(tx, before.id, plan, code === null ? null : { code, isMadeUp: false });
    const was = shown(ctx, before);
    const now = shown(ctx, await one(tx, owner, before.id));
    await record(ctx, tx, caller, owner, 'changed', now, { before: detailsOf(was), after: detailsOf(now) });
    return now;
  };
  try {
    return await ctx.database.write(tenantScope(owner.id), write);
  } catch (error) {
    // Two requests wanted the same code.
    throw brokenConstraint(error) === null ? error : fieldProblem({ code: [words.CODE_TAKEN] });
  }
}

/**
 * Ends a code immediately; orders that already use it keep it. Ending it again changes nothing.
 * @throws unauthenticated; not_found
 */
export async function end(ctx: CouponDeps, caller: Caller, organizationId: number, id: number): Promise<CouponAnswer> {
  const owner = await editedByPerson(ctx.organizations, caller, organizationId);
  return ctx.database.write(tenantScope(owner.id), async (tx) => {
    const before = await locked(tx, owner, id);
    if (before.endedAt !== null) return shown(ctx, before);
    await couponsSql.endCoupon(tx, id, ctx.clock.now());
    const ended = shown(ctx, await one(tx, owner, id));
    await record(ctx, tx, caller, owner, 'ended', ended, { uses: ended.uses });
    return ended;
  });
}

export const createCoupons = (deps: CouponDeps) => bind(deps, { list, read, choices, make, change, end });
