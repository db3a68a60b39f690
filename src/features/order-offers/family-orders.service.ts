/**
 * A club can say that an order is not from a child's family: photos that the family withdraws are then withdrawn from
 * its buyer, too.
 */
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import * as words from '#src/features/order-offers/family-orders.contract.ts';
import * as ordersSql from '#src/features/order-offers/family-orders.sql.ts';
import { requireUser, type Caller } from '#src/features/tenancy/actor.rules.ts';
import { editedBy, type OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import type { Database } from '#src/platform/db/db.ts';
import { bind } from '#src/shared/bind.ts';
import { toDollars } from '#src/shared/money.ts';
import { notFound } from '#src/shared/problem.ts';

const MEMBERS = {
  kind: 'system',
  why: 'the athlete’s organization is looked up before access is known; orders are searched across sellers, and only this seller’s are returned',
} as const;

type FamilyOrderDeps = {
  database: Database;
  organizations: Pick<OrganizationService, 'byId'>;
  audit: AuditRecorder;
};
export type FamilyOrderService = ReturnType<typeof createFamilyOrders>;

async function ownerOf(ctx: FamilyOrderDeps, caller: Caller, athleteId: number): Promise<number> {
  requireUser(caller.actor);
  const id = await ctx.database.read(MEMBERS, (db) => ordersSql.findOwner(db, athleteId));
  if (id === null) throw notFound();
  return (await editedBy(ctx.organizations, caller, id)).id;
}

/** The newest fifty, without buyers. @throws unauthenticated; not_found */
export async function list(ctx: FamilyOrderDeps, caller: Caller, athleteId: number): Promise<words.FamilyOrders> {
  const organizationId = await ownerOf(ctx, caller, athleteId);
  const rows = await ctx.database.read(MEMBERS, (db) =>
    ordersSql.listOrders(db, { athleteId, organizationId }, words.ORDERS_SHOWN),
  );
  return {
    orders: rows.map((row) => ({
      id: row.id,
      sold_at: row.soldAt.toISOString(),
      total: toDollars(row.totalCents),
      of_family: row.ofFamily,
    })),
  };
}

/**
 * Marks an order as not from this family, or undoes that.
 * @throws unauthenticated; not_found, also for an order that is not listed
 */
export async function setFamilyOrder(
  ctx: FamilyOrderDeps,
  caller: Caller,
  { athleteId, orderId }: { athleteId: number; orderId: number },
  isFamilyOrder: boolean,
): Promise<words.FamilyOrders> {
  const organizationId = await ownerOf(ctx, caller, athleteId);
  const ref = { athleteId, organizationId, orderId };
  await ctx.database.write(MEMBERS, async (tx) => {
    const [known] = await ordersSql.listOrders(tx, ref, 1);
    if (!known) throw notFound(words.ORDER_OF_NO_FAMILY);
    if (known.ofFamily === isFamilyOrder) return;
    await ordersSql.decideOrder(tx, ref, isFamilyOrder);
    await ctx.audit.record(tx, caller, {
      action: isFamilyOrder ? 'order.of_family' : 'order.of_no_family',
      organizationId,
      object: ['order', orderId],
      details: { athlete_id: athleteId },
    });
  });
  return list(ctx, caller, athleteId);
}

export const createFamilyOrders = (deps: FamilyOrderDeps) => bind(deps, { list, setFamilyOrder });
