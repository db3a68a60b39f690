/**
 * `deploy/partitions/by-organization.sql` on a small database: nothing is lost, the product's statements work, and what
 * was unique or hidden is still so across all partitions. The project `divided` runs tests of some modules on such
 * tables (decision record 0082).
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { withClient } from '#src/platform/db/client.ts';
import { migrate } from '#src/platform/db/migrate.ts';
import { divideTables } from '#tests/support/divided-tables.ts';
import { fillAsRelease } from '#tests/support/release-data.ts';
import { createTestDatabase, useTestDatabase } from '#tests/support/test-database.ts';

const RELEASE = '0.3.0';
const DIVIDED = ['photos', 'renditions', 'orders', 'order_photos', 'payment_attempts', 'ledger_txs', 'ledger_entries'];

let before: Record<string, unknown>;
let after: Record<string, unknown>;
const db = useTestDatabase((dir) =>
  createTestDatabase(dir, async (urls) => {
    await fillAsRelease(RELEASE, urls);
    await migrate(urls.ownerUrl);
    before = await shapeOf(urls.superUrl);
    await divideTables(urls.ownerUrl, 4);
    after = await shapeOf(urls.superUrl);
  }),
);

/** Rows of each table and their constraints, except unique keys and targets of foreign keys. */
async function shapeOf(url: string): Promise<Record<string, unknown>> {
  return withClient(url, async (client) => {
    const shape: Record<string, unknown> = {};
    for (const table of DIVIDED) {
      const { rows } = await client.query(
        `select (select jsonb_build_object('rows', count(*), 'hash', sum(hashtextextended(t::text, 0))) from ${table} t) as content,
                (select array_agg(concat_ws(' ', attname, format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated) order by attname)
                   from pg_attribute where attrelid = whole.oid and attnum > 0) as columns,
                (select array_agg(concat_ws(' ', conname, replace(pg_get_constraintdef(oid), ' NOT VALID', '')) order by conname) from pg_constraint where conrelid = whole.oid and contype = 'c') as checks,
                (select array_agg(concat_ws(' ', i.relname, x.indisunique) order by i.relname) from pg_index x join pg_class i on i.oid = x.indexrelid where x.indrelid = whole.oid) as indexes,
                (select array_agg(concat_ws(' ', polname, polcmd, pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) order by polname) from pg_policy where polrelid = whole.oid) as policies,
                (select array_agg(pg_get_triggerdef(oid) order by tgname) from pg_trigger where tgrelid = whole.oid and not tgisinternal and tgname not like '%\\_directory%') as triggers,
                (select array_agg(concat_ws(' ', grantee::regrole, privilege_type) order by grantee, privilege_type) from aclexplode(whole.relacl)) as rights,
                whole.relrowsecurity as secured
           from pg_class whole where whole.oid = $1::regclass`,
        [table],
      );
      shape[table] = rows[0];
    }
    const keys = await client.query(
      `select conrelid::regclass::text as place, conname from pg_constraint where contype = 'f' and conparentid = 0 order by 1, 2`,
    );
    shape['foreign keys'] = keys.rows;
    return shape;
  });
}

test('rows, columns, checks, indexes, foreign keys, triggers, policies and rights are those of before', () => {
  expect(after).toEqual(before);
  expect(before['photos']).toMatchObject({ secured: true });
});

test('a second run changes nothing', async () => {
  await divideTables(db.ownerUrl, 4);
  const [{ parts } = { parts: 0 }] = await db.ownerQuery<{ parts: number }>(
    "select count(*)::integer as parts from pg_class where relnamespace = 'parts'::regnamespace and relkind = 'r'",
  );
  expect(parts).toBe(4 * DIVIDED.length);
});

test('every statement of the product is accepted', { timeout: 60_000 }, async () => {
  const packed = readFileSync(path.join(import.meta.dirname, 'upgrades', `${RELEASE}.statements.json.gz`));
  const statements = (JSON.parse(gunzipSync(packed).toString()) as string[])
    // Of the release before this was possible: today's name no column, and group by what the key of orders is made of.
    .map((text) =>
      text
        .replace('on conflict (checkout_key) do nothing', 'on conflict do nothing')
        .replaceAll(/(orders o\b[^;]*)group by o\.id/g, '$1group by o.id, o.organization_id'),
    );
  const refused = await withClient(db.appUrl, async (app) => {
    const all: string[] = [];
    for (const text of statements)
      await app.query(`explain (generic_plan) ${text}`).catch((error: Error) => all.push(`${error.message}: ${text}`));
    return all;
  });
  expect(refused).toEqual([]);
});

test('the app sees nothing under the name of a partition or of a directory', async () => {
  const names = await db.ownerQuery<{ name: string; kept: boolean }>(
    `select oid::regclass::text as name, reltuples > 0 as kept from pg_class
      where relkind = 'r' and (relnamespace = 'parts'::regnamespace or relname in ('photo_ids', 'order_ids', 'charge_ids', 'posting_sources'))`,
  );
  expect(names.filter(({ kept }) => kept).length).toBeGreaterThan(DIVIDED.length);
  await withClient(db.appUrl, async (app) => {
    await app.query("set app.organization_ids = '*'");
    for (const { name } of names) {
      const seen = await app.query(`select from ${name} limit 1`).then(
        (answer) => answer.rowCount,
        (error: Error) => error.message,
      );
      expect([0, 'permission denied for schema parts']).toContain(seen);
    }
  });
});

/** An order of an organization, with a charge under this reference. */
const placeOrder = (organizationId: number, checkoutKey: string, providerRef: string) =>
  db.ownerQuery<{ id: number }>(
    `with placed as (
       insert into orders (vanity_id, organization_id, checkout_key, content_hash, status, first_name, last_name, email_address, subtotal_cents, tax_cents, donation_cents, share_bps)
       values ($2, $1, $3, '\\x00', 'pending', 'Ann', 'Buyer', 'ann@buyers.test', 400, 0, 0, 2000) on conflict do nothing returning id
     )
     insert into payment_attempts (order_id, organization_id, kind, idempotency_key, amount_cents, state, provider_ref)
     select id, $1, 'charge', $4, 400, 'sent', $5 from placed returning order_id as id`,
    [organizationId, randomUUID(), checkoutKey, randomUUID(), providerRef],
  );

const post = (sourceId: string) =>
  db.ownerQuery(
    `with posting as (insert into ledger_txs (kind, source_type, source_id) values ('sale', 'order', $1) returning id), account as (select min(id) as id from ledger_accounts)
     insert into ledger_entries (tx_id, account_id, amount_cents) select posting.id, account.id, cents from posting, account, (values (5), (-5)) as v (cents)`,
    [sourceId],
  );

test('a checkout key, a charge and a posting exist once, whichever partition they are in', async () => {
  const organizations = await db.ownerQuery<{ id: number }>('select id from organizations order by id');
  const [first, ...others] = organizations.map(({ id }) => id);
  expect(others.length).toBeGreaterThan(3);
  const [placed] = await placeOrder(first ?? 0, 'the same key', 'ch_first');
  expect(placed?.id).toBeGreaterThan(0);
  for (const [at, other] of others.entries()) {
    expect(await placeOrder(other, 'the same key', `ch_${at}`)).toEqual([]);
    await expect(placeOrder(other, `key number ${at}`, 'ch_first')).rejects.toMatchObject({ code: '23505' });
  }
  await post('the same source');
  for (let time = 0; time < 4; time++) await expect(post('the same source')).rejects.toMatchObject({ code: '23505' });
});

test('the books stay balanced and are only added to', async () => {
  const uneven = `with posting as (insert into ledger_txs (kind, source_type, source_id) values ('sale', 'order', 'uneven') returning id)
    insert into ledger_entries (tx_id, account_id, amount_cents) select posting.id, (select min(id) from ledger_accounts), cents from posting, (values (5), (-4)) as v (cents)`;
  await expect(db.ownerQuery(uneven)).rejects.toMatchObject({ code: '23514' });
  await expect(db.ownerQuery('update ledger_entries set amount_cents = 1')).rejects.toMatchObject({ code: '42501' });
});

test('a photo or order that others refer to stays', async () => {
  await expect(
    db.ownerQuery('delete from photos where id in (select photo_id from order_photos)'),
  ).rejects.toMatchObject({ code: '23503' });
  await expect(
    db.ownerQuery('delete from orders where id in (select order_id from order_photos)'),
  ).rejects.toMatchObject({ code: '23503' });
  await expect(
    db.ownerQuery('insert into photo_likes (photo_id, visitor_id) values (1, gen_random_uuid())'),
  ).rejects.toMatchObject({ code: '23503' });
});
