/** What the tables of offers refuse themselves, and to whom they show their rows (migration 0090). */
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Scope } from '#src/platform/db/db.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';

const db = useTestDatabase();
const ofTenant = (id: number): Scope => ({ kind: 'tenants', organizationIds: [id] });

let parent: number;
let child: number;
let stranger: number;
let gallery: number;
let photo: number;

async function idOf(text: string, values: unknown[] = []): Promise<number> {
  const [row] = await db.ownerQuery<{ id: number }>(`${text} returning id`, values);
  return row?.id ?? 0;
}

const organization = (name: string, kind: string, parentId: number | null) =>
  idOf(
    'insert into organizations (kind, name, domain_name, parent_organization_id) values ($1, $2::text, $2::citext, $3)',
    [kind, name, parentId],
  );

async function sheetOf(owner: number, isShared = false): Promise<number> {
  const id = await idOf('insert into price_sheets (organization_id, name, shared_with_children) values ($1, $2, $3)', [
    owner,
    'Fall',
    isShared,
  ]);
  await db.ownerQuery(
    `insert into price_sheet_versions (sheet_id, version, organization_id, content) values ($1, 1, $2, '{"offers": []}')`,
    [id, owner],
  );
  return id;
}

const use = (sheet: number | null) =>
  db.ownerQuery('update galleries set price_sheet_id = $1 where id = $2', [sheet, gallery]);

beforeAll(async () => {
  parent = await organization('house', 'organization', null);
  child = await organization('team', 'affiliate', parent);
  stranger = await organization('other', 'affiliate', 1);
  gallery = await idOf(`insert into galleries (organization_id, name, price_cents) values ($1, 'Cup', 400)`, [child]);
  photo = await idOf(
    `insert into photos (gallery_id, organization_id, name, status, order_key, width, height, thumbhash, original_key, original_sha256, original_bytes)
     values ($1, $2, 'one', 'ready', 'a0', 10, 10, '\\x00', 'originals/x', 'x', 1)`,
    [gallery, child],
  );
});

test('a gallery is sold by a sheet of its own organization, or by one that the parent shares', async () => {
  const refused = { code: '23514' };
  await expect(use(await sheetOf(stranger, true))).rejects.toMatchObject(refused);
  await expect(use(await sheetOf(parent))).rejects.toMatchObject(refused);
  const archived = await sheetOf(child);
  await db.ownerQuery('update price_sheets set archived_at = now() where id = $1', [archived]);
  await expect(use(archived)).rejects.toMatchObject(refused);
  await use(await sheetOf(child));
  await use(await sheetOf(parent, true));
  await use(null);
});

test('what a sheet said is never changed, and is at most 8 kB', async () => {
  const sheet = await sheetOf(child);
  for (const text of ['update price_sheet_versions set version = 2', 'delete from price_sheet_versions'])
    await expect(db.ownerQuery(text)).rejects.toMatchObject({ code: '42501' });
  await expect(
    db.ownerQuery(
      'insert into price_sheet_versions (sheet_id, version, organization_id, content) values ($1, 2, $2, $3)',
      [sheet, child, JSON.stringify({ offers: 'x'.repeat(8200) })],
    ),
  ).rejects.toMatchObject({ code: '23514' });
});

describe('who sees a sheet', () => {
  const seenBy = async (scope: Scope, sheet: number): Promise<number> => {
    const { rows } = await db.database.read(scope, (reader) =>
      sql<{ seen: number }>`
        select (select count(*) from price_sheets where id = ${sheet})::int + (select count(*) from price_sheet_versions where sheet_id = ${sheet})::int as seen`.execute(
        reader,
      ),
    );
    return rows[0]?.seen ?? 0;
  };

  test('its organization and the children of it do, others only while a gallery is sold by it', async () => {
    const sheet = await sheetOf(parent, true);
    expect(await seenBy(ofTenant(parent), sheet)).toBe(2);
    expect(await seenBy(ofTenant(child), sheet)).toBe(2);
    expect(await seenBy(ofTenant(stranger), sheet)).toBe(0);
    expect(await seenBy({ kind: 'public' }, sheet)).toBe(0);
    await use(sheet);
    expect(await seenBy({ kind: 'public' }, sheet)).toBe(2);
    await use(null);
  });

  test('a child cannot change a sheet of its parent, nor can another organization change anything', async () => {
    const sheet = await sheetOf(parent, true);
    for (const scope of [ofTenant(child), ofTenant(stranger), { kind: 'public' } as const]) {
      const { numAffectedRows } = await db.database.write(scope, (tx) =>
        sql`update price_sheets set name = 'Mine' where id = ${sheet}`.execute(tx),
      );
      expect(numAffectedRows).toBe(0n);
      await expect(
        db.database.write(scope, (tx) =>
          sql`insert into price_sheet_versions (sheet_id, version, organization_id, content) values (${sheet}, 2, ${parent}, '{}')`.execute(
            tx,
          ),
        ),
      ).rejects.toMatchObject({ code: '42501' });
    }
  });

  test('a change to it counts as a change to the pages of its galleries', async () => {
    const sheet = await sheetOf(child);
    await use(sheet);
    const changes = () => db.ownerQuery('select id from page_changes where gallery_id = $1', [gallery]);
    const before = (await changes()).length;
    await db.ownerQuery('update price_sheets set archived_at = null where id = $1', [sheet]);
    expect(await changes()).toHaveLength(before + 1);
    await use(null);
  });
});

describe('an order is sold', () => {
  const FACTS = `'\\x00', 'pending', 'Maria', 'Jensen', 'maria@families.test', 0, 0, 2000`;

  async function orderOf(subtotal: number, lineCents: number): Promise<number> {
    const key = crypto.randomUUID();
    const id = await idOf(
      `insert into orders (vanity_id, checkout_key, content_hash, status, first_name, last_name, email_address, tax_cents, donation_cents,
                           share_bps, organization_id, subtotal_cents) values ($1::text, $1::text, ${FACTS}, $2, $3)`,
      [key, child, subtotal],
    );
    await db.ownerQuery(
      `insert into order_photos (order_id, organization_id, photo_id, gallery_id, price_cents, order_key) values ($1, $2, $3, $4, $5, $6)`,
      [id, child, photo, gallery, lineCents, key],
    );
    return id;
  }

  async function addPass(order: number, priceCents: number, galleryCents: number): Promise<void> {
    const sheet = await sheetOf(child);
    const offer = await idOf(
      `insert into order_offers (order_id, organization_id, kind, name, times, price_cents, sheet_id, version, offer_id, gallery_id)
       values ($1, $2, 'gallery_pass', 'The whole gallery “Cup”', 1, $3, $4, 1, 1, $5)`,
      [order, child, priceCents, sheet, gallery],
    );
    const pass = await idOf(
      `insert into passes (order_id, organization_id, order_offer_id, kind, gallery_id, sheet_id, valid_until, price_cents, order_key)
       values ($1, $2, $3, 'gallery_pass', $4, $5, '2027-06-30', $6, $7)`,
      [order, child, offer, gallery, sheet, priceCents, crypto.randomUUID()],
    );
    await db.ownerQuery('insert into pass_galleries values ($1, $2, $3, $4)', [pass, child, gallery, galleryCents]);
  }

  const sell = (order: number) =>
    db.ownerQuery(`update orders set status = 'paid', paid_at = now() where id = $1`, [order]);

  test('when its lines and passes are its subtotal', async () => {
    await sell(await orderOf(400, 400));
    const withPass = await orderOf(4000, 0);
    await addPass(withPass, 4000, 4000);
    await sell(withPass);
  });

  test('is refused otherwise, and so is a pass that is not the sum of its galleries', async () => {
    const short = await orderOf(400, 300);
    await expect(sell(short)).rejects.toMatchObject({ constraint: 'orders_parts' });
    await addPass(short, 100, 99);
    await expect(sell(short)).rejects.toMatchObject({ constraint: 'orders_parts' });
    await db.ownerQuery(`update orders set status = 'failed' where id = $1`, [short]);
    await expect(sell(short)).rejects.toMatchObject({ constraint: 'orders_parts' });
  });
});
