/** Balances from all entries of the ledger, which the product itself reads from its stored sums. */
import type { AccountKind } from '#src/features/ledger/ledger.rules.ts';
import type { TestDatabase } from '#tests/support/test-database.ts';

/** + debit, - credit, in cents; of the platform's own account with null. */
export async function balanceOf(
  db: Pick<TestDatabase, 'ownerQuery'>,
  kind: AccountKind,
  organizationId: number | null,
): Promise<number> {
  const [row] = await db.ownerQuery<{ cents: string }>(
    `select coalesce(sum(e.amount_cents), 0) as cents
       from ledger_accounts a join ledger_entries e on e.account_id = a.id
      where a.kind = $1 and a.organization_id is not distinct from $2`,
    [kind, organizationId],
  );
  return Number(row?.cents);
}

/** What the platform owes an organization; negative after refunds that exceed its sales. */
export const owedTo = async (db: Pick<TestDatabase, 'ownerQuery'>, organizationId: number): Promise<number> =>
  0 - (await balanceOf(db, 'org_payable', organizationId));
