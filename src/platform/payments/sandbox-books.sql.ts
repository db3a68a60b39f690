/** The sandbox provider's own tables. Only the provider reads and writes them, over connections of its own. */
import { sql } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';
import { prepared } from '#src/platform/db/prepared.ts';

export const TOKEN_MINUTES = 10;

export type TokenRow = { id: string; number_behaviour: string; card: unknown; used: boolean; expired: boolean };
export type ChargeRow = {
  id: string;
  amount_cents: number;
  fee_cents: number;
  status: 'succeeded' | 'declined';
  message: string | null;
  code: string | null;
  card: unknown;
  saved_card: string | null;
};
/** What is charged: the card behind a token that pays once, or a saved card. */
export type CardRow = { number_behaviour: string; card: unknown };

const CHARGE_COLUMNS = ['id', 'amount_cents', 'fee_cents', 'status', 'message', 'code', 'card', 'saved_card'] as const;

export async function insertToken(db: Reader, token: { id: string; behavior: string; card: string }): Promise<void> {
  await db
    .insertInto('sandbox_provider.tokens')
    .values({ id: token.id, number_behaviour: token.behavior, card: token.card })
    .execute();
}

/** The card behind a token. A charge locks it, so that two charges cannot both find it unused. */
export async function findToken(db: Reader, id: string, locks = false): Promise<TokenRow | undefined> {
  return db
    .selectFrom('sandbox_provider.tokens')
    .modifyFront(prepared)
    .select(['id', 'number_behaviour', 'card', tokenIsUsed, tokenIsExpired])
    .where('id', '=', id)
    .$if(locks, (query) => query.forUpdate())
    .executeTakeFirst();
}

export async function findSavedCard(tx: Reader, id: string): Promise<CardRow | undefined> {
  return tx
    .selectFrom('sandbox_provider.saved_cards')
    .select(['number_behaviour', 'card'])
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function insertSavedCard(
  tx: Reader,
  saved: { id: string; number_behaviour: string; card: string; email: string; name: string },
): Promise<void> {
  await tx.insertInto('sandbox_provider.saved_cards').values(saved).execute();
}

const tokenIsUsed = sql<boolean>`used_at is not null`.as('used');
const tokenIsExpired = sql<boolean>`created_at < now() - make_interval(mins => ${sql.lit(TOKEN_MINUTES)})`.as(
  'expired',
);

/**
 * Claims a key for a charge; without content it is closed. False if it exists already; waits for a transaction that is
 * using it.
 */
export async function claimKey(db: Reader, key: string, contentHash: Buffer | null): Promise<boolean> {
  const { rows } = await sql`${prepared}
    insert into sandbox_provider.idempotency_keys (key, content_hash) values (${key}, ${contentHash})
    on conflict (key) do nothing returning key`.execute(db);
  return rows.length > 0;
}

export async function findKey(db: Reader, key: string) {
  return db
    .selectFrom('sandbox_provider.idempotency_keys')
    .select(['content_hash', 'charge_id'])
    .where('key', '=', key)
    .executeTakeFirst();
}

/** Inserts a charge under its claimed key and uses up its token, if it came with one. */
export async function bookCharge(
  tx: Reader,
  charge: Omit<ChargeRow, 'card'> & {
    card: string;
    description: string;
    metadata: string;
    account_organization_id: number | null;
  },
  under: { key: string; tokenId: string | null },
): Promise<void> {
  await sql`${prepared}
    with used as (
      update sandbox_provider.tokens set used_at = now() where id = ${under.tokenId}
    ), booked as (
      insert into sandbox_provider.charges (id, amount_cents, fee_cents, status, message, code, description, metadata, card, saved_card, account_organization_id)
      values (${charge.id}, ${charge.amount_cents}, ${charge.fee_cents}, ${charge.status}, ${charge.message}, ${charge.code},
              ${charge.description}, ${charge.metadata}, ${charge.card}, ${charge.saved_card}, ${charge.account_organization_id}::bigint)
      returning id
    )
    update sandbox_provider.idempotency_keys as known set charge_id = booked.id from booked where known.key = ${under.key}`.execute(
    tx,
  );
}

export async function findCharge(db: Reader, id: string): Promise<ChargeRow | undefined> {
  return db.selectFrom('sandbox_provider.charges').select(CHARGE_COLUMNS).where('id', '=', id).executeTakeFirst();
}

/** The charge under a lock, so that two refunds cannot both take the rest. */
export async function lockCharge(tx: Writer, id: string): Promise<ChargeRow | undefined> {
  return tx
    .selectFrom('sandbox_provider.charges')
    .select(CHARGE_COLUMNS)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export async function refundedOf(tx: Reader, chargeId: string): Promise<number> {
  const row = await tx
    .selectFrom('sandbox_provider.refunds')
    .select(({ fn }) => fn.coalesce(fn.sum<number>('amount_cents'), sql<number>`0`).as('total'))
    .where('charge_id', '=', chargeId)
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

/** The key of a charge. */
export async function findKeyOf(db: Reader, chargeId: string): Promise<string | null> {
  const row = await db
    .selectFrom('sandbox_provider.idempotency_keys')
    .select('key')
    .where('charge_id', '=', chargeId)
    .executeTakeFirst();
  return row?.key ?? null;
}

export async function findRefund(tx: Reader, id: string) {
  return tx
    .selectFrom('sandbox_provider.refunds')
    .select(['charge_id', 'amount_cents'])
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function insertRefund(tx: Writer, refund: { id: string; charge_id: string; amount_cents: number }) {
  await tx.insertInto('sandbox_provider.refunds').values(refund).execute();
}
