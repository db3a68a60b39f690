/** What the tables of prepaid credit enforce themselves, whichever code writes (migration 0101). */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import { openShop, type Shop } from '#tests/support/shop-goods.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';

const db = useTestDatabase();

async function idOf(text: string, values: unknown[] = []): Promise<number> {
  const [row] = await db.ownerQuery<{ id: number }>(`${text} returning id`, values);
  return row?.id ?? 0;
}

const orderOf = (shop: Shop, kind: 'photos' | 'credit', creditCents = 0) =>
  idOf(
    `insert into orders (vanity_id, organization_id, checkout_key, content_hash, status, first_name, last_name, email_address,
                         subtotal_cents, tax_cents, donation_cents, share_bps, kind, credit_cents)
     values ($1, $2, $1, '\\x00', 'pending', 'Maria', 'Jensen', 'maria@families.test', $3, 0, 0, 2000, $4, $5)`,
    [randomBytes(16).toString('base64url'), shop.sellerId, kind === 'credit' ? 2500 : creditCents, kind, creditCents],
  );

const decide = (orderId: number, status: 'paid' | 'failed') =>
  db.ownerQuery('update orders set status = $2, paid_at = case $2 when $3 then now() end where id = $1', [
    orderId,
    status,
    'paid',
  ]);

async function sellCode(shop: Shop) {
  const orderId = await orderOf(shop, 'credit');
  const codeId = await idOf(
    `insert into credit_codes (organization_id, code_hash, code_encrypted, last4, paid_cents, bonus_cents, order_id, processor)
     values ($1, $2, '\\x00', '7K3M', 2500, 500, $3, 'platform')`,
    [shop.sellerId, randomBytes(32), orderId],
  );
  return { orderId, codeId };
}

async function use(shop: Shop, codeId: number, cents: number): Promise<number> {
  const orderId = await orderOf(shop, 'photos', cents);
  await db.ownerQuery(
    "insert into credit_uses (order_id, code_id, organization_id, cents, state) values ($1, $2, $3, $4, 'reserved')",
    [orderId, codeId, shop.sellerId, cents],
  );
  await db.ownerQuery(
    `insert into order_photos (order_id, organization_id, photo_id, gallery_id, price_cents, order_key) values ($1, $2, $3, $4, $5, $6)`,
    [orderId, shop.sellerId, shop.photoIds[0], shop.galleryId, cents, randomBytes(16).toString('base64url')],
  );
  return orderId;
}

const movements = (codeId: number) =>
  db.ownerQuery('select kind, cents, bonus_cents from credit_movements where code_id = $1 order by id', [codeId]);

test('credit follows the status of its order, once', async () => {
  const shop = await openShop(db, { photos: 1 });
  const { orderId, codeId } = await sellCode(shop);
  expect(await movements(codeId)).toEqual([]);
  await decide(orderId, 'paid');
  const [paid, failed] = [await use(shop, codeId, 1645), await use(shop, codeId, 800)];
  await decide(paid, 'paid');
  await decide(failed, 'failed');
  expect(await movements(codeId)).toEqual([
    { kind: 'sold', cents: 2500, bonus_cents: 500 },
    { kind: 'spent', cents: -1645, bonus_cents: 0 },
  ]);
  expect(await db.ownerQuery('select state from credit_uses where code_id = $1 order by order_id', [codeId])).toEqual([
    { state: 'used' },
    { state: 'released' },
  ]);
});

test('no code is ever overdrawn, however many orders are paid with it at the same time, and its movements are never changed', async () => {
  const shop = await openShop(db, { photos: 1 });
  const { orderId, codeId } = await sellCode(shop);
  await decide(orderId, 'paid');
  const orders = [await use(shop, codeId, 2000), await use(shop, codeId, 2000)];
  const settled = await Promise.allSettled(orders.map((id) => decide(id, 'paid')));
  expect(settled.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const refused = settled.find((one) => one.status === 'rejected');
  expect(refused?.reason).toMatchObject({ code: '23514', constraint: 'credit_movements_balance' });
  for (const text of ['update credit_movements set cents = 0', 'delete from credit_movements'])
    await expect(db.ownerQuery(text)).rejects.toMatchObject({ code: '42501' });
});

test('the auditor finds credit that is missing from the books, and uses that do not match their order', async () => {
  const shop = await openShop(db, { photos: 1 });
  const { orderId, codeId } = await sellCode(shop);
  await decide(orderId, 'paid');
  const spent = await use(shop, codeId, 1000);
  await db.ownerQuery('update orders set credit_cents = 900 where id = $1', [spent]);
  await db.ownerQuery(
    'insert into credit_codes (organization_id, code_hash, code_encrypted, last4, paid_cents, order_id, processor) values ($1, $2, $3, $4, 1, 999999, $5)',
    [shop.sellerId, randomBytes(32), Buffer.of(0), '7K3M', 'platform'],
  );
  const details = await checkInvariants({ database: db.database, sandboxCards: false });
  expect(details).toEqual(
    expect.arrayContaining([
      expect.stringContaining(
        `credit balances: organization ${shop.sellerId} owes credit of 0 and its codes have 2500`,
      ),
      expect.stringMatching(/^credit orders: credit code \d+ belongs to no order of credit /),
      expect.stringContaining(`credit uses: order ${spent} (pending) takes 900 and 0 of credit, its uses 1000`),
    ]),
  );
});

test('the auditor finds credit that came back although nothing was refunded', async () => {
  const shop = await openShop(db, { photos: 1 });
  const { orderId, codeId } = await sellCode(shop);
  await decide(orderId, 'paid');
  const spent = await use(shop, codeId, 1000);
  await decide(spent, 'paid');
  await db.ownerQuery('update orders set credit_returned_cents = 500 where id = $1', [spent]);
  await db.ownerQuery(
    "insert into credit_movements (code_id, organization_id, order_id, kind, cents) values ($1, $2, $3, 'returned', 500)",
    [codeId, shop.sellerId, spent],
  );
  expect(await checkInvariants({ database: db.database, sandboxCards: false })).toContainEqual(
    expect.stringContaining(`credit uses: order ${spent} (paid) takes 1000 and 0 of credit`),
  );
});

test('the auditor finds a code that lost more than the bank took', async () => {
  const shop = await openShop(db, { photos: 1 });
  const { orderId, codeId } = await sellCode(shop);
  await decide(orderId, 'paid');
  for (const [id, status] of Object.entries({ a: 'lost', b: 'open', c: 'won' }))
    await db.ownerQuery(
      'insert into payment_disputes (id, order_id, organization_id, amount_cents, status) values ($1, $2, $3, 1000, $4)',
      [`${codeId}${id}`, orderId, shop.sellerId, status],
    );
  const take = (cents: number) =>
    db.ownerQuery(
      "insert into credit_movements (code_id, organization_id, order_id, kind, cents) values ($1, $2, $3, 'disputed', $4)",
      [codeId, shop.sellerId, orderId, 0 - cents],
    );
  const found = async () =>
    (await checkInvariants({ database: db.database, sandboxCards: false })).filter((line) =>
      line.startsWith('credit disputes:'),
    );
  await take(1000);
  expect(await found()).toEqual([]);
  await take(1);
  expect(await found()).toEqual([
    expect.stringContaining(`credit code ${codeId} lost 1001 by disputes, of which the bank took 1000`),
  ]);
});

test('a seller asks for codes once it, or its parent, has any', async () => {
  const [coupons, credit, none] = [await openShop(db), await openShop(db), await openShop(db)];
  await db.ownerQuery(
    "insert into coupons (organization_id, code, is_made_up, kind, value) values ($1, 'HAWKS20', false, 'percent', 2000)",
    [coupons.sellerId],
  );
  await db.ownerQuery(
    'insert into credit_settings (organization_id, active, amounts_cents, bonuses_cents) values ($1, true, $2, $3)',
    [credit.parentId, [2500], [0]],
  );
  const later = await idOf(
    "insert into organizations (kind, name, domain_name, parent_organization_id) values ('affiliate', 'Later', 'later', $1)",
    [credit.parentId],
  );
  const rows = await db.ownerQuery<{ id: number }>('select id from organizations where takes_codes');
  const ids = rows.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining([coupons.sellerId, credit.parentId, credit.sellerId, later]));
  for (const id of [none.sellerId, none.parentId, coupons.parentId]) expect(ids).not.toContain(id);
});
