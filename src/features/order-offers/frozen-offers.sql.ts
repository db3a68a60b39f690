/**
 * Tables of this module: order_offers, order_reductions and order_prices; it also writes passes, pass_galleries and the
 * offers of order lines.
 */
import { sql } from 'kysely';
import type { AskedPrice } from '#src/features/order-offers/asked-price.rules.ts';
import type { PassAthlete } from '#src/features/order-offers/athlete-key.rules.ts';
import type { PassKind } from '#src/features/order-offers/sold-passes.contract.ts';
import type { Writer } from '#src/platform/db/db.ts';

/** The offers that an order was sold with, permanently. Money is cents. */
export type FrozenOffers = {
  /** `name`: as the buyer saw it. */
  offers: readonly {
    kind: 'bundle' | 'steps' | 'included' | PassKind;
    name: string;
    times: number;
    priceCents: number;
    /** Null for photos that are included with registration. */
    sheetId: number | null;
    version: number | null;
    offerId: number | null;
    galleryId: number | null;
    athlete?: PassAthlete;
  }[];
  /** `offer`: an index into the offers. */
  lines: readonly { photoId: number; singleCents: number; offer: number | null }[];
  /** `offer` as in lines; `validUntil` is its last day; the galleries' parts sum to what was paid for it. */
  passes: readonly {
    offer: number;
    kind: PassKind;
    galleryId: number | null;
    athlete?: PassAthlete;
    sheetId: number;
    validUntil: string;
    paidCents: number;
    orderKey: string;
    galleries: readonly { galleryId: number; priceCents: number }[];
  }[];
  reduction: {
    kind: 'coupon' | 'early_bird';
    couponId: number | null;
    percentBp: number | null;
    amountCents: number;
    name: string;
  } | null;
  asked: AskedPrice;
};

/** Stores the offers of an order, in the transaction that has just written the order and its lines. */
export async function freezeOffers(
  tx: Writer,
  order: { id: number; organizationId: number },
  { offers, lines, passes, reduction, asked }: FrozenOffers,
): Promise<void> {
  const { id, organizationId } = order;
  const parts = passes.flatMap(({ orderKey, galleries }) => galleries.map((part) => ({ orderKey, ...part })));
  await sql`
    with offers as (
      insert into order_offers (order_id, organization_id, kind, name, times, price_cents, sheet_id, version, offer_id, gallery_id, athlete_id, team_id, number)
      select ${id}::bigint, ${organizationId}::bigint, o.kind, o.name, o.times, o."priceCents", o."sheetId", o.version, o."offerId", o."galleryId",
             (o.athlete ->> 'athleteId')::bigint, (o.athlete ->> 'teamId')::bigint, o.athlete ->> 'number'
        from rows from (json_to_recordset(${JSON.stringify(offers)}::json) as (kind text, name text, times integer, "priceCents" integer,
                        "sheetId" bigint, version integer, "offerId" integer, "galleryId" bigint, athlete json)) with ordinality as o
             (kind, name, times, "priceCents", "sheetId", version, "offerId", "galleryId", athlete, place)
       order by o.place
      returning id
    ), placed as (
      select id, row_number() over (order by id) - 1 as place from offers
    ), lines as (
      update order_photos
         set single_cents = l."singleCents", order_offer_id = placed.id
        from json_to_recordset(${JSON.stringify(lines)}::json) as l ("photoId" bigint, "singleCents" integer, offer integer)
             left join placed on placed.place = l.offer
       where order_photos.order_id = ${id} and order_photos.photo_id = l."photoId"
    ), sold as (
      insert into passes (order_id, organization_id, order_offer_id, kind, gallery_id, athlete_id, card_id, team_id, number, sheet_id, valid_until, price_cents, order_key)
      select ${id}::bigint, ${organizationId}::bigint, placed.id, p.kind, p."galleryId",
             (p.athlete ->> 'athleteId')::bigint, (p.athlete ->> 'cardId')::bigint, (p.athlete ->> 'teamId')::bigint, p.athlete ->> 'number', p."sheetId", p."validUntil", p."paidCents", p."orderKey"
        from json_to_recordset(${JSON.stringify(passes)}::json) as p (offer integer, kind text, "galleryId" bigint, athlete json, "sheetId" bigint,
             "validUntil" date, "paidCents" integer, "orderKey" text)
        join placed on placed.place = p.offer
      returning id, order_key
    ), parts as (
      insert into pass_galleries (pass_id, organization_id, gallery_id, price_cents)
      select sold.id, ${organizationId}::bigint, g."galleryId", g."priceCents"
        from json_to_recordset(${JSON.stringify(parts)}::json) as g ("orderKey" text, "galleryId" bigint, "priceCents" integer)
        join sold on sold.order_key = g."orderKey"
    ), asked as (
      insert into order_prices (order_id, organization_id, asked) values (${id}, ${organizationId}, ${JSON.stringify(asked)}::jsonb)
    )
    insert into order_reductions (order_id, organization_id, kind, coupon_id, percent_bp, amount_cents, name)
    select ${id}::bigint, ${organizationId}::bigint, r.kind, r."couponId", r."percentBp", r."amountCents", r.name
      from json_to_recordset(${JSON.stringify(reduction === null ? [] : [reduction])}::json) as r (kind text, "couponId" bigint, "percentBp" integer,
           "amountCents" integer, name text)`.execute(tx);
}
