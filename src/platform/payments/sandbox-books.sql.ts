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

/** The card behind a token. */
export async function findToken(db: Reader, id: string): Promise<TokenRow | undefined> {
  return db
    .selectFrom('sandbox_provider.tokens')
    .modifyFront(prepared)
    .select(['id', 'number_behaviour', 'card', tokenIsUsed, tokenIsExpired])
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function findSavedCard(tx: Reader, id: string): Promise<CardRow | undefined> {
  return tx
    .selectFrom('sandbox_provider.saved_cards')
    .select(['number_behaviour', 'card'])
    .where('id', '=', id)
    .executeTakeFirst();
}

const tokenIsUsed = sql<boolean>`used_at is not null`.as('used');
const tokenIsExpired = sql<boolean>`created_at < now() - make_interval(mins => ${sql.lit(TOKEN_MINUTES)})`.as(
  'expired',
);

/** Closes a key for charges. False if it exists already; waits for a charge that is using it. */
export async function closeKey(db: Reader, key: string): Promise<boolean> {
  const { rows } = await sql`
    insert into sandbox_provider.idempotency_keys (key) values (${key}) on conflict (key) do nothing returning key`.execute(
    db,
  );
  return rows.length > 0;
}

export async function findKey(db: Reader, key: string) {
  return db
    .selectFrom('sandbox_provider.idempotency_keys')
    .select(['content_hash', 'charge_id'])
    .where('key', '=', key)
    .executeTakeFirst();
}

type NewCharge = Omit<ChargeRow, 'card'> & {
  card: string;
  description: string;
  metadata: string;
  account_organization_id: number | null;
};
/** `tokenId`: what is used up; `keeps`: whose card is saved, if it is new. */
type ChargedUnder = {
  key: string;
  contentHash: Buffer;
  tokenId: string | null;
  keeps: { number_behaviour: string; email: string; name: string } | null;
};

/**
 * Books a charge under its key, uses up its token and saves its card. False if the key is known or the token was used
 * meanwhile; waits for a charge that is using either. A key that another request takes at the same moment leaves the
 * token used, without a charge.
 */
export async function bookCharge(db: Reader, charge: NewCharge, under: ChargedUnder): Promise<boolean> {
  const { key, contentHash, tokenId, keeps } = under;
  const { rows } = await sql`${prepared}
    with used as (
      update sandbox_provider.tokens set used_at = now()
       where id = ${tokenId} and used_at is null and not exists (select from sandbox_provider.idempotency_keys where key = ${key})
      returning id
    ), claimed as (
      insert into sandbox_provider.idempotency_keys (key, content_hash, charge_id)
      select ${key}, ${contentHash}::bytea, ${charge.id} where ${tokenId}::text is null or exists (select from used)
      on conflict (key) do nothing returning charge_id
    ), saved as (
      insert into sandbox_provider.saved_cards (id, number_behaviour, card, email, name)
      select ${charge.saved_card}, ${keeps?.number_behaviour ?? null}, ${charge.card}::jsonb, ${keeps?.email ?? null}, ${keeps?.name ?? null}
        from claimed where ${keeps !== null}
    )
    insert into sandbox_provider.charges (id, amount_cents, fee_cents, status, message, code, description, metadata, card, saved_card, account_organization_id)
    select charge_id, ${charge.amount_cents}::integer, ${charge.fee_cents}::integer, ${charge.status}, ${charge.message}, ${charge.code},
           ${charge.description}, ${charge.metadata}::jsonb, ${charge.card}::jsonb, ${charge.saved_card}, ${charge.account_organization_id}::bigint
      from claimed
    returning id`.execute(db);
  return rows.length > 0;
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
