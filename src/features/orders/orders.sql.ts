/** Tables of this module: orders and order_photos. Also reads the owner of a gallery. */
import { sql } from 'kysely';
import type { OrderStatus } from '#src/features/orders/orders.contract.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';
import { prepared } from '#src/platform/db/prepared.ts';

export type NewOrder = {
  vanityId: string;
  organizationId: number;
  checkoutKey: string;
  contentHash: Buffer;
  firstName: string;
  lastName: string;
  email: string;
  zip: string | null;
  subtotalCents: number;
  taxCents: number;
  donationCents: number;
  donationGalleryId: number | null;
  taxRatePpm: number;
  taxReason: string;
  shareBps: number;
  /** `custom`: charged on the seller's own Stripe account. */
  processor: 'platform' | 'custom';
  /** Orders of credit have no lines. */
  kind: 'photos' | 'credit';
  /** What credit codes pay, and by how much their bonuses lower the price. */
  creditCents: number;
  bonusCents: number;
  createdAt: Date;
  lines: readonly { photoId: number; galleryId: number; priceCents: number; orderKey: string }[];
  /** The charge that is about to be sent; null for an order that costs nothing, which is paid immediately. */
  charge: { idempotencyKey: string; amountCents: number; accountSecret: Buffer | null } | null;
};

export type StoredOrder = { id: number; taxId: string | null };

/**
 * Writes an order, its lines and its charge in one statement; `taxId` is the seller's, for the receipt. Null when the
 * checkout key is taken, or the seller was deleted meanwhile; waits for a transaction that is just inserting or deleting.
 * `on conflict` names no column, because another table has the keys if orders are divided (decision record 0082).
 */
export async function insertOrder(tx: Writer, order: NewOrder): Promise<StoredOrder | null> {
  const { lines, charge } = order;
  const { rows } = await sql<StoredOrder>`${prepared}
    with placed as (
      insert into orders (vanity_id, organization_id, checkout_key, content_hash, status, first_name, last_name, email_address, zip,
                          subtotal_cents, tax_cents, donation_cents, donation_gallery_id, tax_rate_ppm, tax_reason, share_bps, processor, kind, credit_cents, bonus_cents,
                          created_at, paid_at)
      select ${order.vanityId}, seller.id, ${order.checkoutKey}, ${order.contentHash}, ${charge ? 'pending' : 'paid'},
              ${order.firstName}, ${order.lastName}, ${order.email}, ${order.zip}, ${order.subtotalCents}, ${order.taxCents}, ${order.donationCents},
              ${order.donationGalleryId}, ${order.taxRatePpm}, ${order.taxReason}, ${order.shareBps}, ${order.processor}, ${order.kind}, ${order.creditCents}, ${order.bonusCents}, ${order.createdAt}, ${charge ? null : order.createdAt}
        from (select id from organizations where id = ${order.organizationId} and deleted_at is null for key share) as seller
      on conflict do nothing
      returning id, organization_id
    ), lines as (
      insert into order_photos (order_id, organization_id, photo_id, gallery_id, price_cents, order_key)
      select placed.id, placed.organization_id, line.photo_id, line.gallery_id, line.price_cents, line.order_key
        from placed, unnest(${lines.map((line) => line.photoId)}::bigint[], ${lines.map((line) => line.galleryId)}::bigint[],
                            ${lines.map((line) => line.priceCents)}::integer[], ${lines.map((line) => line.orderKey)}::text[])
             with ordinality as line (photo_id, gallery_id, price_cents, order_key, place)
       order by line.place
    ), charge as (
      insert into payment_attempts (order_id, organization_id, kind, idempotency_key, amount_cents, account_secret, state, sent_at)
      select placed.id, placed.organization_id, 'charge', ${charge?.idempotencyKey ?? null}::uuid, ${charge?.amountCents ?? null}::integer, ${charge?.accountSecret ?? null}::bytea, 'sent', now()
        from placed where ${charge !== null}
    )
    select id, (select tax_id from organization_private p where p.organization_id = placed.organization_id) as "taxId"
      from placed`.execute(tx);
  return rows[0] ?? null;
}

/**
 * The order of a checkout key. `chargeKey` is its undecided charge, `waitingSeconds` how long that has been out,
 * `asksBuyer` whether 3-D Secure waits for the buyer.
 */
export type ExistingOrder = NonNullable<Awaited<ReturnType<typeof findByCheckoutKey>>>;

export async function findByCheckoutKey(db: Reader, checkoutKey: string) {
  const row = await db
    .selectFrom('orders')
    .leftJoin('payment_attempts as charge', (join) =>
      join
        .onRef('charge.order_id', '=', 'orders.id')
        .on('charge.kind', '=', 'charge')
        .on('charge.state', 'in', ['created', 'sent', 'unknown']),
    )
    .select([
      'orders.id',
      'orders.organization_id as organizationId',
      'orders.processor',
      'orders.vanity_id as vanityId',
      'orders.status',
      'orders.content_hash as contentHash',
      'orders.total_cents as totalCents',
      'orders.credit_cents as creditCents',
      'orders.decline_message as declineMessage',
      'charge.idempotency_key as chargeKey',
      sql<number | null>`extract(epoch from now() - charge.sent_at)::float8`.as('waitingSeconds'),
      sql<boolean>`charge.action_since is not null`.as('asksBuyer'),
    ])
    .where('orders.checkout_key', '=', checkoutKey)
    .executeTakeFirst();
  return row ?? null;
}

/** Whether an order of the organization, or a charge or refund of one, has no outcome yet. */
export async function hasPendingMoney(db: Reader, organizationId: number): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from orders where organization_id = ${organizationId} and status = 'pending')
        or exists (select from payment_attempts where organization_id = ${organizationId} and state in ('created', 'sent', 'unknown')) as found`.execute(
    db,
  );
  return rows[0]?.found ?? false;
}

/** Whether an active gallery belongs to the organization. */
export async function ownsGallery(db: Reader, organizationId: number, galleryId: number): Promise<boolean> {
  const row = await db
    .selectFrom('galleries')
    .select('id')
    .where('id', '=', galleryId)
    .where('organization_id', '=', organizationId)
    .where('active', '=', true)
    .executeTakeFirst();
  return row !== undefined;
}

type PayableOrder = {
  id: number;
  organizationId: number;
  status: OrderStatus;
  processor: 'platform' | 'custom';
  paidAt: Date | null;
  /** It has an undecided dispute. */
  isInDispute: boolean;
};

/** Locks orders by id, so that payouts cannot deadlock. The lock still allows foreign keys to them. */
export async function lockPayableOrders(tx: Writer, ids: readonly number[]): Promise<PayableOrder[]> {
  const { rows } = await sql<PayableOrder>`
    select id, organization_id as "organizationId", status, processor, paid_at as "paidAt",
           exists (select from payment_disputes d where d.order_id = orders.id and d.status = 'open') as "isInDispute"
      from orders where id = any (${[...ids]}::bigint[]) order by id for no key update`.execute(tx);
  return rows;
}
