/**
 * What must be true of the rows at any time (invariants I1-I13), each as a query for the rows that violate it. Modules keep
 * their own tables correct; this file reads everyone's and writes nothing. Whether objects match rows (invariants I7, I8) is
 * checked by `npm run storage:check`.
 */
import { sql } from 'kysely';
import { MOMENT, type Invariant, type Violation } from '#src/features/ledger/invariant.sql.ts';
import { CREDIT } from '#src/features/ledger/invariants-of-credit.sql.ts';
import { OFFERS } from '#src/features/ledger/invariants-of-offers.sql.ts';
import { IMPORTS } from '#src/features/ledger/invariants-of-imports.sql.ts';
import { KEPT_SALES } from '#src/features/ledger/invariants-of-kept-sales.sql.ts';
import type { Reader } from '#src/platform/db/db.ts';

/** An unexplained charge that is older is no longer in flight (invariant I4). */
const IN_FLIGHT = sql`interval '15 minutes'`;
const SOLD = sql`('paid', 'partially_refunded', 'refunded', 'disputed')`;

const ORDERS: Invariant[] = [
  {
    name: 'I1',
    rule: 'every sold order that cost something has exactly one sale, of photos or of credit, in the books, and no other order has any',
    broken: sql`
      select 'order ' || o.id || ' (' || o.status || ') has ' || count(t.id) || ' sales' as detail
        from orders o left join ledger_txs t on t.kind = case o.kind when 'credit' then 'credit_sale' else 'sale' end and t.source_type = 'order' and t.source_id = o.id::text
       group by o.id, o.organization_id having count(t.id) <> (o.status in ${SOLD} and o.total_cents > 0 and o.processor = 'platform')::integer`,
  },
  {
    name: 'orders',
    rule: 'the lines and passes of an order sum to its subtotal',
    broken: sql`
      select 'order ' || o.id || ' says ' || o.subtotal_cents || ' and its parts ' || coalesce(sum(l.price_cents), 0) as detail
        from orders o left join order_parts() l on l.order_id = o.id
       group by o.id, o.organization_id having coalesce(sum(l.price_cents), 0) <> (o.kind = 'photos')::integer * o.subtotal_cents or (count(l.id) = 0) <> (o.kind = 'credit')`,
  },
  {
    name: 'attempts',
    rule: 'a sold order that cost something has one succeeded charge of its total less credit; a pending one has one undecided; others have none',
    broken: sql`
      select 'order ' || o.id || ' (' || o.status || ') has charges: ' || coalesce(string_agg(a.state || ' ' || a.amount_cents, ', '), 'none') as detail
        from orders o left join payment_attempts a on a.order_id = o.id and a.kind = 'charge'
       where o.processor = 'platform'
       group by o.id, o.organization_id
      having count(*) filter (where a.state = 'succeeded' and a.amount_cents = o.total_cents - o.credit_cents) <> (o.status in ${SOLD} and o.total_cents > o.credit_cents)::integer
          or count(*) filter (where a.state in ('created', 'sent', 'unknown')) <> (o.status = 'pending')::integer`,
  },
  {
    name: 'refunds',
    rule: 'no order is refunded more than was paid, and every refund is booked',
    broken: sql`
      select 'order ' || o.id || ' of ' || o.total_cents || ' has ' || o.refunded_cents || ' refunded, refunds of '
             || coalesce(sum(a.amount_cents) filter (where a.state = 'succeeded'), 0) || ' and some on their way of '
             || coalesce(sum(a.amount_cents) filter (where a.state in ('created', 'sent', 'unknown')), 0) as detail
        from orders o left join payment_attempts a on a.order_id = o.id and a.kind = 'refund'
       group by o.id, o.organization_id
      having o.refunded_cents > o.total_cents or coalesce(sum(a.amount_cents) filter (where a.state = 'succeeded'), 0) > o.refunded_cents
          or coalesce(sum(a.amount_cents) filter (where a.state <> 'failed'), 0) > o.total_cents`,
  },
  {
    name: 'receipts',
    rule: 'every order that was paid for has exactly one receipt in the outbox, a free one at most one; what is sent again on request is beside them',
    broken: sql`
      select 'order ' || o.id || ' has no receipt' as detail from orders o
       where o.status in ${SOLD} and o.total_cents > 0 and not exists (select from mail_outbox m where m.dedupe_key = 'receipt-' || o.vanity_id)
      union all
      select 'email ' || m.id || ' is the receipt of no sold order' from mail_outbox m
       where m.dedupe_key like 'receipt-%' and m.dedupe_key not like 'receipt-again:%' and not exists (select from orders o where 'receipt-' || o.vanity_id = m.dedupe_key and o.status in ${SOLD})`,
  },
];

const BOOKS: Invariant[] = [
  {
    name: 'I2',
    rule: 'every posting has entries that sum to nothing',
    broken: sql`
      select 'posting ' || t.id || ' has ' || count(e.id) || ' entries, sum ' || coalesce(sum(e.amount_cents), 0) as detail
        from ledger_txs t left join ledger_entries e on e.tx_id = t.id
       group by t.id having count(e.id) < 2 or sum(e.amount_cents) <> 0`,
  },
  {
    name: 'I3',
    rule: 'all entries together sum to nothing',
    broken: sql`select 'the books are off by ' || sum(amount_cents) as detail from ledger_entries having sum(amount_cents) <> 0`,
  },
  {
    name: 'sales',
    rule: 'what a sale took in, with the fee, is what the buyer paid by card',
    broken: sql`
      select 'order ' || o.id || ' cost ' || o.total_cents - o.credit_cents || ' and the books took ' || sum(e.amount_cents) || ' with a fee of ' || max(a.fee_cents) as detail
        from orders o
        join ledger_txs t on t.kind in ('sale', 'credit_sale', 'fee_adjustment') and t.source_type = 'order' and t.source_id = o.id::text
        join ledger_entries e on e.tx_id = t.id
        join ledger_accounts c on c.id = e.account_id and c.kind = 'provider_clearing'
        join payment_attempts a on a.order_id = o.id and a.kind = 'charge' and a.state = 'succeeded' and a.fee_cents is not null
       group by o.id, o.organization_id having sum(e.amount_cents) + max(a.fee_cents) <> o.total_cents - o.credit_cents`,
  },
];

const PAYOUTS: Invariant[] = [
  {
    name: 'I5',
    rule: 'no order is paid out twice',
    broken: sql`
      select 'order ' || order_id || ' is paid out by ' || string_agg(payout_id::text, ', ') as detail
        from payout_lines where kind = 'sale' and live group by order_id having count(*) > 1`,
  },
  {
    name: 'I6',
    rule: 'a payout is the sum of its lines, which live until it fails, and counts its orders',
    broken: sql`
      select 'payout ' || p.id || ' (' || p.status || ') of ' || p.amount_cents || ' has lines of ' || coalesce(sum(l.amount_cents), 0) as detail
        from payouts p left join payout_lines l on l.payout_id = p.id
       group by p.id
      having coalesce(sum(l.amount_cents), 0) <> p.amount_cents or count(l.order_id) filter (where l.kind = 'sale') <> p.order_count
          or bool_and(l.live) is distinct from p.status not in ('failed', 'canceled') or bool_or(l.live) is distinct from p.status not in ('failed', 'canceled')
          or bool_or(l.organization_id <> p.organization_id)`,
  },
  {
    name: 'payouts',
    rule: 'the books posted every payout once, order by order, and payouts in progress are those that were made and not decided',
    broken: sql`
      select 'payout ' || p.id || ' (' || p.status || ') is posted as ' || coalesce(string_agg(t.kind, ', ' order by t.id), 'nothing') as detail
        from payouts p left join ledger_txs t on t.source_type = 'payout' and t.source_id = p.id::text
       group by p.id
      having coalesce(array_agg(t.kind order by t.id) filter (where t.id is not null), '{}') <>
             array['payout_created'] || case when p.returned_at is not null then array['payout_confirmed', 'payout_returned']
               when p.status = 'paid' then array['payout_confirmed'] when p.status = 'failed' then array['payout_failed'] else '{}' end
      union all
      select 'payout ' || l.payout_id || ' has ' || l.amount_cents || ' for order ' || l.order_id || ' and the books ' || coalesce(sum(e.amount_cents)::text, 'nothing')
        from payout_lines l
        join ledger_txs t on t.kind = 'payout_created' and t.source_type = 'payout' and t.source_id = l.payout_id::text
        left join ledger_entries e on e.tx_id = t.id and e.order_id = l.order_id
       group by l.payout_id, l.order_id, l.amount_cents having sum(e.amount_cents) is distinct from l.amount_cents
      union all
      select 'organization ' || b.organization_id || ' has ' || b.cents || ' on its way and payouts of ' || coalesce(p.cents, 0)
        from (select a.organization_id, -sum(e.amount_cents) as cents from ledger_accounts a join ledger_entries e on e.account_id = a.id
               where a.kind = 'payout_in_transit' group by a.organization_id) b
        left join (select organization_id, sum(amount_cents) as cents from payouts where status in ('created', 'submitted') group by organization_id) p
          on p.organization_id = b.organization_id
       where b.cents <> coalesce(p.cents, 0)`,
  },
  {
    name: 'settlements',
    rule: 'the books posted every settlement once, with its amount',
    broken: sql`
      select 'settlement ' || s.id || ' of ' || s.amount_cents || ' is in the books with ' || coalesce(sum(e.amount_cents)::text, 'nothing') as detail
        from settlements s
        left join ledger_txs t on t.kind = 'settlement' and t.source_type = 'settlement' and t.source_id = s.id::text
        left join (select e.tx_id, e.amount_cents from ledger_entries e join ledger_accounts a on a.id = e.account_id and a.kind = 'bank') e on e.tx_id = t.id
       group by s.id having sum(e.amount_cents) is distinct from s.amount_cents
      union all
      select 'posting ' || t.id || ' belongs to no settlement' from ledger_txs t
       where t.kind = 'settlement' and not exists (select from settlements s where s.id::text = t.source_id)`,
  },
];

/** Every charge that we sent, for an order or an account, as the provider should know it. */
const SENT = sql`(
  select 'attempt ' || id as what, idempotency_key, amount_cents, state, provider_ref, created_at, state = 'succeeded' as moved
    from payment_attempts where kind = 'charge'
  union all
  select 'account payment ' || id, idempotency_key, amount_cents, state, provider_ref, created_at, state in ('succeeded', 'refunding', 'refunded')
    from account_payments)`;

const SANDBOX: Invariant[] = [
  {
    name: 'I4',
    rule: 'the provider’s succeeded charges are our succeeded charges, one by one and cent by cent',
    broken: sql`
      with sent as materialized ${SENT}
      select 'charge ' || c.id || ' of ' || c.amount_cents || ' belongs to ' || coalesce(a.what || ' (' || a.state || ', ' || a.amount_cents || ')', 'nothing') as detail
        from sandbox_provider.charges c
        left join sandbox_provider.idempotency_keys k on k.charge_id = c.id
        left join sent a on a.idempotency_key::text = k.key
       where c.status = 'succeeded'
         and (a.what is null or a.amount_cents <> c.amount_cents or not a.moved or a.provider_ref is distinct from c.id)
         and not (coalesce(a.state, 'sent') in ('created', 'sent', 'unknown') and c.created_at > ${MOMENT} - ${IN_FLIGHT})
      union all
      select a.what || ' succeeded with ' || coalesce(a.provider_ref, 'no charge') || ', which the provider does not know' from sent a
       where a.moved and not exists (select from sandbox_provider.charges c where c.id = a.provider_ref and c.status = 'succeeded')
      union all
      select a.what || ' has been undecided since ' || a.created_at from sent a
       where a.state in ('created', 'sent', 'unknown') and a.created_at < ${MOMENT} - ${IN_FLIGHT}`,
  },
  {
    name: 'order refunds',
    rule: 'refunds of an order match the provider’s books once none of them is in progress',
    broken: sql`
      select 'order ' || o.id || ' has ' || o.refunded_cents - o.credit_returned_cents || ' refunded, and the provider ' || coalesce(r.back, 0) as detail
        from orders o
        join payment_attempts c on c.order_id = o.id and c.kind = 'charge' and c.state = 'succeeded'
        left join (select charge_id, sum(amount_cents) as back from sandbox_provider.refunds group by charge_id) r on r.charge_id = c.provider_ref
       where o.refunded_cents - o.credit_returned_cents <> coalesce(r.back, 0)
         and not exists (select from payment_attempts a where a.order_id = o.id and a.kind = 'refund' and a.state in ('created', 'sent', 'unknown'))`,
  },
  {
    name: 'account refunds',
    rule: 'refunds to an account match the provider’s books, in full',
    broken: sql`
      select 'account payment ' || p.id || ' (' || p.state || ') of ' || p.amount_cents || ' has refunds of ' || coalesce(sum(r.amount_cents), 0) as detail
        from account_payments p left join sandbox_provider.refunds r on r.charge_id = p.provider_ref
       where p.state in ('succeeded', 'refunded')
       group by p.id having coalesce(sum(r.amount_cents), 0) <> case p.state when 'refunded' then p.amount_cents else 0 end`,
  },
];

const ACCOUNTS: Invariant[] = [
  {
    name: 'subscriptions',
    rule: 'the period of a subscription was paid, and its organization has the plan while it is live',
    broken: sql`
      select 'subscription ' || s.id || ' until ' || s.period_end || ' has ' || count(p.id) || ' payments of that period' as detail
        from subscriptions s
        left join account_payments p on p.subscription_id = s.id and p.state = 'succeeded' and p.amount_cents = s.price_cents
         and p.period_start = s.period_start
       group by s.id having count(p.id) <> 1
      union all
      select 'organization ' || o.id || ' is on the free tier with the live subscription ' || s.id
        from subscriptions s join organizations o on o.id = s.organization_id where s.status <> 'ended' and o.free_tier`,
  },
  {
    name: 'account payments',
    rule: 'a payment for an account that succeeded has bought a subscription, or is being refunded',
    broken: sql`
      select 'account payment ' || p.id || ' (' || p.kind || ') has bought nothing since ' || p.decided_at as detail from account_payments p
       where p.state = 'succeeded' and (p.subscription_id is null or p.organization_id is null) and p.decided_at < ${MOMENT} - ${IN_FLIGHT}
      union all
      select 'account payment ' || p.id || ' is being refunded since ' || p.decided_at from account_payments p
       where p.state = 'refunding' and p.decided_at < ${MOMENT} - ${IN_FLIGHT}`,
  },
  {
    name: 'account postings',
    rule: 'a payment for an account is in the books once, with its amount, exactly when it bought something; a returned one with its fee',
    broken: sql`
      select 'account payment ' || p.id || ' (' || p.state || ') of ' || p.amount_cents || ' has ' || count(t.id) || ' postings of ' || coalesce(-sum(e.amount_cents), 0) as detail
        from account_payments p
        left join ledger_txs t on t.kind = 'account_payment' and t.source_type = 'account_payment' and t.source_id = p.id::text
        left join (select e.tx_id, e.amount_cents from ledger_entries e join ledger_accounts a on a.id = e.account_id and a.kind = 'platform_revenue') e on e.tx_id = t.id
       group by p.id
      having count(t.id) <> (p.state = 'succeeded' and p.subscription_id is not null)::integer
          or (count(t.id) = 1 and -sum(e.amount_cents) is distinct from p.amount_cents)
      union all
      select 'account payment ' || p.id || ' (' || p.state || ') has ' || count(t.id) || ' postings of its return'
        from account_payments p
        left join ledger_txs t on t.kind = 'account_refund' and t.source_type = 'account_payment' and t.source_id = p.id::text
       group by p.id having count(t.id) > (p.state = 'refunded')::integer`,
  },
  {
    name: 'account receipts',
    rule: 'every payment that bought something has one receipt in the outbox',
    broken: sql`
      select 'account payment ' || p.id || ' has no receipt' as detail from account_payments p
       where p.state = 'succeeded' and p.subscription_id is not null
         and not exists (select from mail_outbox m where m.dedupe_key = 'account-receipt-' || p.id)`,
  },
  {
    name: 'promo codes',
    rule: 'a promo code counts its redemptions and has no more than it may',
    broken: sql`
      select 'promo code ' || c.id || ' counts ' || c.uses || ' uses and was redeemed ' || count(r.id) || ' times' as detail
        from promo_codes c left join promo_redemptions r on r.promo_code_id = c.id
       group by c.id having count(r.id) <> c.uses or c.uses > c.max_uses`,
  },
];

const PHOTOS: Invariant[] = [
  {
    name: 'I7',
    rule: 'every ready photo has an original and renditions (their bytes are checked by storage:check)',
    broken: sql`
      select 'photo ' || p.id || ' is ready without renditions' as detail from photos p
       where p.status = 'ready' and p.removed_at is null and not exists (select from renditions r where r.photo_id = p.id)`,
  },
  {
    name: 'I9',
    rule: 'photos of a gallery have places of their own, and at most one is featured',
    broken: sql`
      select 'gallery ' || gallery_id || ' has ' || count(*) || ' photos at ' || order_key as detail
        from photos where removed_at is null group by gallery_id, order_key having count(*) > 1
      union all
      select 'gallery ' || gallery_id || ' has ' || count(*) || ' featured photos'
        from photos where removed_at is null and featured group by gallery_id having count(*) > 1`,
  },
  {
    name: 'I10',
    // Galleries of a plan that has ended stay (decision record 0007).
    rule: 'a free-tier organization that was never on a paid plan has at most 1 active gallery of at most 500 photos',
    broken: sql`
      select 'organization ' || o.id || ' has ' || count(g.id) || ' active galleries, the largest of ' || max(g.photo_count) || ' photos' as detail
        from organizations o join galleries g on g.organization_id = o.id and g.active
       where o.free_tier and o.deleted_at is null and not exists (select from subscriptions s where s.organization_id = o.id)
         and not exists (select from audit_log a where a.organization_id = o.id and a.action = 'organization.plan_changed')
       group by o.id having count(g.id) > 1 or max(g.photo_count) > 500`,
  },
  {
    name: 'I11',
    rule: 'counts of likes and votes are the numbers of their rows',
    broken: sql`
      select 'photo ' || p.id || ' counts ' || p.likes_count || ' likes and ' || p.votes_count || ' votes' as detail from photos p
       where p.likes_count <> (select count(*) from photo_likes l where l.photo_id = p.id)
          or p.votes_count <> (select count(*) from photo_votes v where v.photo_id = p.id)`,
  },
  {
    name: 'photo counts',
    rule: 'a gallery counts its photos and its public photos rightly',
    broken: sql`
      select 'gallery ' || g.id || ' counts ' || g.photo_count || ' photos, ' || g.public_photo_count || ' public' as detail
        from galleries g left join photos p on p.gallery_id = g.id and p.removed_at is null
       group by g.id
      having count(p.id) filter (where p.status <> 'failed') <> g.photo_count
          or count(p.id) filter (where p.status = 'ready' and p.show_in_gallery) <> g.public_photo_count`,
  },
];

/** Lines and donations net of refunds, divided like refunds/refund-by-photo.rules.ts does; `times` is 0 if all was refunded. */
const KEPT = sql`
  with back as (
    select o.id, o.organization_id, o.donation_gallery_id, o.subtotal_cents::bigint as subtotal, o.donation_cents::bigint as donation,
           nullif(o.subtotal_cents + o.donation_cents, 0)::bigint as base,
           (o.total_cents = 0 or o.refunded_cents < o.total_cents)::integer as times,
           o.refunded_cents - coalesce(o.tax_cents::bigint * o.refunded_cents / nullif(o.total_cents, 0), 0) as back
      from orders o where o.status in ${SOLD} and o.kind = 'photos'
  ), run as (
    select l.photo_id, l.gallery_id, l.price_cents, b.times, b.back, b.base, l.is_pass, sum(l.price_cents) over (partition by l.order_id order by l.is_pass, l.id, l.gallery_id) as upto
      from order_parts() l join back b on b.id = l.order_id
  ), kept as (
    select photo_id, gallery_id, case when is_pass then 0 else times end as times, price_cents - coalesce(upto * back / base - (upto - price_cents) * back / base, 0) as cents, 0 as donated from run
    union all
    select null, donation_gallery_id, 0, 0, donation - coalesce(back - subtotal * back / base, 0) from back where donation > 0
  )`;

const SALES: Invariant[] = [
  {
    name: 'photo sales',
    rule: 'a photo counts how often and for how much it was sold, less refunds',
    broken: sql`
      ${KEPT}
      select 'photo ' || p.id || ' counts ' || p.sales_count || ' sales of ' || p.sales_cents || ' and was sold ' || coalesce(s.times, 0) || ' times for ' || coalesce(s.cents, 0) as detail
        from photos p
        left join (select photo_id, sum(times) as times, sum(cents) as cents from kept group by photo_id) s on s.photo_id = p.id
       where p.sales_count <> coalesce(s.times, 0) or p.sales_cents <> coalesce(s.cents, 0)`,
  },
  {
    name: 'gallery sales',
    rule: 'a gallery counts the photos it sold, for how much, and its donations, less refunds',
    broken: sql`
      ${KEPT}
      select 'gallery ' || g.id || ' counts ' || g.photos_sold || ' photos for ' || g.sales_cents || ' and donations of ' || g.donations_cents as detail
        from galleries g
        left join (select gallery_id, sum(times) as times, sum(cents) as cents, sum(donated) as donated from kept group by gallery_id) s on s.gallery_id = g.id
       where g.photos_sold <> coalesce(s.times, 0) or g.sales_cents <> coalesce(s.cents, 0) or g.donations_cents <> coalesce(s.donated, 0)`,
  },
];

const JOBS: Invariant[] = [
  {
    name: 'I13',
    rule: 'no job is active for three heartbeats without a sign of life',
    broken: sql`
      select 'job ' || name || ' ' || id || ' is active since ' || started_on || ' without a heartbeat' as detail from pgboss.job
       where state = 'active' and heartbeat_seconds is not null
         and coalesce(heartbeat_on, started_on) < ${MOMENT} - make_interval(secs => heartbeat_seconds * 3)`,
  },
];

/** The invariants that can be checked: the sandbox's tables and the job queue only if they are in use. */
export function invariantsOf(installation: { sandboxCards: boolean; jobQueue: boolean }): Invariant[] {
  return [
    ...ORDERS,
    ...BOOKS,
    ...PAYOUTS,
    ...ACCOUNTS,
    ...(installation.sandboxCards ? SANDBOX : []),
    ...PHOTOS,
    ...SALES,
    ...KEPT_SALES,
    ...IMPORTS,
    ...OFFERS,
    ...CREDIT,
    ...(installation.jobQueue ? JOBS : []),
  ];
}

/**
 * At most 20 rows that violate it. Each query reads whole tables, and after a busy day the planner underestimates them, so sets
 * are joined as sets, whatever it estimates.
 */
export async function findBroken(db: Reader, invariant: Invariant): Promise<Violation[]> {
  await sql`set local enable_nestloop = off`.execute(db);
  const { rows } = await sql<Violation>`select detail from (${invariant.broken}) broken limit 20`.execute(db);
  return rows;
}

export async function jobQueueStands(db: Reader): Promise<boolean> {
  const { rows } = await sql<{ stands: boolean }>`select to_regclass('pgboss.job') is not null as stands`.execute(db);
  return rows[0]?.stands ?? false;
}
