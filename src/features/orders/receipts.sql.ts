/** An order with its lines and what a receipt shows. Names and the tax id are read from the modules that own them. */
import { sql } from 'kysely';
import type { FrozenWords } from '#src/features/order-offers/quoted-offers.rules.ts';
import { DOWNLOADABLE } from '#src/features/orders/orders.rules.ts';
import { PASSES_OF_ORDER } from '#src/features/orders/order-passes.sql.ts';
import type { Receipt } from '#src/features/orders/receipt.rules.ts';
import { IS_WITHDRAWN } from '#src/features/order-offers/withdrawn.sql.ts';
import { photoTitle } from '#src/features/photos/photo-title.rules.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';
import { prepared } from '#src/platform/db/prepared.ts';

/** The host of a seller's pages, from `organizations seller` and its `parent`; a deleted one has none. */
export const HOST_LABEL = sql`
  case when coalesce(parent.deleted_at, case when parent.id is null then seller.deleted_at end) is not null then 'www'
       else coalesce(parent.domain_name, seller.domain_name)::text end`;

/** How the order `o` was priced, in the words of that time. */
export const FROZEN_WORDS = sql<FrozenWords>`json_build_object(
  'offers', coalesce((select json_agg(json_build_object('id', f.id, 'kind', f.kind, 'name', f.name, 'priceCents', f.price_cents) order by f.id)
                        from order_offers f where f.order_id = o.id), '[]'::json),
  'reduction', (select json_build_object('name', r.name, 'amountCents', r.amount_cents) from order_reductions r where r.order_id = o.id),
  'credit', case when o.credit_cents + o.bonus_cents = 0 then '[]'::json else (
    select json_agg(json_build_object('last4', c.last4, 'cents', u.cents, 'bonusCents', u.bonus_cents, 'organizationId', c.organization_id,
                                      'isHeld', c.processor = 'platform') order by c.id)
      from credit_uses u join credit_codes c on c.id = u.code_id where u.order_id = o.id) end)`;

/** The money of the line `line` of the order `o` was given back for it alone. */
const IS_REFUNDED = sql<boolean>`exists (
  select from payment_attempts back
   where back.order_id = o.id and back.kind = 'refund' and back.state = 'succeeded' and line.photo_id = any (back.photo_ids))`;

type ReceiptOf = { id: number } | { vanityId: string } | { chargeKey: string };

/** By its number, its vanity id or the key of one of its charges; null for an unknown order. */
export async function findReceipt(db: Reader, by: ReceiptOf): Promise<Receipt | null> {
  const query = db
    .selectFrom('orders as o')
    .modifyFront(prepared)
    .innerJoin('organizations as seller', 'seller.id', 'o.organization_id')
    .leftJoin('organizations as parent', 'parent.id', 'seller.parent_organization_id')
    .leftJoin('organization_private as seller_private', 'seller_private.organization_id', 'o.organization_id')
    .select([
      'o.id',
      'o.vanity_id as vanityId',
      'o.status',
      'o.first_name as firstName',
      'o.last_name as lastName',
      'o.email_address as email',
      'o.subtotal_cents as subtotalCents',
      'o.tax_cents as taxCents',
      'o.tax_rate_ppm as taxRatePpm',
      'o.tax_reason as taxReason',
      'o.donation_cents as donationCents',
      'o.total_cents as totalCents',
      'o.kind',
      'o.credit_cents as creditCents',
      'o.credit_returned_cents as creditReturnedCents',
      'o.refunded_cents as refundedCents',
      'o.donation_gallery_id as donationGalleryId',
      'o.share_bps as shareBps',
      'o.processor',
      'o.decline_message as declineMessage',
      'o.created_at as createdAt',
      sql<Receipt['card']>`case when o.card_brand is not null and o.card_last4 is not null
                                then json_build_object('brand', o.card_brand, 'last4', o.card_last4) end`.as('card'),
      sql<Receipt['seller']>`json_build_object(
        'id', seller.id, 'name', seller.name, 'path', seller.domain_name, 'parentId', seller.parent_organization_id,
        'hostLabel', ${HOST_LABEL}, 'accent', seller.primary_color, 'taxId', seller_private.tax_id, 'timeZone', seller.time_zone)`.as(
        'seller',
      ),
      sql<Receipt['lines']>`(
        select json_agg(json_build_object('id', line.id, 'orderKey', line.order_key, 'photoId', line.photo_id, 'galleryId', line.gallery_id,
                                          'priceCents', line.price_cents, 'singleCents', coalesce(line.single_cents, line.price_cents),
                                          'offerId', line.order_offer_id, 'name', photo.name, 'isRevoked', line.revoked_at is not null, 'isRefunded', line.revoked_at is not null and ${IS_REFUNDED}, 'isWithdrawn', ${IS_WITHDRAWN}) order by line.id)
          from order_photos line join photos photo on photo.id = line.photo_id
         where line.order_id = o.id)`.as('lines'),
      sql<boolean>`o.kind = 'credit' or exists (select from order_prices asked where asked.order_id = o.id)`.as(
        'hasMore',
      ),
    ]);
  const row = await (
    'id' in by
      ? query.where('o.id', '=', by.id)
      : 'vanityId' in by
        ? query.where('o.vanity_id', '=', by.vanityId)
        : query.where('o.id', '=', (eb) =>
            eb.selectFrom('payment_attempts').select('order_id').where('idempotency_key', '=', by.chargeKey),
          )
  ).executeTakeFirst();
  if (!row) return null;
  const { hasMore, ...order } = row;
  const lines = (order.lines ?? []).map((line) => ({ ...line, name: photoTitle(line.name, line.photoId) }));
  return { ...order, lines, ...(hasMore ? await findMore(db, order.id) : NOTHING_MORE) };
}

type More = Pick<Receipt, 'offered' | 'passes' | 'soldCredit'>;
const NOTHING_MORE: More = { offered: null, passes: [], soldCredit: null };

/** What an order has besides its photos. Asked apart, because PostgreSQL would prepare all of it for orders without. */
async function findMore(db: Reader, orderId: number): Promise<More> {
  const { passes, ...more } = await db
    .selectFrom('orders as o')
    .modifyFront(prepared)
    .innerJoin('organizations as seller', 'seller.id', 'o.organization_id')
    .select([
      sql<Receipt['offered']>`(select ${FROZEN_WORDS} from order_prices asked where asked.order_id = o.id)`.as(
        'offered',
      ),
      PASSES_OF_ORDER.as('passes'),
      sql<Receipt['soldCredit']>`case when o.kind = 'credit' then (
        select json_build_object('sealed', encode(c.code_encrypted, 'base64'), 'last4', c.last4, 'cents', c.paid_cents, 'bonusCents', c.bonus_cents,
                                 'bonusUntil', c.bonus_until, 'gift', (select json_build_object('name', case when g.receiver_email is null then '' else g.receiver_name end, 'email', g.receiver_email, 'message', g.message,
                                                                               'sendOn', g.send_on, 'isSent', g.sent_at is not null,
                                                                               'isReturned', exists (select from mail_outbox m where m.dedupe_key = 'credit-gift-' || g.code_id and m.failed_at is not null and m.sent_at is null),
                                                                               'isOpened', g.opened_at is not null or exists (select from credit_movements m where m.code_id = g.code_id and m.kind = 'spent'))
                                                        from credit_gifts g where g.code_id = c.id))
          from credit_codes c where c.order_id = o.id) end`.as('soldCredit'),
    ])
    .where('o.id', '=', orderId)
    .executeTakeFirstOrThrow();
  return { ...more, passes: passes ?? [] };
}

type PaidLine = { orderId: number; photoId: number; galleryId: number; organizationId: number; isWithdrawn: boolean };

/** The line of an order key, while its order is paid and its access is not revoked. */
export async function findPaidLine(db: Reader, orderKey: string): Promise<PaidLine | null> {
  const row = await db
    .selectFrom('order_photos as line')
    .innerJoin('orders as o', 'o.id', 'line.order_id')
    .select([
      'line.order_id as orderId',
      'line.photo_id as photoId',
      'line.gallery_id as galleryId',
      'line.organization_id as organizationId',
      IS_WITHDRAWN.as('isWithdrawn'),
    ])
    .where('line.order_key', '=', orderKey)
    .where('line.revoked_at', 'is', null)
    .where('o.status', 'in', DOWNLOADABLE)
    .executeTakeFirst();
  return row ?? null;
}

/** Known CRC-32 checksums, by fingerprint. */
export async function listChecksums(db: Reader, fingerprints: readonly string[]): Promise<Map<string, number>> {
  if (fingerprints.length === 0) return new Map();
  const rows = await db
    .selectFrom('sold_copy_checksums')
    .select(['fingerprint', 'crc32'])
    .where('fingerprint', 'in', [...new Set(fingerprints)])
    .execute();
  return new Map(rows.map((row) => [row.fingerprint, Number(row.crc32)]));
}

/** Existing ones stay. */
export async function storeChecksums(tx: Writer, checksums: ReadonlyMap<string, number>): Promise<void> {
  await tx
    .insertInto('sold_copy_checksums')
    .values([...checksums].map(([fingerprint, crc32]) => ({ fingerprint, crc32 })))
    .onConflict((conflict) => conflict.column('fingerprint').doNothing())
    .execute();
}
