/** The sandbox provider's own tables. Only the provider reads and writes them, over connections of its own. */
import { sql } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';
import { prepared } from '#src/platform/db/prepared.ts';
import { REFUSALS } from '#src/platform/payments/card-entry.ts';

const TOKEN_MINUTES = 10;

type TokenRow = { id: string; number_behaviour: string; card: unknown; used: boolean; expired: boolean };
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
    .select(['id', 'number_behaviour', 'card', TOKEN_IS_USED.as('used'), TOKEN_IS_EXPIRED.as('expired')])
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function hasSavedCard(db: Reader, id: string): Promise<boolean> {
  const row = await db.selectFrom('sandbox_provider.saved_cards').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}

const TOKEN_IS_USED = sql<boolean>`used_at is not null`;
const TOKEN_IS_EXPIRED = sql<boolean>`created_at < now() - make_interval(mins => ${sql.lit(TOKEN_MINUTES)})`;

/** Closes a key for charges. False if it exists already; waits for a charge that is using it. */
export async function closeKey(db: Reader, key: string): Promise<boolean> {
  const { rows } = await sql`
    insert into sandbox_provider.idempotency_keys (key) values (${key})
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

type NewCharge = {
  id: string;
  amountCents: number;
  /** If it succeeds. */
  feeCents: number;
  description: string;
  metadata: string;
  accountOrganizationId: number | null;
};
/** `tokenId`: what is used up, or the card that was saved; `keeps`: whose new card is saved, if it pays. */
type ChargedUnder = {
  key: string;
  contentHash: Buffer;
  tokenId: string | null;
  savedCard: string | null;
  keeps: { id: string; email: string; name: string } | null;
};

/**
 * Books a charge under its key, uses up its token and saves its card. Nothing if the key is known, or there is no card to
 * charge; waits for a charge that is using either. A key that another request takes at the same moment leaves the token
 * used, without a charge.
 */
export async function bookCharge(
  db: Reader,
  charge: NewCharge,
  { key, contentHash, tokenId, savedCard, keeps }: ChargedUnder,
): Promise<ChargeRow | undefined> {
  const isNew = sql`not exists (select from sandbox_provider.idempotency_keys where key = ${key})`;
  const { rows } = await sql<ChargeRow>`${prepared}
    with used as (
      update sandbox_provider.tokens set used_at = now()
       where id = ${tokenId} and not (${TOKEN_IS_USED}) and not (${TOKEN_IS_EXPIRED}) and ${isNew}
      returning number_behaviour, card
    ), source as (
      select * from used
      union all
      select number_behaviour, card from sandbox_provider.saved_cards where id = ${savedCard}
    ), claimed as (
      insert into sandbox_provider.idempotency_keys (key, content_hash, charge_id)
      select ${key}, ${contentHash}::bytea, ${charge.id} from source
      on conflict (key) do nothing returning charge_id
    ), outcome as (
      select source.*, charge_id, number_behaviour = 'pays' as pays, ${sql.lit(JSON.stringify(REFUSALS))}::jsonb -> number_behaviour as refusal
        from source, claimed
    ), saved as (
      insert into sandbox_provider.saved_cards (id, number_behaviour, card, email, name)
      select ${keeps?.id ?? null}, number_behaviour, card, ${keeps?.email ?? null}, ${keeps?.name ?? null}
        from outcome where pays and ${keeps !== null}
    )
    insert into sandbox_provider.charges (id, amount_cents, fee_cents, status, message, code, description, metadata, card, saved_card, account_organization_id)
    select charge_id, ${charge.amountCents}::integer, case when pays then ${charge.feeCents}::integer else 0 end,
           case when pays then 'succeeded' else 'declined' end, refusal ->> 'message', refusal ->> 'code', ${charge.description},
           ${charge.metadata}::jsonb, card, case when pays then ${savedCard ?? keeps?.id ?? null}::text end, ${charge.accountOrganizationId}::bigint
      from outcome
    returning ${sql.join(CHARGE_COLUMNS.map((column) => sql.ref(column)))}`.execute(db);
  return rows[0];
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
