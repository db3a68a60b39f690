/**
 * An organization owes us something: our share of sales over its own card account, or what refunds took beyond its sales. It pays an
 * invoice, a platform admin books that by its reference, and nothing is owed any more. What is owed is settled as a whole.
 */
import { requirePlatformAdmin, requireUser, type Caller } from '#src/features/tenancy/actor.rules.ts';
import type { AccountService } from '#src/features/accounts/accounts.service.ts';
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import type { LedgerService } from '#src/features/ledger/ledger.service.ts';
import { ORGANIZATION_NOT_FOUND } from '#src/features/tenancy/organizations.contract.ts';
import type { OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import {
  asDollars,
  DEBT_HAS_CHANGED,
  NOTHING_OWED,
  SETTLED_WITH_OTHER_AMOUNT,
  type SettleBody,
  type SettlementAnswer,
} from '#src/features/payouts/payouts.contract.ts';
import * as settlementsSql from '#src/features/payouts/settlements.sql.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { Database } from '#src/platform/db/db.ts';
import { bind } from '#src/shared/bind.ts';
import { notFound, problem } from '#src/shared/problem.ts';

const OFFICE = { kind: 'system', why: 'platform admins settle what any organization owes' } as const;

export type SettlementDeps = {
  database: Database;
  clock: Clock;
  organizations: Pick<OrganizationService, 'byId'>;
  ledger: Pick<LedgerService, 'lockPayables' | 'debtOf' | 'postSettlement'>;
  accounts: Pick<AccountService, 'requireRecentPassword'>;
  audit: AuditRecorder;
};

const present = (row: settlementsSql.SettlementRow): SettlementAnswer => ({
  id: row.id,
  organization_id: row.organizationId,
  amount: asDollars(row.amountCents),
  reference: row.reference,
});

/**
 * Books that an organization has paid what it owes. The same reference and amount again is the same settlement.
 * @throws unauthenticated, also "Please confirm your password."; forbidden; not_found; conflict when nothing, or another amount than the
 *   admin saw, is owed by now, or when the reference stands for another amount
 */
export async function settle(ctx: SettlementDeps, caller: Caller, body: SettleBody): Promise<SettlementAnswer> {
  requirePlatformAdmin(caller.actor);
  const user = requireUser(caller.actor);
  ctx.accounts.requireRecentPassword(user);
  const { organization_id: organizationId, amount: amountCents, reference } = body;
  if (!(await ctx.organizations.byId(organizationId))) throw notFound(ORGANIZATION_NOT_FOUND);
  return ctx.database.write(OFFICE, async (tx) => {
    // Two presses, or a press and a payout, come one after the other.
    await ctx.ledger.lockPayables(tx, [organizationId]);
    const earlier = await settlementsSql.findSettlement(tx, organizationId, reference);
    if (earlier && earlier.amountCents !== amountCents) throw problem('conflict', SETTLED_WITH_OTHER_AMOUNT);
    if (earlier) return present(earlier);
    const debt = await ctx.ledger.debtOf(tx, organizationId);
    const owedCents = debt.shareCents + debt.debtCents;
    if (owedCents === 0) throw problem('conflict', NOTHING_OWED);
    if (owedCents !== amountCents)
      throw problem('conflict', DEBT_HAS_CHANGED, { extra: { amount: asDollars(owedCents) } });
    const at = ctx.clock.now();
    const { shareCents, debtCents } = debt;
    const written = { organizationId, shareCents, debtCents, reference, createdBy: user.userId, at };
    const id = await settlementsSql.insertSettlement(tx, written);
    await ctx.ledger.postSettlement(tx, { ...debt, id }, at);
    await ctx.audit.record(tx, {
      actorId: user.userId,
      organizationId,
      action: 'debt.settled',
      objectType: 'settlement',
      objectId: String(id),
      details: { amount_cents: amountCents, share_cents: shareCents },
      ip: caller.ip,
    });
    return present({ id, organizationId, amountCents, reference });
  });
}

export const createSettlements = (deps: SettlementDeps) => bind(deps, { settle });
