/**
 * A platform admin ticks off orders that agree with the bank. Who did it and when stays with the order and in the audit log. The mark
 * moves no money: payouts neither need it nor set it.
 */
import { requirePlatformAdmin, requireUser, type Caller } from '#src/features/tenancy/actor.rules.ts';
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import * as orderMarksSql from '#src/features/admin-reports/reconciled-orders.sql.ts';
import { ORDER_NOT_FOUND } from '#src/features/orders/orders.contract.ts';
import type { AdminReportRow } from '#src/features/admin-reports/admin-report.contract.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { Database } from '#src/platform/db/db.ts';
import { bind } from '#src/shared/bind.ts';
import { notFound } from '#src/shared/problem.ts';

const MARKS = { kind: 'system', why: 'platform admins mark orders of every organization' } as const;

export type OrderMarkDeps = {
  database: Database;
  clock: Clock;
  audit: AuditRecorder;
  /** The order as the platform's report has it. */
  rowOf: (caller: Caller, sellerId: number, orderId: number) => Promise<AdminReportRow | null>;
};
export type OrderMarks = ReturnType<typeof createOrderMarks>;

/**
 * Marks a sold order as reconciled or takes the mark away; the same twice changes nothing. Returns its row of the report.
 * @throws unauthenticated; forbidden; not_found
 */
export async function mark(
  ctx: OrderMarkDeps,
  caller: Caller,
  orderId: number,
  { reconciled }: { reconciled: boolean },
): Promise<AdminReportRow> {
  requirePlatformAdmin(caller.actor);
  const { userId } = requireUser(caller.actor);
  const sellerId = await ctx.database.write(MARKS, async (tx) => {
    const marked = await orderMarksSql.markOrder(tx, { orderId, reconciled, userId, at: ctx.clock.now() });
    if (!marked) throw notFound(ORDER_NOT_FOUND);
    if (marked.changed)
      await ctx.audit.record(tx, {
        actorId: userId,
        organizationId: marked.organizationId,
        action: reconciled ? 'order.reconciled' : 'order.reconciliation_undone',
        objectType: 'order',
        objectId: String(orderId),
        ip: caller.ip,
      });
    return marked.organizationId;
  });
  const row = await ctx.rowOf(caller, sellerId, orderId);
  if (!row) throw notFound(ORDER_NOT_FOUND);
  return row;
}

export const createOrderMarks = (deps: OrderMarkDeps) => bind(deps, { mark });
