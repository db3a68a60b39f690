/** An order with its lines and what a receipt says of seller and photos. Names and the tax id are read from the modules that own them. */
import { sql } from 'kysely';
import type { Receipt } from '#src/features/orders/receipt.rules.ts';
import { photoTitle } from '#src/features/photos/photo-title.rules.ts';
import type { Reader } from '#src/platform/db/db.ts';
import { prepared } from '#src/platform/db/prepared.ts';

export type ReceiptOf = { id: number } | { vanityId: string } | { chargeKey: string };

/** By its own number, its vanity id or the key of one of its charges; null when there is no such order. */
export async function findReceipt(db: Reader, by: ReceiptOf): Promise<Receipt | null> {
  const query = db
    .selectFrom('orders as o')
    .modifyFront(prepared)
    .innerJoin('organizations as seller', 'seller.id', 'o.organization_id')
    .leftJoin('organizations as parent', 'parent.id', 'seller.parent_organization_id')
    .leftJoin('organization_private as kept', 'kept.organization_id', 'o.organization_id')
    .select([
      'o.id',
      'o.vanity_id',
      'o.status',
      'o.first_name',
      'o.last_name',
      'o.email_address',
      'o.subtotal_cents',
      'o.tax_cents',
      'o.donation_cents',
      'o.total_cents',
      'o.refunded_cents',
      'o.donation_gallery_id',
      'o.share_bps',
      'o.processor',
      'o.card_brand',
      'o.card_last4',
      'o.decline_message',
      'o.created_at',
      'o.organization_id',
      'seller.name as seller_name',
      'seller.domain_name as seller_domain',
      'seller.parent_organization_id',
      'seller.primary_color',
      // Where its pages are: what was deleted has no host any more.
      sql<string>`case when coalesce(parent.deleted_at, case when parent.id is null then seller.deleted_at end) is not null then 'www'
                       else coalesce(parent.domain_name, seller.domain_name)::text end`.as('host_label'),
      'kept.tax_id',
      sql<Receipt['lines']>`(
        select json_agg(json_build_object('id', line.id, 'orderKey', line.order_key, 'photoId', line.photo_id, 'galleryId', line.gallery_id,
                                          'priceCents', line.price_cents, 'name', photo.name, 'isRevoked', line.revoked_at is not null) order by line.id)
          from order_photos line join photos photo on photo.id = line.photo_id
         where line.order_id = o.id)`.as('lines'),
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
  return {
    id: row.id,
    vanityId: row.vanity_id,
    status: row.status,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email_address,
    subtotalCents: row.subtotal_cents,
    taxCents: row.tax_cents,
    donationCents: row.donation_cents,
    totalCents: row.total_cents,
    refundedCents: row.refunded_cents,
    donationGalleryId: row.donation_gallery_id,
    shareBps: row.share_bps,
    processor: row.processor,
    card: row.card_brand !== null && row.card_last4 !== null ? { brand: row.card_brand, last4: row.card_last4 } : null,
    declineMessage: row.decline_message,
    createdAt: row.created_at,
    seller: {
      id: row.organization_id,
      name: row.seller_name,
      path: row.seller_domain,
      parentId: row.parent_organization_id,
      hostLabel: row.host_label,
      accent: row.primary_color,
      taxId: row.tax_id,
    },
    lines: (row.lines ?? []).map((line) => ({ ...line, name: photoTitle(line.name, line.photoId) })),
  };
}

export type PaidLine = { orderId: number; photoId: number; galleryId: number; organizationId: number };

/** The line behind an order key, while its order is paid and its right is not revoked. */
export async function findPaidLine(db: Reader, orderKey: string): Promise<PaidLine | null> {
  const row = await db
    .selectFrom('order_photos as line')
    .innerJoin('orders as o', 'o.id', 'line.order_id')
    .select(['line.order_id', 'line.photo_id', 'line.gallery_id', 'line.organization_id'])
    .where('line.order_key', '=', orderKey)
    .where('line.revoked_at', 'is', null)
    .where('o.status', 'in', ['paid', 'partially_refunded'])
    .executeTakeFirst();
  return row
    ? { orderId: row.order_id, photoId: row.photo_id, galleryId: row.gallery_id, organizationId: row.organization_id }
    : null;
}
