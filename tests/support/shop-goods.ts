/** Photos to sell, and the body that buys them: rows as their owner would have made them. */
import type { TestDatabase } from '#tests/support/test-database.ts';

export type Shop = { parentId: number; sellerId: number; galleryId: number; photoIds: number[] };
export type ShopPlan = { priceCents?: number; photos?: number; shareBps?: number; taxId?: string };

let shops = 0;

/** A parent with one affiliate, one gallery and some ready photos. */
export async function openShop(
  db: TestDatabase,
  { priceCents = 400, photos = 3, shareBps = 2000, taxId }: ShopPlan = {},
): Promise<Shop> {
  const name = `shop${++shops}`;
  const [parent] = await db.ownerQuery<{ id: number }>(
    "insert into organizations (kind, name, domain_name, free_tier) values ('organization', $1, $2, false) returning id",
    [`Parent ${name}`, `parent-${name}`],
  );
  const [seller] = await db.ownerQuery<{ id: number }>(
    "insert into organizations (kind, name, domain_name, parent_organization_id, free_tier, share_bps) values ('affiliate', $1, $2, $3, false, $4) returning id",
    [`Hawks ${name}`, name, parent?.id, shareBps],
  );
  await db.ownerQuery('insert into organization_private (organization_id, tax_id) values ($1, $2)', [
    seller?.id,
    taxId ?? null,
  ]);
  const [gallery] = await db.ownerQuery<{ id: number }>(
    'insert into galleries (organization_id, name, price_cents) values ($1, $2, $3) returning id',
    [seller?.id, 'Final', priceCents],
  );
  const shop: Shop = {
    parentId: parent?.id ?? 0,
    sellerId: seller?.id ?? 0,
    galleryId: gallery?.id ?? 0,
    photoIds: [],
  };
  for (let index = 0; index < photos; index++) shop.photoIds.push(await addPhoto(db, shop, `Goal ${index + 1}`));
  return shop;
}

export async function addPhoto(
  db: TestDatabase,
  shop: Pick<Shop, 'sellerId' | 'galleryId'>,
  name: string,
): Promise<number> {
  const [photo] = await db.ownerQuery<{ id: number }>(
    `insert into photos (gallery_id, organization_id, name, status, order_key, width, height, thumbhash, original_key, original_sha256, original_bytes)
     values ($1, $2, $3, 'ready', gen_random_uuid()::text, 4000, 3000, '\\x00', 'originals/x', 'x', 1) returning id`,
    [shop.galleryId, shop.sellerId, name],
  );
  const id = photo?.id ?? 0;
  await db.ownerQuery(
    "insert into renditions (photo_id, size, mark, format, pixel_version, object_key, sha256, bytes, width, height) values ($1, 640, 'clean', 'jpeg', 1, 'k', 'x', 1, 640, 480)",
    [id],
  );
  return id;
}

export const BUYER = {
  first_name: 'Maria',
  last_name: 'Jensen',
  email: 'maria@families.test',
  confirm_email: 'maria@families.test',
  zip: '55401',
};

let keys = 0;

export type Cart = {
  items: { id: number; gallery_id: number; sales_price: number }[];
  order: Record<string, unknown>;
  stripe_token: unknown;
};

/** The body of `POST /api/v1/orders` for some photos of a shop at `price` dollars each. */
export function cartOf(
  shop: Shop,
  changes: {
    photos?: number[];
    price?: number;
    token?: unknown;
    order?: Record<string, unknown>;
    user?: Record<string, unknown>;
  } = {},
): Cart {
  const { photos = shop.photoIds, price = 4, token = null } = changes;
  return {
    order: {
      user: { ...BUYER, ...changes.user },
      donation: '',
      taxes: 0,
      subtotal: photos.length * price,
      org_id: shop.sellerId,
      donation_gallery_id: null,
      checkout_key: `test-checkout-${process.pid}-${++keys}`,
      ...changes.order,
    },
    stripe_token: token,
    items: photos.map((id) => ({ id, gallery_id: shop.galleryId, sales_price: price })),
  };
}
