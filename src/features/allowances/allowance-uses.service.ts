/**
 * Photos that are included with registration, in an order. What is left is read when a cart is priced. Photos are
 * reserved under the allowance's lock in the transaction that stores the order, and the database releases them in the
 * statement that fails the order (migration 0122), like coupons (decision record 0093).
 */
import { INCLUDED_USED } from '#src/features/allowances/allowances.contract.ts';
import * as usesSql from '#src/features/allowances/allowance-uses.sql.ts';
import type { IncludedPhotos } from '#src/features/offers/price-question.rules.ts';
import { tenantOf, type Database, type Writer } from '#src/platform/db/db.ts';
import { bind } from '#src/shared/bind.ts';
import { problem } from '#src/shared/problem.ts';

export type AllowanceUses = ReturnType<typeof createAllowanceUses>;
type AllowanceUseDeps = { database: Database };

/**
 * What is left for these children of the seller, in the order of use: allowances for one price sheet first, then those
 * that end first.
 */
export async function ofChildren(
  ctx: AllowanceUseDeps,
  organizationId: number,
  children: readonly { athleteId: number }[],
  today: string,
): Promise<IncludedPhotos[]> {
  if (children.length === 0) return [];
  const ids = children.map(({ athleteId }) => athleteId);
  return ctx.database.read(tenantOf({ organizationId }), (db) => usesSql.listLeft(db, ids, today));
}

type AllowanceUse = { allowanceId: number; photos: number };

/**
 * Reserves photos for an order, in the transaction that has just written it as pending, or as paid where it costs
 * nothing.
 * @throws conflict when another order has used them meanwhile
 */
export async function reserve(tx: Writer, { orderId, uses }: { orderId: number; uses: readonly AllowanceUse[] }) {
  if (uses.length === 0) return;
  await requireLeft(tx, uses);
  await usesSql.insertUses(tx, orderId, uses);
}

/**
 * Reserves the photos of a failed order again, in the transaction that has just reopened it for another card.
 * @throws as `reserve`
 */
export async function reserveAgain(tx: Writer, orderId: number): Promise<void> {
  const uses = await usesSql.listReleased(tx, orderId);
  if (uses.length === 0) return;
  await requireLeft(tx, uses);
  await usesSql.reserveAgain(tx, orderId);
}

async function requireLeft(tx: Writer, uses: readonly AllowanceUse[]): Promise<void> {
  const ids = uses.map(({ allowanceId }) => allowanceId);
  await usesSql.lockAllowances(tx, ids);
  if (!(await usesSql.areLeft(tx, uses))) throw problem('conflict', INCLUDED_USED);
}

export const createAllowanceUses = (deps: AllowanceUseDeps) => ({
  reserve,
  reserveAgain,
  ...bind(deps, { ofChildren }),
});
