/** Price sheets and coupons of a shop: rows as its members would have made them. */
import type { SheetContent } from '#src/features/offers/best-price.rules.ts';
import type { Shop } from '#tests/support/shop-goods.ts';
import type { TestDatabase } from '#tests/support/test-database.ts';

type Seller = Pick<Shop, 'sellerId' | 'galleryId'>;

/** Gives the shop's gallery a price sheet; its id. */
export async function useSheet(
  db: Pick<TestDatabase, 'ownerQuery'>,
  { sellerId, galleryId }: Seller,
  content: SheetContent,
): Promise<number> {
  const [sheet] = await db.ownerQuery<{ id: number }>(
    "insert into price_sheets (organization_id, name, last_offer_id) values ($1, 'Hawks fall', 9) returning id",
    [sellerId],
  );
  const id = sheet?.id ?? 0;
  await db.ownerQuery(
    'insert into price_sheet_versions (sheet_id, version, organization_id, content) values ($1, 1, $2, $3)',
    [id, sellerId, JSON.stringify(content)],
  );
  await db.ownerQuery('update galleries set price_sheet_id = $2 where id = $1', [galleryId, id]);
  return id;
}

/** Changes the content of the sheet from now on. */
export async function changeSheet(
  db: Pick<TestDatabase, 'ownerQuery'>,
  sheetId: number,
  content: SheetContent,
): Promise<void> {
  await db.ownerQuery(
    `with changed as (update price_sheets set current_version = current_version + 1 where id = $1 returning *)
     insert into price_sheet_versions (sheet_id, version, organization_id, content) select id, current_version, organization_id, $2 from changed`,
    [sheetId, JSON.stringify(content)],
  );
}

type CouponPlan = { code: string; kind: 'percent' | 'amount' | 'photos'; value: number; maxUses?: number };

export async function makeCoupon(
  db: Pick<TestDatabase, 'ownerQuery'>,
  { sellerId }: Pick<Shop, 'sellerId'>,
  { code, kind, value, maxUses }: CouponPlan,
): Promise<void> {
  await db.ownerQuery(
    'insert into coupons (organization_id, code, is_made_up, kind, value, max_uses) values ($1, $2, false, $3, $4, $5)',
    [sellerId, code, kind, value, maxUses ?? null],
  );
}
