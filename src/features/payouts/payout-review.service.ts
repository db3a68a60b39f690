/** What is due and what is held, for the module of payouts, which asks who may see it. */
import type { Debtor, OpenAccount } from '#src/features/payouts/ready-list.rules.ts';
import {
  listDebtors,
  listOwnAccounts,
  listReview,
  type OwnAccountRow,
} from '#src/features/payouts/payout-review.sql.ts';
import { bind } from '#src/shared/bind.ts';
import type { Database } from '#src/platform/db/db.ts';

const BOOKS = { kind: 'system', why: 'platform admins review what is due to every organization' } as const;
const OWN_ACCOUNTS_AT_MOST = 50;
const DEBTORS_AT_MOST = 100;

export type PayoutReview = ReturnType<typeof createPayoutReview>;

export type PayoutReviewDeps = { database: Database };

/** Of everyone, or of these organizations; orders paid until then are past their hold time. */
export function openAccounts(
  ctx: PayoutReviewDeps,
  paidUntil: Date,
  organizationIds: readonly number[] | null = null,
): Promise<OpenAccount[]> {
  return ctx.database.read(BOOKS, (db) => listReview(db, { paidUntil, organizationIds }));
}

/** Organizations whose sales never come to the platform, those with the most first. */
export function ownAccounts(ctx: PayoutReviewDeps): Promise<OwnAccountRow[]> {
  return ctx.database.read(BOOKS, (db) => listOwnAccounts(db, OWN_ACCOUNTS_AT_MOST));
}

/** Organizations that owe us something, those with the most first. */
export function debts(ctx: PayoutReviewDeps): Promise<Debtor[]> {
  return ctx.database.read(BOOKS, (db) => listDebtors(db, DEBTORS_AT_MOST));
}

export const createPayoutReview = (deps: PayoutReviewDeps) => bind(deps, { openAccounts, ownAccounts, debts });
