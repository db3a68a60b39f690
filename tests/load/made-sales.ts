/** Many paid orders of many sellers with their postings, inserted directly into the tables, as after a busy season. */
import { withClient } from '#src/platform/db/client.ts';

const SELLERS = 40;
const DAYS = 300;

/**
 * `count` orders of one to three photos, spread over forty sellers and a number of days, the first one now; each booked
 * as a sale.
 */
export async function makeSales(ownerUrl: string, count: number, days = DAYS): Promise<void> {
  await withClient(ownerUrl, async (client) => {
    await client.query('begin');
    // A posting's balance is asked for per row; the rows below are made of one another.
    for (const table of ['ledger_txs', 'ledger_entries', 'photos'])
      await client.query(`alter table ${table} disable trigger user`);
    await client.query(
      'alter table ledger_entries enable trigger ledger_entries_open_balances, enable trigger ledger_entries_account_days',
    );
    await client.query(
      `insert into organizations (kind, name, domain_name, parent_organization_id, free_tier)
       select 'affiliate', 'Season Club ' || n, 'season-' || n, 1, false from generate_series(1, $1::int) as n`,
      [SELLERS],
    );
    await client.query(
      `create temp table made_sellers on commit drop as
       select id, row_number() over (order by id) - 1 as place from organizations where domain_name like 'season-%'`,
    );
    await client.query(
      `insert into galleries (organization_id, name, price_cents, photos_by, photo_count, public_photo_count)
       select id, 'Season', 400, 'Bench', 3, 3 from made_sellers`,
    );
    await client.query(
      `insert into photos (gallery_id, organization_id, name, status, order_key, width, height, thumbhash, original_key, original_sha256, original_bytes)
       select g.id, g.organization_id, 'Photo', 'ready', 'a0000000' || n || 'V', 2400, 1600, '\\x0102', 'originals/none.jpg', repeat('0', 64), 10
         from galleries g join made_sellers s on s.id = g.organization_id, generate_series(1, 3) as n`,
    );
    await client.query(
      `insert into orders (vanity_id, organization_id, checkout_key, content_hash, status, first_name, last_name, email_address,
                           subtotal_cents, tax_cents, donation_cents, donation_gallery_id, share_bps, card_brand, card_last4, created_at, paid_at)
       select md5('season' || n), s.id, md5('season' || n), '\\x00', 'paid', 'Ann', 'Buyer ' || n, 'ann' || n || '@buyers.test',
              400 * (1 + n % 3), 0, case when n % 4 = 0 then 500 else 0 end, case when n % 4 = 0 then g.id end, 2000, 'visa', '4242', made.at, made.at
         from generate_series(1, $1::int) as n
         join made_sellers s on s.place = n % $2
         join galleries g on g.organization_id = s.id
         cross join lateral (select now() - n * interval '1 day' * $3 / $1 as at) made`,
      [count, SELLERS, days],
    );
    await client.query(
      `insert into order_photos (order_id, organization_id, photo_id, gallery_id, price_cents, order_key)
       select o.id, o.organization_id, p.id, p.gallery_id, 400, md5('line' || o.id || '-' || p.id)
         from orders o join made_sellers s on s.id = o.organization_id
         cross join lateral (select id, gallery_id from photos where organization_id = o.organization_id order by id limit o.subtotal_cents / 400) p`,
    );
    await client.query(
      `insert into ledger_accounts (organization_id, kind)
       select id, 'org_payable' from made_sellers union all select null, kind from unnest(array['provider_clearing', 'platform_fee']) as kind
       on conflict do nothing`,
    );
    await client.query(
      `insert into ledger_txs (kind, source_type, source_id, posted_at)
       select 'sale', 'order', o.id, o.paid_at from orders o join made_sellers s on s.id = o.organization_id order by o.id`,
    );
    await client.query(
      `insert into ledger_entries (tx_id, account_id, amount_cents, order_id)
       select t.id, a.id, part.cents, o.id
         from orders o join made_sellers s on s.id = o.organization_id
         join ledger_txs t on t.kind = 'sale' and t.source_type = 'order' and t.source_id = o.id::text
         cross join lateral (select o.total_cents as total, 30 + round(o.total_cents * 0.029)::int as fee, o.total_cents / 5 as share) m
         cross join lateral (values ('provider_clearing', null::bigint, m.total - m.fee), ('platform_fee', null, -m.share),
                                    ('org_payable', o.organization_id, m.share + m.fee - m.total)) as part (kind, owner, cents)
         join ledger_accounts a on a.kind = part.kind and a.organization_id is not distinct from part.owner
        order by t.id`,
    );
    for (const table of ['ledger_txs', 'ledger_entries', 'photos'])
      await client.query(`alter table ${table} enable trigger user`);
    await client.query('commit');
    await client.query('vacuum analyze');
  });
}
