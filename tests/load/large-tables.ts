/**
 * Millions of photos and orders of thousands of organizations, inserted directly into the tables; for `npm run plans`.
 */
import type pg from 'pg';
import { withClient } from '#src/platform/db/client.ts';

export type LargeTables = { organizations: number; photos: number; orders: number };

const PHOTOS_OF_GALLERY = 100;
/** The largest gallery has a hundredth of all photos. */
const LARGEST_SHARE = 0.01;
/** Galleries whose photos have their ten renditions, and their keyword: every nth one. */
const RENDITIONS_EVERY = 20;
const KEYWORDS_EVERY = 10;
/** Counted, because their ids are random: of few galleries too few may have an id with a given remainder. */
const everyNth = (nth: number) => `
  select id from (select id, row_number() over (order by hashint8(id)) as place from galleries) every_gallery
   where place % ${nth} = 0`;
export const GALLERIES_WITH_RENDITIONS = everyNth(RENDITIONS_EVERY);
/** Sellers of all orders: affiliates of one parent. */
const SELLER_SHARE = 0.1;
const DAYS = 300;

const FILLED = [
  'photos',
  'photo_keywords',
  'renditions',
  'orders',
  'order_photos',
  'payment_attempts',
  'ledger_txs',
  'ledger_entries',
];

type Tell = (line: string) => void;

/**
 * Fills an empty migrated database. A tenth of the organizations are affiliates of the parent `season` and sold all orders, of one to
 * three photos each, all of them paid and none paid out. Triggers do not run. @param superUrl of a superuser
 */
export async function fillLargeTables(superUrl: string, { organizations, photos, orders }: LargeTables, tell: Tell) {
  await withClient(superUrl, async (client) => {
    await client.query(
      "set session_replication_role = 'replica'; set maintenance_work_mem = '1GB'; set work_mem = '256MB'",
    );
    const rebuild = await dropIndexes(client);
    const did = async (what: string, text: string, values: unknown[] = []) => {
      const began = performance.now();
      const { rowCount } = await client.query(text, values);
      tell(`${what}: ${rowCount ?? 0} rows, ${((performance.now() - began) / 1_000).toFixed(0)} s`);
    };
    const parents = Math.max(1, Math.floor(organizations / 100));
    await did(
      'parents',
      `insert into organizations (kind, name, domain_name, free_tier)
       select 'organization', 'Parent ' || n, case n when 1 then 'season' else 'parent-' || n end, false from generate_series(1, $1::int) as n`,
      [parents],
    );
    await did(
      'affiliates',
      `insert into organizations (kind, name, domain_name, parent_organization_id, free_tier)
       select 'affiliate', 'Club ' || n, 'club-' || n, p.id, false from generate_series(1, $1::int - $2::int) as n
         join organizations p on p.domain_name = case when n <= $1 * $3::float8 or $2 = 1 then 'season' else 'parent-' || 2 + n % ($2 - 1) end`,
      [organizations, parents, SELLER_SHARE],
    );
    await client.query('insert into organization_private (organization_id) select id from organizations where id > 1');
    await client.query('analyze organizations');
    const largest = Math.round(photos * LARGEST_SHARE);
    await did(
      'galleries',
      `insert into galleries (organization_id, name, price_cents, photos_by, photo_count, public_photo_count, created_at)
       select o.id, 'Match ' || n, 400, 'Made', size.photos, size.photos, now() - n * interval '1 minute'
         from generate_series(0, $1::int) as n
         join (select id, row_number() over (order by id) - 1 as place from organizations where kind = 'affiliate') o
           on o.place = n % (select count(*) from organizations where kind = 'affiliate')
         cross join lateral (select case n when 0 then $2::int else ${PHOTOS_OF_GALLERY} end as photos) size`,
      [Math.ceil((photos - largest) / PHOTOS_OF_GALLERY), largest],
    );
    await did('photos', PHOTOS);
    await client.query('vacuum analyze photos, galleries');
    await rebuild('photos', tell);
    await did(
      'renditions',
      `insert into renditions (photo_id, size, mark, format, pixel_version, object_key, sha256, bytes, width, height)
       select p.id, size, mark, 'jpeg', 1, 'renditions/' || left(hash, 2) || '/' || hash || '.jpg', hash, 30000 + size * 100, size, size * 2 / 3
         from photos p, unnest(array[320, 480, 640, 960, 1440]) as size, unnest(array['clean', 'marked']) as mark,
              lateral (select md5(p.id || mark || size) || md5(size || mark || p.id) as hash) made
        where p.gallery_id in (${GALLERIES_WITH_RENDITIONS})`,
    );
    await did(
      'keywords',
      `insert into photo_keywords (photo_id, gallery_id, organization_id, name)
       select id, gallery_id, organization_id, 'number ' || hashint8(id) % 30 from photos where tagged`,
    );
    await client.query('create temp table sellers as ' + SELLERS);
    await client.query('analyze sellers');
    await did('orders', ORDERS, [orders]);
    await did('lines', LINES);
    await did(
      'charges',
      `insert into payment_attempts (order_id, organization_id, kind, idempotency_key, amount_cents, state, provider_ref, fee_cents, created_at, sent_at, decided_at)
       select id, organization_id, 'charge', gen_random_uuid(), total_cents, 'succeeded', 'ch_' || md5(id::text),
              30 + round(total_cents * 0.029)::int, paid_at, paid_at, paid_at from orders order by id`,
    );
    await did(
      'accounts',
      `insert into ledger_accounts (organization_id, kind)
       select organization_id, 'org_payable' from sellers union all select null, kind from unnest(array['provider_clearing', 'platform_fee']) as kind`,
    );
    await did(
      'postings',
      `insert into ledger_txs (kind, source_type, source_id, posted_at) select 'sale', 'order', id, paid_at from orders order by id`,
    );
    await did('entries', ENTRIES);
    await did(
      'open balances',
      `insert into open_balances select e.account_id, e.order_id, e.amount_cents
         from ledger_entries e join ledger_accounts a on a.id = e.account_id and a.kind = 'org_payable'`,
    );
    for (const table of FILLED.slice(1)) await rebuild(table, tell);
    await client.query(
      `insert into sales_changes (organization_id, paid_at) select organization_id, 'infinity' from sellers`,
    );
    await client.query(
      'insert into page_changes (organization_id, gallery_id) select organization_id, id from galleries',
    );
    await client.query('vacuum analyze');
  });
}

/** Rows as ingest leaves them: each twentieth is hidden. */
const PHOTOS = `
  insert into photos (gallery_id, organization_id, name, status, show_in_gallery, order_key, batch_prefix, width, height, thumbhash, captured_at,
                      exif, upload_key, upload_etag, original_key, original_sha256, original_bytes, mark_name, dhash, sharpness, tagged)
  select g.id, g.organization_id, 'IMG_' || n, 'ready', n % 20 <> 19, 'a' || lpad(n::text, 8, '0') || 'V', 'a0', 4000, 3000,
         decode(left(made.hash, 48), 'hex'), now() - n * interval '1 second', '{"camera":"Made 7","takenAt":"2026-05-09T18:00:00","iso":400}',
         'uploads/' || g.organization_id || '/' || g.id || '/' || left(made.hash, 32) || '.jpg', left(made.hash, 32),
         'originals/' || left(made.hash, 2) || '/' || made.hash || '.jpg', made.hash, 4000000, 'text-made', left(made.hash, 16), 1.5,
         g.id in (${everyNth(KEYWORDS_EVERY)})
    from galleries g cross join lateral generate_series(1, g.photo_count) as n
   cross join lateral (select md5(g.id || '-' || n) || md5(n || '-' || g.id) as hash) made`;

const SELLERS = `
  select o.id as organization_id, row_number() over (order by o.id) - 1 as place,
         (select array_agg(p.id) from (select id from photos where gallery_id = g.id and removed_at is null order by order_key limit 20) p) as photo_ids, g.id as gallery_id
    from organizations o join organizations parent on parent.id = o.parent_organization_id and parent.domain_name = 'season'
    join lateral (select min(id) as id from galleries where organization_id = o.id) g on true`;

const ORDERS = `
  insert into orders (vanity_id, organization_id, checkout_key, content_hash, status, first_name, last_name, email_address, zip,
                      subtotal_cents, tax_cents, donation_cents, donation_gallery_id, share_bps, card_brand, card_last4, created_at, paid_at)
  select md5('made' || n), s.organization_id, md5('key' || n), '\\x00', 'paid', 'Ann', 'Buyer ' || n, 'ann' || n % 300000 || '@buyers.test', '55401',
         400 * (1 + n % 3), 0, case when n % 4 = 0 then 500 else 0 end, case when n % 4 = 0 then s.gallery_id end, 2000, 'visa', '4242', made.at, made.at
    from generate_series($1::int, 1, -1) as n join sellers s on s.place = n % (select count(*) from sellers)
   cross join lateral (select now() - n * interval '1 day' * ${DAYS} / $1 as at) made order by n desc`;

const LINES = `
  insert into order_photos (order_id, organization_id, photo_id, gallery_id, price_cents, order_key)
  select o.id, o.organization_id, s.photo_ids[1 + (o.id + n) % cardinality(s.photo_ids)], s.gallery_id, 400, md5('line' || o.id || '-' || n)
    from orders o join sellers s on s.organization_id = o.organization_id cross join lateral generate_series(1, o.subtotal_cents / 400) as n
   order by o.id, n`;

const ENTRIES = `
  insert into ledger_entries (tx_id, account_id, amount_cents, order_id)
  select t.id, a.id, part.cents, o.id
    from orders o join ledger_txs t on t.kind = 'sale' and t.source_type = 'order' and t.source_id = o.id::text
   cross join lateral (select o.total_cents as total, 30 + round(o.total_cents * 0.029)::int as fee, o.total_cents / 5 as share) m
   cross join lateral (values ('provider_clearing', null::bigint, m.total - m.fee), ('platform_fee', null, -m.share),
                              ('org_payable', o.organization_id, m.share + m.fee - m.total)) as part (kind, owner, cents)
    join ledger_accounts a on a.kind = part.kind and coalesce(a.organization_id, 0) = coalesce(part.owner, 0)
   order by t.id`;

/**
 * An index that grows row by row takes many times as long as one that is built once. Returns a function that rebuilds
 * those of a table.
 */
async function dropIndexes(client: pg.Client) {
  const { rows: keys } = await client.query<{ name: string; drop: string; add: string }>(
    `select conrelid::regclass::text as name, format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
            format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
              || case contype when 'f' then ' not valid' else '' end as add
       from pg_constraint
      where (contype in ('p', 'u') and conrelid::regclass::text = any ($1)) or (contype = 'f' and confrelid::regclass::text = any ($1))
      order by contype = 'f' desc`,
    [FILLED],
  );
  const { rows: indexes } = await client.query<{ name: string; drop: string; add: string }>(
    `select indrelid::regclass::text as name, format('drop index %s', indexrelid::regclass) as drop, pg_get_indexdef(indexrelid) as add
       from pg_index where indrelid::regclass::text = any ($1) and not exists (select from pg_constraint where conindid = indexrelid)`,
    [FILLED],
  );
  for (const { drop } of [...keys, ...indexes]) await client.query(drop);
  const isForeign = ({ add }: { add: string }) => add.includes('FOREIGN KEY');
  const left = [...keys.filter((key) => !isForeign(key)), ...indexes];
  const foreign = keys.filter(isForeign);
  return async (table: string, tell: Tell) => {
    const began = performance.now();
    const own = left.filter(({ name }) => name === table);
    for (const { add } of own) await client.query(add);
    if (table === FILLED.at(-1)) for (const { add } of foreign) await client.query(add);
    tell(`indexes of ${table}: ${own.length}, ${((performance.now() - began) / 1_000).toFixed(0)} s`);
  };
}
