/**
 * Tables of this module: ledger_accounts, ledger_txs, ledger_entries; rows of the last two are only ever added. Triggers keep
 * open_balances and account_days up to date (migrations 0160, 0166).
 */
import { sql } from 'kysely';
import type { AccountKind, AccountName, Posting } from '#src/features/ledger/ledger.rules.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';
import { prepared } from '#src/platform/db/prepared.ts';
import type { Cents } from '#src/shared/money.ts';

type AccountRow = AccountName & { id: number };

/** Accounts of organizations and the platform's own. */
export async function listAccounts(db: Reader, organizationIds: readonly number[]): Promise<AccountRow[]> {
  const rows = await db
    .selectFrom('ledger_accounts')
    .select(['id', 'kind', 'organization_id'])
    .where((eb) =>
      eb.or([
        eb('organization_id', 'is', null),
        ...(organizationIds.length === 0 ? [] : [eb('organization_id', 'in', organizationIds)]),
      ]),
    )
    .execute();
  return rows.map((row) => ({ id: row.id, kind: row.kind, organizationId: row.organization_id }));
}

/** An account is created with its first entry, and stays. */
export async function hasAccounts(db: Reader, organizationId: number): Promise<boolean> {
  const account = db.selectFrom('ledger_accounts').select('id').where('organization_id', '=', organizationId).limit(1);
  return (await account.executeTakeFirst()) !== undefined;
}

/**
 * Creates missing accounts, always in the same order, because each insert waits for transactions that create the same account.
 * Accounts that exist by then stay.
 */
export async function openAccounts(tx: Writer, accounts: readonly AccountName[]): Promise<void> {
  const inOrder = accounts.toSorted(
    (one, other) => (one.organizationId ?? 0) - (other.organizationId ?? 0) || one.kind.localeCompare(other.kind),
  );
  await tx
    .insertInto('ledger_accounts')
    .values(inOrder.map(({ kind, organizationId }) => ({ kind, organization_id: organizationId })))
    .onConflict((conflict) => conflict.columns(['organization_id', 'kind', 'currency']).doNothing())
    .execute();
}

/**
 * Writes postings with their entries, which find their posting by kind and source. A second posting with the same kind and
 * source is a unique violation (23505).
 */
export async function insertPostings(
  tx: Writer,
  postings: readonly Pick<Posting, 'kind' | 'sourceType' | 'sourceId'>[],
  entries: readonly { posting: number; accountId: number; amountCents: number; orderId: number | null }[],
  postedAt: Date,
): Promise<void> {
  const sourceIds = postings.map(({ sourceId }) => sourceId);
  // A single posting always has the same best plan; several are planned for their number.
  await sql`${postings.length === 1 ? prepared : sql``}
    with posting as (
      insert into ledger_txs (kind, source_type, source_id, posted_at)
      select *, ${postedAt}::timestamptz
        from unnest(${postings.map(({ kind }) => kind)}::text[], ${postings.map(({ sourceType }) => sourceType)}::text[], ${sourceIds}::text[])
      returning id, kind, source_id
    )
    insert into ledger_entries (tx_id, account_id, amount_cents, order_id)
    select posting.id, entry.account_id, entry.amount_cents, entry.order_id
      from unnest(${entries.map((entry) => postings[entry.posting]?.kind)}::text[], ${entries.map((entry) => sourceIds[entry.posting])}::text[],
                  ${entries.map((entry) => entry.accountId)}::bigint[], ${entries.map((entry) => entry.amountCents)}::bigint[],
                  ${entries.map((entry) => entry.orderId)}::bigint[])
           with ordinality as entry (kind, source_id, account_id, amount_cents, order_id, place)
      join posting on posting.kind = entry.kind and posting.source_id = entry.source_id
     order by entry.place`.execute(tx);
}

/** The balance of every account of an organization, from the sums of its days and the later entries. */
export async function listBalances(db: Reader, organizationId: number): Promise<Map<AccountKind, Cents>> {
  const { rows } = await sql<{ kind: AccountKind; balance: Cents }>`
    select a.kind, (coalesce(summed.balance_cents, 0) + rest.cents)::bigint as balance
      from ledger_accounts a
      left join lateral (select * from account_days d where d.account_id = a.id order by d.until desc limit 1) summed on true
     cross join lateral (
       select coalesce(sum(e.amount_cents), 0) as cents from ledger_entries e
        where e.account_id = a.id and e.tx_id > coalesce(summed.after_tx, 0)
          and (summed.until is null or (select t.posted_at from ledger_txs t where t.id = e.tx_id) >= summed.until)
     ) rest
     where a.organization_id = ${organizationId}`.execute(db);
  return new Map(rows.map(({ kind, balance }) => [kind, balance]));
}

/**
 * Locks the next account of an organization that may have days without sums. Skips accounts that someone is posting to, for
 * the next run.
 */
export async function lockUnsummed(tx: Writer, after: number): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select a.id from ledger_accounts a
     cross join lateral (
       select from ledger_entries e where e.account_id = a.id
          and e.tx_id > coalesce((select d.after_tx from account_days d where d.account_id = a.id order by d.until desc limit 1), 0) limit 1
     ) later
     where a.id > ${after} and a.organization_id is not null
     order by a.id limit 1 for update of a skip locked`.execute(tx);
  return rows[0]?.id ?? null;
}

/** Sums the days of this locked account that had ended by then. */
export async function sumDays(tx: Writer, accountId: number, overBy: Date): Promise<void> {
  await sql`set local statement_timeout = '120s'`.execute(tx);
  await sql`select sum_account_days(${accountId}, ${overBy})`.execute(tx);
}

/**
 * Locks what these organizations are owed, in the order of their ids: payouts and their returns read balances only with this
 * lock. Postings of sales and refunds do not wait for it.
 */
export async function lockPayables(tx: Writer, organizationIds: readonly number[]): Promise<void> {
  await sql`select id from ledger_accounts
             where kind in ('org_payable', 'provider_clearing') and organization_id = any (${[...organizationIds]}::bigint[])
             order by organization_id, kind for no key update`.execute(tx);
}

/** What is owed for one order; negative when refunds, disputes or a late fee have taken more than is left. */
type OrderPayable = { orderId: number; organizationId: number; payableCents: number };

/** Orders of these organizations with an open amount, positive or negative. */
export async function listOpenPayables(db: Reader, organizationIds: readonly number[]): Promise<OrderPayable[]> {
  const { rows } = await sql<OrderPayable>`
    select open.order_id as "orderId", account.organization_id as "organizationId", -open.amount_cents as "payableCents"
      from ledger_accounts account join open_balances open on open.account_id = account.id
     where account.kind = 'org_payable' and account.organization_id = any (${[...organizationIds]}::bigint[])
     order by open.order_id`.execute(db);
  return rows;
}

/** Which of these payouts of the provider to our bank account are already posted. */
export async function listProviderPayouts(db: Reader, refs: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('ledger_txs')
    .select('source_id')
    .where('kind', '=', 'provider_payout')
    .where('source_type', '=', 'provider_payout')
    .where('source_id', 'in', [...refs, ''])
    .execute();
  return new Set(rows.map((row) => row.source_id));
}
