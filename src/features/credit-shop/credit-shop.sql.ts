/** Tables of this module: credit_settings and credit_gifts; and codes as their seller sees them. */
import { sql } from 'kysely';
import { RECEIVER_DAYS, UNOPENED_DAYS } from '#src/features/credit-shop/credit-shop.contract.ts';
import type { Offered } from '#src/features/credit-shop/credit-shop.rules.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';

export async function findSettings(db: Reader, organizationId: number): Promise<Offered | null> {
  const row = await db
    .selectFrom('credit_settings')
    .select(['active', 'amounts_cents', 'bonuses_cents', sql<string | null>`bonus_until::text`.as('bonusUntil')])
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  if (!row) return null;
  const amounts = row.amounts_cents.map((cents, at) => ({ cents, bonusCents: row.bonuses_cents[at] ?? 0 }));
  return { active: row.active, amounts, bonusUntil: row.bonusUntil };
}

export async function saveSettings(tx: Writer, organizationId: number, { active, amounts, bonusUntil }: Offered) {
  await sql`
    insert into credit_settings (organization_id, active, amounts_cents, bonuses_cents, bonus_until)
    values (${organizationId}, ${active}, ${amounts.map(({ cents }) => cents)}::integer[], ${amounts.map(({ bonusCents }) => bonusCents)}::integer[], ${bonusUntil}::date)
    on conflict (organization_id) do update
      set active = excluded.active, amounts_cents = excluded.amounts_cents, bonuses_cents = excluded.bonuses_cents, bonus_until = excluded.bonus_until`.execute(
    tx,
  );
}

const LEFT = sql<number>`(select coalesce(sum(m.cents), 0) from credit_movements m where m.code_id = c.id)::int`;
const BONUS_LEFT = sql<number>`(select coalesce(sum(m.bonus_cents), 0) from credit_movements m where m.code_id = c.id)::int`;

export type CodeRow = {
  id: number;
  orderId: number;
  last4: string;
  boughtCents: number;
  bonusCents: number;
  leftCents: number;
  isGift: boolean;
  boughtAt: Date;
};

/** Codes of paid orders, newest first, by key. */
export async function listCodes(
  db: Reader,
  organizationId: number,
  { after, limit }: { after: number | null; limit: number },
): Promise<CodeRow[]> {
  const { rows } = await sql<CodeRow>`
    select c.id, c.order_id as "orderId", c.last4, c.paid_cents as "boughtCents", c.bonus_cents as "bonusCents", ${LEFT} as "leftCents",
           exists (select from credit_gifts g where g.code_id = c.id) as "isGift", c.created_at as "boughtAt"
      from credit_codes c
     where c.organization_id = ${organizationId} and (${after === null} or c.id < ${after ?? 0})
       and exists (select from credit_movements m where m.code_id = c.id)
     order by c.id desc limit ${limit}`.execute(db);
  return rows;
}

/** Locks a code; `isMoving`: an order or a refund may take some of it, or a dispute of its charge is open. */
export async function lockCode(tx: Writer, id: number) {
  await sql`select from credit_codes where id = ${id} for no key update`.execute(tx);
  const { rows } = await sql<{
    id: number;
    organizationId: number;
    orderId: number;
    processor: 'platform' | 'custom';
    isMoving: boolean;
  }>`
    select c.id, c.organization_id as "organizationId", c.order_id as "orderId", c.processor,
           exists (select from credit_uses u where u.code_id = c.id and u.state = 'reserved')
           or not exists (select from orders o where o.id = c.order_id and o.status in ('paid', 'partially_refunded', 'disputed'))
           or exists (select from payment_disputes d where d.order_id = c.order_id and d.status = 'open')
           or exists (select from payment_attempts a where a.order_id = c.order_id and a.kind = 'refund' and a.state in ('created', 'sent', 'unknown')) as "isMoving"
      from credit_codes c where c.id = ${id}`.execute(tx);
  return rows[0] ?? null;
}

type NewGift = {
  codeId: number;
  organizationId: number;
  name: string;
  email: string;
  message: string;
  sendOn: string;
};

export async function insertGift(tx: Writer, gift: NewGift): Promise<void> {
  await tx
    .insertInto('credit_gifts')
    .values({
      code_id: gift.codeId,
      organization_id: gift.organizationId,
      receiver_name: gift.name,
      receiver_email: gift.email,
      message: gift.message,
      send_on: gift.sendOn,
    })
    .execute();
}

export type DueGift = {
  codeId: number;
  sealed: string;
  /** Without the bonus. */
  leftCents: number;
  /** 0 after its last day. */
  bonusLeftCents: number;
  bonusUntil: string | null;
  name: string;
  email: string;
  message: string;
  from: string;
  seller: { name: string; path: string; hostLabel: string; accent: string };
};

/** Gifts that are paid for, due in their seller's zone and not sent yet, with what is left of them; each is marked as sent. */
export async function takeDueGifts(tx: Writer, limit: number): Promise<DueGift[]> {
  const { rows: due } = await sql<{ id: number }>`
    select g.code_id as id from credit_gifts g join credit_codes c on c.id = g.code_id
      join orders o on o.id = c.order_id and o.status in ('paid', 'partially_refunded') join organizations s on s.id = g.organization_id
     where g.sent_at is null and g.receiver_email is not null and g.send_on <= (now() at time zone s.time_zone)::date
       and ${LEFT} > 0
     order by g.send_on, g.code_id limit ${limit} for no key update of g skip locked`.execute(tx);
  const ids = due.map(({ id }) => id);
  if (ids.length === 0) return [];
  await sql`update credit_gifts set sent_at = now() where code_id = any (${ids}::bigint[])`.execute(tx);
  const { rows } = await sql<DueGift>`
    select c.id as "codeId", encode(c.code_encrypted, 'base64') as sealed, ${LEFT} as "leftCents",
           case when c.bonus_until < (now() at time zone s.time_zone)::date then 0 else ${BONUS_LEFT} end as "bonusLeftCents",
           c.bonus_until::text as "bonusUntil", g.receiver_name as name, g.receiver_email::text as email, g.message, o.first_name as "from",
           json_build_object('name', s.name, 'path', s.domain_name, 'hostLabel', coalesce(p.domain_name, s.domain_name), 'accent', s.primary_color) as seller
      from credit_gifts g join credit_codes c on c.id = g.code_id join orders o on o.id = c.order_id
      join organizations s on s.id = g.organization_id left join organizations p on p.id = s.parent_organization_id
     where g.code_id = any (${ids}::bigint[]) order by c.id`.execute(tx);
  return rows;
}

/** Locks the gift of a paid order whose receiver is still known. */
export async function lockGift(tx: Writer, vanityId: string) {
  const { rows } = await sql<{ codeId: number; leftCents: number; isOpened: boolean }>`
    select g.code_id as "codeId", ${LEFT} as "leftCents",
           g.opened_at is not null or exists (select from credit_movements m where m.code_id = g.code_id and m.kind = 'spent') as "isOpened"
      from orders o join credit_codes c on c.order_id = o.id join credit_gifts g on g.code_id = c.id
     where o.vanity_id = ${vanityId} and o.status in ('paid', 'partially_refunded') and g.receiver_email is not null
       for no key update of g`.execute(tx);
  return rows[0] ?? null;
}

/** It is sent to this address on its day, or now. */
export async function changeReceiver(tx: Writer, codeId: number, email: string): Promise<void> {
  await sql`update credit_gifts set receiver_email = ${email}, sent_at = null, returned_at = null where code_id = ${codeId}`.execute(
    tx,
  );
}

/** Someone followed the link of its email: the gift has arrived. */
export async function markOpened(tx: Writer, codeId: number): Promise<void> {
  await sql`update credit_gifts set opened_at = now() where code_id = ${codeId} and sent_at is not null and opened_at is null`.execute(
    tx,
  );
}

/**
 * Deletes names, addresses and messages: thirty days after a gift was opened, spent or refunded; of a gift whose order
 * was not paid, or was fully refunded before it was sent; and after a year of one that no one opened.
 */
export async function forgetReceivers(tx: Writer): Promise<void> {
  await sql`
    update credit_gifts g
       set returned_at = coalesce(g.returned_at, (select m.failed_at from mail_outbox m where m.dedupe_key = 'credit-gift-' || g.code_id and m.due_at = 'infinity'))
     where g.receiver_email is not null and g.sent_at is not null and g.returned_at is null
       and exists (select from mail_outbox m where m.dedupe_key = 'credit-gift-' || g.code_id and m.due_at = 'infinity' and m.failed_at is not null)`.execute(
    tx,
  );
  await sql`
    update credit_gifts g set receiver_name = 'Erased', receiver_email = null, message = ''
     where g.receiver_email is not null
       and (g.sent_at is not null and least(g.opened_at, g.returned_at,
             (select min(m.at) from credit_movements m where m.code_id = g.code_id and m.kind in ('spent', 'refunded', 'disputed', 'paid_out'))) < now() - make_interval(days => ${RECEIVER_DAYS})
         or g.sent_at is null and exists (select from credit_codes c join orders o on o.id = c.order_id
             where c.id = g.code_id and c.created_at < now() - make_interval(days => ${RECEIVER_DAYS}) and o.status in ('failed', 'refunded'))
         or greatest(g.sent_at, g.send_on::timestamptz) < now() - make_interval(days => ${UNOPENED_DAYS}))`.execute(tx);
}

/** The emails of gifts whose receivers are forgotten, by dedupe key: each has the address until it is erased there, too. */
export async function listEmailsOfForgotten(db: Reader): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select m.dedupe_key as key from credit_gifts g join mail_outbox m on m.dedupe_key = 'credit-gift-' || g.code_id
     where g.receiver_email is null and m.recipient <> 'forgotten'`.execute(db);
  return rows.map(({ key }) => key);
}
