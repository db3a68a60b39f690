/** Tables of this room: ledger_accounts, ledger_txs, ledger_entries. Rows of the last two are only ever added. */
import { sql } from 'kysely';
import type { AccountKind, AccountName } from '#src/features/ledger/ledger.rules.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';
import { steady } from '#src/platform/db/steady.ts';

export type AccountRow = AccountName & { id: number };

/** Accounts of an organisation and the platform's own. */
export async function listAccounts(db: Reader, organizationId: number | null): Promise<AccountRow[]> {
  const rows = await db
    .selectFrom('ledger_accounts')
    .select(['id', 'kind', 'organization_id'])
    .where((eb) =>
      eb.or([
        eb('organization_id', 'is', null),
        ...(organizationId === null ? [] : [eb('organization_id', '=', organizationId)]),
      ]),
    )
    .execute();
  return rows.map((row) => ({ id: row.id, kind: row.kind, organizationId: row.organization_id }));
}

/** Opens accounts that are missing; those that somebody else has opened meanwhile stay as they are. */
export async function openAccounts(tx: Writer, accounts: readonly AccountName[]): Promise<void> {
  await tx
    .insertInto('ledger_accounts')
    .values(accounts.map(({ kind, organizationId }) => ({ kind, organization_id: organizationId })))
    .onConflict((conflict) => conflict.columns(['organization_id', 'kind', 'currency']).doNothing())
    .execute();
}

export type NewPosting = {
  kind:
    | 'sale'
    | 'own_account_sale'
    | 'fee_adjustment'
    | 'refund'
    | 'dispute_opened'
    | 'dispute_won'
    | 'dispute_lost'
    | 'account_payment'
    | 'account_refund';
  sourceType: 'order' | 'refund' | 'dispute' | 'account_payment';
  sourceId: string;
  postedAt: Date;
  orderId: number | null;
  entries: readonly { accountId: number; amountCents: number }[];
};

/** Writes a posting with its entries. A second one of the same kind and source is a unique violation (23505). */
export async function insertPosting(tx: Writer, posting: NewPosting): Promise<void> {
  await sql`${steady}
    with posting as (
      insert into ledger_txs (kind, source_type, source_id, posted_at)
      values (${posting.kind}, ${posting.sourceType}, ${posting.sourceId}, ${posting.postedAt})
      returning id
    )
    insert into ledger_entries (tx_id, account_id, amount_cents, order_id)
    select posting.id, entry.account_id, entry.amount_cents, ${posting.orderId}::bigint
      from posting, unnest(${posting.entries.map((entry) => entry.accountId)}::bigint[], ${posting.entries.map((entry) => entry.amountCents)}::bigint[])
           as entry (account_id, amount_cents)`.execute(tx);
}

export type Balance = { kind: AccountKind; organizationId: number | null; balanceCents: number };

/** The balance of every account of an organisation, or of the platform itself with null. */
export async function listBalances(db: Reader, organizationId: number | null): Promise<Balance[]> {
  const rows = await db
    .selectFrom('ledger_accounts as account')
    .leftJoin('ledger_entries as entry', 'entry.account_id', 'account.id')
    .select([
      'account.kind',
      'account.organization_id',
      sql<number>`coalesce(sum(entry.amount_cents), 0)::bigint`.as('balance'),
    ])
    .where('account.organization_id', 'is not distinct from', organizationId)
    .groupBy(['account.id', 'account.kind', 'account.organization_id'])
    .orderBy('account.kind')
    .execute();
  return rows.map((row) => ({
    kind: row.kind,
    organizationId: row.organization_id,
    balanceCents: Number(row.balance),
  }));
}
