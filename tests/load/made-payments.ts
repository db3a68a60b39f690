/**
 * The payments of many paid orders on both sides: our charges and the sandbox provider's, with receipts and counters,
 * so that all books agree.
 */
import { withClient } from '#src/platform/db/client.ts';
import { makeSales } from '#tests/load/made-sales.ts';

/** All within the time that a reconciliation compares. */
const DAYS = 30;

/** `count` orders as `makeSales` leaves them, each with its charge. Every fiftieth was disputed and won, every twentieth refunded by a dollar. */
export async function makePayments(ownerUrl: string, count: number): Promise<void> {
  await makeSales(ownerUrl, count, DAYS);
  await withClient(ownerUrl, async (client) => {
    await client.query('begin');
    for (const table of ['ledger_txs', 'ledger_entries', 'photos'])
      await client.query(`alter table ${table} disable trigger user`);
    await client.query(
      'alter table ledger_entries enable trigger ledger_entries_open_balances, enable trigger ledger_entries_account_days',
    );
    await client.query(
      `create temp table made on commit drop as
       select o.id, o.vanity_id, o.organization_id, o.total_cents, 30 + round(o.total_cents * 0.029)::int as fee_cents, o.paid_at as at,
              'ch_season_' || o.id as ref, gen_random_uuid() as key, case when o.id % 20 = 0 then 100 else 0 end as back
         from orders o where o.email_address like '%@buyers.test'`,
    );
    await client.query(
      `insert into payment_attempts (order_id, organization_id, kind, idempotency_key, amount_cents, state, provider_ref, fee_cents, created_at, sent_at, decided_at)
       select id, organization_id, 'charge', key, total_cents, 'succeeded', ref, fee_cents, at, at, at from made`,
    );
    await client.query(
      `insert into sandbox_provider.charges (id, amount_cents, fee_cents, status, description, metadata, card, created_at)
       select ref, total_cents, fee_cents, 'succeeded', 'Photos', jsonb_build_object('order', vanity_id), '{}', at from made`,
    );
    await client.query(
      `insert into sandbox_provider.idempotency_keys (key, content_hash, charge_id) select key::text, '\\x00', ref from made`,
    );
    await client.query(
      `insert into mail_outbox (dedupe_key, recipient, subject, html, body_text, sent_at)
       select 'receipt-' || vanity_id, 'ann@buyers.test', 'Your photos', '', '', at from made`,
    );
    await client.query(
      `insert into payment_disputes (id, order_id, organization_id, amount_cents, status, opened_at, closed_at)
       select 'dp_season_' || id, id, organization_id, total_cents, 'won', at, at from made where id % 50 = 1`,
    );
    await client.query(
      `insert into sandbox_provider.disputes (id, charge_id, amount_cents, status, created_at, closed_at)
       select 'dp_season_' || id, ref, total_cents, 'won', at, at from made where id % 50 = 1`,
    );
    await refundSome((text) => client.query(text));
    await client.query(COUNT_SALES);
    for (const table of ['ledger_txs', 'ledger_entries', 'photos'])
      await client.query(`alter table ${table} enable trigger user`);
    await client.query('commit');
    await client.query('vacuum analyze');
  });
}

/** A refund of one dollar: a fifth of it was the platform's share, as `refundEntries` divides it without tax. */
async function refundSome(query: (text: string) => Promise<unknown>): Promise<void> {
  await query(
    `update orders o set status = 'partially_refunded', refunded_cents = made.back from made where made.id = o.id and made.back > 0`,
  );
  await query(
    `insert into payment_attempts (order_id, organization_id, kind, idempotency_key, amount_cents, state, provider_ref, created_at, sent_at, decided_at)
     select id, organization_id, 'refund', gen_random_uuid(), back, 'succeeded', 're_season_' || id, at, at, at from made where back > 0`,
  );
  await query(
    `insert into sandbox_provider.refunds (id, charge_id, amount_cents, created_at) select 're_season_' || id, ref, back, at from made where back > 0`,
  );
  await query(
    `insert into ledger_txs (kind, source_type, source_id, posted_at) select 'refund', 'refund', id || ':' || back, at from made where back > 0 order by id`,
  );
  await query(
    `insert into ledger_entries (tx_id, account_id, amount_cents, order_id)
     select t.id, a.id, part.cents, m.id
       from made m join ledger_txs t on t.kind = 'refund' and t.source_type = 'refund' and t.source_id = m.id || ':' || m.back
       cross join lateral (select m.back * (m.total_cents / 5) / m.total_cents as share) s
       cross join lateral (values ('provider_clearing', null::bigint, -m.back), ('platform_fee', null, s.share),
                                  ('org_payable', m.organization_id, m.back - s.share)) as part (kind, owner, cents)
       join ledger_accounts a on a.kind = part.kind and a.organization_id is not distinct from part.owner`,
  );
}

/** Counters of photos and galleries, net of refunds: divided as refunds/refund-by-photo.rules.ts does. */
const COUNT_SALES = `
  with kept as (
    select l.photo_id, l.gallery_id, l.price_cents - ((l.upto * m.back / m.total_cents) - (l.upto - l.price_cents) * m.back / m.total_cents) as cents
      from made m
      join (select *, sum(price_cents) over (partition by order_id order by id) as upto from order_photos) l on l.order_id = m.id
  ), of_photos as (
    update photos p set sales_count = s.times, sales_cents = s.cents
      from (select photo_id, count(*) as times, sum(cents) as cents from kept group by photo_id) s where s.photo_id = p.id
  ), given as (
    select o.donation_gallery_id as gallery_id, sum(o.donation_cents - (m.back - o.subtotal_cents * m.back / m.total_cents)) as cents
      from made m join orders o on o.id = m.id where o.donation_cents > 0 group by 1
  )
  update galleries g set photos_sold = s.times, sales_cents = s.cents, donations_cents = coalesce(given.cents, 0)
    from (select gallery_id, count(*) as times, sum(cents) as cents from kept group by gallery_id) s
    left join given using (gallery_id) where s.gallery_id = g.id`;
