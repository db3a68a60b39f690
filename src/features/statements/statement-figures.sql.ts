/**
 * Statements from the ledger. What the platform owes an organization is minus its payable; every posting in the month that
 * touched an account of the organization is one line, whose parts sum to the change of that balance. What buyers paid is stored
 * with their orders; the card fee of a sale is the remainder. Read-only; the ledger has no tenants, so the caller must have
 * checked access.
 */
import { sql, type RawBuilder } from 'kysely';
import { portion } from '#src/platform/db/portion.ts';
import {
  changeOf,
  EMPTY_ACCOUNT,
  type Account,
  type GalleryPart,
  type Holder,
  type Movements,
  type OfferAmount,
  type StatementLine,
} from '#src/features/statements/statements.rules.ts';
import type { Reader } from '#src/platform/db/db.ts';
import { cents, ZERO, type Cents } from '#src/shared/money.ts';

/** Includes the first moment, excludes the second. */
export type Span = { since: Date; until: Date };

/** The organization and, for a parent, those below it, including closed ones, whose months stay. */
export async function listHolders(db: Reader, organizationId: number): Promise<Holder[]> {
  const { rows } = await sql<Holder>`
    select o.id, o.name, o.domain_name as path from organizations o
     where o.id = ${organizationId} or o.parent_organization_id = ${organizationId}
     order by o.name, o.id`.execute(db);
  return rows;
}

/** When months begin for an organization, in the given order; `YYYY-MM`. */
export async function monthStarts(db: Reader, organizationId: number, months: readonly string[]): Promise<Date[]> {
  const { rows } = await sql<{ start: Date }>`
    select statement_month_start(${organizationId}, (month || '-01')::date) as start
      from unnest(${months}::text[]) with ordinality as asked (month, place) order by place`.execute(db);
  return rows.map(({ start }) => start);
}

const LAST_ID = sql`9223372036854775807`;
const ids = (holders: readonly Holder[]) => sql`${holders.map(({ id }) => id)}::bigint[]`;

/** Looked up by id for each entry, whatever the planner estimates. */
const POSTING = sql`cross join lateral (select t.kind, t.source_id, t.posted_at from ledger_txs t where t.id = e.tx_id offset 0) t`;

/**
 * The entries of an account that may be in a span, by the sums of its days (decision record 0120): from the last day that was
 * over at its start to the first that is over at its end.
 */
const entriesNear = (account: RawBuilder<unknown>, since: RawBuilder<unknown>, until: RawBuilder<unknown>) => sql`
  e.account_id = ${account}
  and e.tx_id > coalesce((select d.after_tx from account_days d where d.account_id = ${account} and d.until <= ${since} order by d.until desc limit 1), 0)
  and e.tx_id <= coalesce((select d.upto_tx from account_days d where d.account_id = ${account} and d.until >= ${until} order by d.until limit 1), ${LAST_ID})
  and t.posted_at >= ${since} and t.posted_at < ${until}`;

/** When the first posting touched one of these accounts. */
export async function firstPosting(db: Reader, holders: readonly Holder[]): Promise<Date | null> {
  const { rows } = await sql<{ first: Date | null }>`
    select min(f.first) as first from ledger_accounts a cross join lateral (
      select min(t.posted_at) as first from ledger_entries e ${POSTING}
       where e.account_id = a.id
         and e.tx_id <= coalesce((select d.upto_tx from account_days d where d.account_id = a.id order by d.until limit 1), ${LAST_ID})
    ) f where a.organization_id = any (${ids(holders)})`.execute(db);
  return rows[0]?.first ?? null;
}

/** `balances` of `asked`, accounts and times: the account's balance before the time, and the part of payouts (not earned). */
const BALANCES = sql`
  balances as (
    select q.*, coalesce(kept.balance_cents, 0) + rest.cents as cents, coalesce(kept.paid_out_cents, 0) + rest.paid_out as paid_out,
           kept.until is not null or rest.entries > 0 as has_moved
      from asked q
      left join lateral (
        select d.until, d.balance_cents, d.paid_out_cents from account_days d
         where d.account_id = q.account_id and d.until <= q.moment order by d.until desc limit 1
      ) kept on true
     cross join lateral (
       select coalesce(sum(e.amount_cents), 0) as cents, coalesce(sum(e.amount_cents) filter (where is_payout(t.kind)), 0) as paid_out, count(*) as entries
         from ledger_entries e ${POSTING}
        where ${entriesNear(sql`q.account_id`, sql`coalesce(kept.until, '-infinity')`, sql`q.moment`)}
     ) rest
  )`;

/** What was owed to each before a time, and held for disputes; holders without postings are left out. */
async function listOpenings(db: Reader, holders: readonly Holder[], before: Date) {
  const { rows } = await sql<{ id: number; owed: number; held: number }>`
    with asked as (
      select a.id as account_id, a.organization_id, a.kind, ${before}::timestamptz as moment
        from ledger_accounts a where a.organization_id = any (${ids(holders)}) and a.kind in ('org_payable', 'dispute_hold')
    ), ${BALANCES}
    select organization_id as id, coalesce(-sum(cents) filter (where kind = 'org_payable'), 0)::bigint as owed,
           coalesce(-sum(cents) filter (where kind = 'dispute_hold'), 0)::bigint as held
      from balances where has_moved group by organization_id`.execute(db);
  return rows;
}

/** The change of all holders' balances between each two of these times, the earlier first. */
export async function listMonthlyMoves(db: Reader, holders: readonly Holder[], spans: readonly Span[]) {
  const { rows } = await sql<{ openingCents: Cents; earnedCents: Cents; paidOutCents: Cents }>`
    with spans as (
      select * from unnest(${spans.map(({ since }) => since)}::timestamptz[], ${spans.map(({ until }) => until)}::timestamptz[])
        with ordinality as span (since, until, place)
    ), asked as (
      select a.id as account_id, m.moment
        from (select since as moment from spans union select until from spans) m
       cross join ledger_accounts a
       where a.organization_id = any (${ids(holders)}) and a.kind = 'org_payable'
    ), ${BALANCES}, moments as (
      select moment, -sum(cents) as owed, -sum(paid_out) as paid_out from balances group by moment
    )
    select coalesce(b.owed, 0)::bigint as "openingCents",
           coalesce(e.owed - e.paid_out - b.owed + b.paid_out, 0)::bigint as "earnedCents", coalesce(e.paid_out - b.paid_out, 0)::bigint as "paidOutCents"
      from spans s left join moments b on b.moment = s.since left join moments e on e.moment = s.until
     order by s.place`.execute(db);
  return rows;
}

/** Unspent credit is not in an organization's balance; a refund of it is a line, because it may touch nothing else. */
const IS_SHOWN = sql`(a.kind <> 'credit_liability' or t.kind = 'credit_refund')`;

/** `moved`: entries of the holders in the span. */
const movedIn = (holders: readonly Holder[], { since, until }: Span) => sql`
  moved as (
    select a.organization_id, a.kind as account, e.tx_id, e.order_id, e.amount_cents, t.kind, t.source_id, t.posted_at
      from ledger_accounts a cross join ledger_entries e ${POSTING}
     where a.organization_id = any (${ids(holders)}) and ${IS_SHOWN}
       and ${entriesNear(sql`a.id`, sql`${since}::timestamptz`, sql`${until}::timestamptz`)}
  )`;

/** `lines` of `moved`: one row per posting. A refund on the organization's own Stripe account does not touch its payable. */
const LINES = sql`
    touched as (
      select organization_id, tx_id, kind, source_id, posted_at, max(order_id) as order_id,
             coalesce(-sum(amount_cents) filter (where account = 'org_payable'), 0)::bigint as net,
             coalesce(-sum(amount_cents) filter (where account = 'dispute_hold'), 0)::bigint as held,
             coalesce(-sum(amount_cents) filter (where account = 'provider_clearing' and kind = 'settlement'), 0)::bigint as own_settled,
             kind = 'own_account_sale' or (kind = 'refund' and (bool_or(account = 'provider_clearing') or not bool_or(account = 'org_payable'))) as is_own
        from moved group by organization_id, tx_id, kind, source_id, posted_at
    ), priced as (
      select m.*, coalesce(posted.share, 0)::bigint as platform, coalesce(posted.tax, 0)::bigint as tax,
             coalesce(o.subtotal_cents, 0)::bigint as subtotal, coalesce(o.donation_cents, 0)::bigint as donation,
             coalesce(savings.saved, 0)::bigint as saved, coalesce(savings.less + savings.alone, 0)::bigint as reduced,
             case when m.kind in ('sale', 'own_account_sale', 'refund') then coalesce(posted.credit, 0) else 0 end::bigint as credit_used,
             -- Of refunded credit also the part that was spent before, which the seller's balance paid.
             case m.kind when 'credit_sale' then coalesce(-posted.credit, 0) when 'credit_refund' then m.net - coalesce(posted.credit, 0) else 0 end::bigint as credit_sold
        from touched m
        left join lateral (
          select -sum(e.amount_cents) filter (where a.kind = 'platform_fee') as share, -sum(e.amount_cents) filter (where a.kind = 'tax_payable') as tax,
                 sum(e.amount_cents) filter (where a.kind = 'credit_liability') as credit
            from ledger_entries e join ledger_accounts a on a.id = e.account_id
           where e.tx_id = m.tx_id and (a.organization_id is null or a.kind = 'credit_liability')
        ) posted on m.kind in ('sale', 'own_account_sale', 'refund', 'credit_sale', 'credit_refund')
        left join lateral (
          select s.id, s.subtotal_cents, s.donation_cents from orders s where s.id = m.order_id and s.organization_id = m.organization_id offset 0
        ) o on m.kind in ('sale', 'own_account_sale')
        -- Only of orders that an offer, a pass or a code took part in.
        left join order_prices offered on offered.order_id = o.id
        left join lateral (
          select f.saved, coalesce(f.less, 0) as less,
                 (select coalesce(sum(l.single_cents - l.price_cents), 0) from order_photos l
                   where l.order_id = offered.order_id and l.organization_id = m.organization_id and l.order_offer_id is null) as alone
            from savings_of_order(offered.order_id) f
        ) savings on offered.order_id is not null
    ), lines as (
      select p.tx_id, p.organization_id, p.kind, p.source_id, p.posted_at, p.order_id, p.is_own, p.net, p.held, p.own_settled, p.subtotal, p.donation,
             p.saved, p.reduced, p.credit_used, p.credit_sold,
             case when p.is_own then 0 else p.tax end as tax, case when p.is_own then p.platform else 0 end as own_share,
             case when p.kind = 'sale' then p.subtotal else 0 end as sales,
             case when p.kind = 'sale' then p.donation else 0 end as donations,
             case when p.kind in ('sale', 'refund') and not p.is_own then -p.platform else 0 end as share,
             case p.kind when 'sale' then p.net - p.subtotal - p.donation + p.platform when 'fee_adjustment' then p.net when 'credit_sale' then p.net else 0 end as fees,
             case when p.kind = 'refund' and not p.is_own then p.net + p.platform else 0 end as refunds,
             case when p.kind in ('dispute_opened', 'dispute_won', 'dispute_lost') then p.net else 0 end as disputes,
             case when p.kind like 'payout\\_%' then p.net else 0 end as payouts,
             case when p.kind = 'settlement' then p.net else 0 end as settled,
             case when p.is_own then p.net
                  when p.kind like 'payout\\_%' or p.kind in ('settlement', 'sale', 'credit_sale', 'fee_adjustment', 'refund', 'dispute_opened', 'dispute_won', 'dispute_lost')
                  then 0 else p.net end as other
        from priced p
    )`;

type AccountRow = Movements &
  Pick<Account, 'orders' | 'taxCents' | 'lostCents' | OfferAmount> & {
    id: number;
    held: number;
    own_orders: number;
    own_sales: Cents;
    own_share: Cents;
    own_settled: Cents;
    own_saved: Cents;
  };

/** The account of every holder in the span, by id; holders without a balance or a line have none. */
export async function listAccounts(db: Reader, holders: readonly Holder[], span: Span): Promise<Map<number, Account>> {
  const openings = new Map((await listOpenings(db, holders, span.since)).map((row) => [row.id, row]));
  const { rows } = await sql<AccountRow>`
    with ${movedIn(holders, span)}, ${LINES}
    select l.organization_id as id,
           (count(*) filter (where l.kind = 'sale'))::int as orders,
           sum(l.sales)::bigint as "salesCents", sum(l.donations)::bigint as "donationsCents", sum(l.fees)::bigint as "feesCents", sum(l.share)::bigint as "shareCents",
           sum(l.refunds)::bigint as "refundsCents", sum(l.other)::bigint as "otherCents", sum(l.tax)::bigint as "taxCents", sum(l.held)::bigint as held,
           coalesce(sum(l.disputes) filter (where l.kind = 'dispute_opened'), 0)::bigint as "heldCents",
           coalesce(sum(l.disputes) filter (where l.kind <> 'dispute_opened'), 0)::bigint as "freedCents",
           coalesce(sum(l.payouts) filter (where l.payouts < 0), 0)::bigint as "payoutsCents",
           coalesce(sum(l.payouts) filter (where l.payouts > 0), 0)::bigint as "returnedCents",
           sum(l.settled)::bigint as "settledCents", sum(l.own_settled)::bigint as own_settled,
           coalesce(-sum(l.held) filter (where l.kind = 'dispute_lost'), 0)::bigint as "lostCents",
           (count(*) filter (where l.kind = 'own_account_sale'))::int as own_orders,
           coalesce(sum(l.subtotal + l.donation) filter (where l.kind = 'own_account_sale'), 0)::bigint as own_sales,
           coalesce(sum(l.saved) filter (where l.kind = 'sale'), 0)::bigint as "offersSavedCents",
           coalesce(sum(l.reduced) filter (where l.kind = 'sale'), 0)::bigint as "reductionsCents",
           sum(l.credit_sold)::bigint as "creditSoldCents", sum(l.credit_used)::bigint as "creditUsedCents",
           coalesce(sum(l.saved + l.reduced) filter (where l.kind = 'own_account_sale'), 0)::bigint as own_saved,
           sum(l.own_share)::bigint as own_share
      from lines l group by l.organization_id`.execute(db);
  const moved = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    holders.flatMap(({ id }) => {
      const [opening, row] = [openings.get(id), moved.get(id)];
      return opening || row ? [[id, accountOf(opening, row)] as const] : [];
    }),
  );
}

function accountOf(opening: { owed: number; held: number } | undefined, row: AccountRow | undefined): Account {
  const openingCents = cents(opening?.owed ?? 0);
  const {
    id: _id,
    held = 0,
    own_orders = 0,
    own_sales = ZERO,
    own_share = ZERO,
    own_settled = ZERO,
    own_saved = ZERO,
    ...moved
  } = {
    ...EMPTY_ACCOUNT,
    ...row,
  };
  return {
    ...moved,
    own: {
      orders: own_orders,
      salesCents: own_sales,
      shareCents: own_share,
      settledCents: own_settled,
      savedCents: own_saved,
    },
    openingCents,
    closingCents: cents(openingCents + changeOf(moved)),
    stillHeldCents: cents((opening?.held ?? 0) + held),
  };
}

/**
 * What the orders' postings of the span changed, per gallery: every amount of an order is divided completely over its photos
 * and donation.
 */
export async function listGalleryParts(db: Reader, holders: readonly Holder[], span: Span): Promise<GalleryPart[]> {
  const of = (amount: string) => portion(sql.raw(`p.${amount}`), sql`p.gross`);
  const { rows } = await sql<GalleryPart>`
    with ${movedIn(holders, span)}, ${LINES}, of_orders as (
      select l.*, (o.subtotal_cents + o.donation_cents)::bigint as gross, o.donation_cents::bigint as given, o.donation_gallery_id
        from lines l cross join lateral (
          select s.subtotal_cents, s.donation_cents, s.donation_gallery_id from orders s
           where s.id = l.order_id and s.organization_id = l.organization_id offset 0
        ) o
       where not l.is_own and l.kind not like 'payout\\_%' and l.kind <> 'settlement'
    ), parts as (
      select l.*, x.gallery_id, x.photo_id, true as is_goods, x.price_cents::bigint as weight,
             sum(x.price_cents) over (partition by l.tx_id order by x.is_pass, x.id, x.gallery_id) as upto
        from of_orders l cross join lateral (
          -- Lines of the seller's part of the table alone, where it is divided.
          select * from order_parts() o where o.order_id = l.order_id and (o.is_pass or o.organization_id = l.organization_id) offset 0
        ) x
      union all
      select l.*, l.donation_gallery_id, null, false, l.given, l.gross from of_orders l where l.given > 0
    ), shares as (
      select p.organization_id, p.gallery_id,
             case when p.kind = 'sale' and p.photo_id is not null then 1 else 0 end as photos,
             case when p.kind = 'sale' and p.is_goods then p.weight else 0 end as sales,
             case when p.kind = 'sale' and not p.is_goods then p.weight else 0 end as donations,
             ${of('refunds')} as refunds, ${of('fees')} as fees, ${of('share')} as share, ${of('disputes')} as disputes, ${of('other')} as other
        from parts p
    )
    select s.organization_id as "organizationId", s.gallery_id as "galleryId", coalesce(max(g.name), '') as name, sum(s.photos)::int as photos, sum(s.sales)::bigint as "salesCents",
           sum(s.donations)::bigint as "donationsCents", sum(s.refunds)::bigint as "refundsCents", sum(s.fees)::bigint as "feesCents", sum(s.share)::bigint as "shareCents",
           sum(s.disputes)::bigint as "disputesCents",
           -- The sum of its parts: a portion of the sum might be a cent off.
           sum(s.sales + s.donations + s.refunds + s.fees + s.share + s.disputes + s.other)::bigint as "netCents"
      from shares s left join galleries g on g.id = s.gallery_id
     group by s.organization_id, s.gallery_id
     order by "netCents" desc, s.gallery_id`.execute(db);
  return rows;
}

type LineRow = Omit<StatementLine, 'organization'> & { organizationId: number };

/** Lines in the order of posting, after a position; at most `limit` postings, all of them shown, so that fewer are the last. */
export async function listLines(
  db: Reader,
  holders: readonly Holder[],
  span: Span,
  { after, limit }: { after: string | null; limit: number },
): Promise<StatementLine[]> {
  const [micros = '0', txId = '0'] = (after ?? '').split('-');
  const place = sql`(extract(epoch from t.posted_at) * 1000000)::bigint`;
  const later = after === null ? sql`` : sql`and (${place}, t.id) > (${micros}::bigint, ${txId}::bigint)`;
  const { rows } = await sql<LineRow>`
    with chosen as materialized (
      select distinct t.posted_at, t.id from ledger_accounts a join ledger_entries e on e.account_id = a.id join ledger_txs t on t.id = e.tx_id
       where a.organization_id = any (${ids(holders)}) and t.posted_at >= ${span.since} and t.posted_at < ${span.until} and ${IS_SHOWN} ${later}
       order by t.posted_at, t.id limit ${limit}
    ), moved as (
      select a.organization_id, a.kind as account, e.tx_id, e.order_id, e.amount_cents, t.kind, t.source_id, t.posted_at
        from chosen join ledger_txs t on t.id = chosen.id join ledger_entries e on e.tx_id = t.id join ledger_accounts a on a.id = e.account_id
       where a.organization_id = any (${ids(holders)}) and ${IS_SHOWN}
    ), ${LINES}
    select (extract(epoch from l.posted_at) * 1000000)::bigint || '-' || l.tx_id as key, l.posted_at as at, l.kind, l.source_id as "sourceId", l.is_own as "isOwn",
           l.organization_id as "organizationId", case when l.kind like 'payout\\_%' or l.kind = 'settlement' then null else l.order_id end as "orderId",
           l.sales as "salesCents", l.donations as "donationsCents", l.tax as "taxCents", l.fees as "feesCents", l.share as "shareCents",
           l.refunds as "refundsCents", l.disputes as "disputesCents", l.payouts + l.settled as "payoutsCents", l.other as "otherCents", l.net as "changeCents",
           l.saved as "offersSavedCents", l.reduced as "reductionsCents", l.credit_sold as "creditSoldCents", l.credit_used as "creditUsedCents"
      from lines l order by l.posted_at, l.tx_id`.execute(db);
  const byId = new Map(holders.map((holder) => [holder.id, holder]));
  return rows.map(({ organizationId, ...line }) => ({
    ...line,
    organization: byId.get(organizationId) ?? { id: organizationId, name: '', path: '' },
  }));
}

export type MovedAccount = {
  id: number;
  name: string;
  path: string;
  hostLabel: string;
  accent: string;
  /** Billing address, else contact; null for no recipient. */
  email: string | null;
  openingCents: number;
  earnedCents: number;
  paidOutCents: number;
};

/**
 * Organizations by number, after one, whose account changed in the month, with their parents (and changes below these); at most
 * `limit`. Only for months that are over in the organization's time zone.
 */
export async function listMoved(
  db: Reader,
  month: string,
  { after, now, limit }: { after: number; now: Date; limit: number },
): Promise<MovedAccount[]> {
  const firstDay = sql`(${month} || '-01')::date`;
  const { rows } = await sql<MovedAccount>`
    with subjects as (
      select o.id, span.since, span.until
        from organizations o
       cross join lateral (
         select statement_month_start(o.id, ${firstDay}) as since, statement_month_start(o.id, (${firstDay} + interval '1 month')::date) as until offset 0
       ) span
       cross join lateral (
         select from (select o.id union all select below.id from organizations below where below.parent_organization_id = o.id) holder (id)
           join ledger_accounts a on a.organization_id = holder.id
          cross join lateral (
            select from ledger_entries e ${POSTING} where ${entriesNear(sql`a.id`, sql`span.since`, sql`span.until`)} limit 1
          ) entry limit 1
       ) moved
       where o.id > ${after} and o.deleted_at is null and o.kind <> 'root' and span.until <= ${now}
       order by o.id limit ${limit}
    ), asked as (
      select s.id, a.id as account_id, m.moment, m.sign
        from subjects s join organizations holder on holder.id = s.id or holder.parent_organization_id = s.id
        join ledger_accounts a on a.organization_id = holder.id and a.kind = 'org_payable'
       cross join lateral (values (s.since, 1), (s.until, -1)) as m (moment, sign)
    ), ${BALANCES}, moved as (
      select s.id, -sum(p.cents) filter (where p.sign = 1) as opening, sum((p.cents - p.paid_out) * p.sign) as earned, sum(p.paid_out * p.sign) as paid_out
        from subjects s left join balances p on p.id = s.id group by s.id
    )
    select o.id, o.name, o.domain_name as path, coalesce(parent.domain_name, o.domain_name) as "hostLabel", o.primary_color as accent,
           coalesce(nullif(private.billing_email, ''), nullif(o.contact_email, '')) as email, coalesce(m.opening, 0)::bigint as "openingCents",
           coalesce(m.earned, 0)::bigint as "earnedCents", coalesce(m.paid_out, 0)::bigint as "paidOutCents"
      from moved m join organizations o on o.id = m.id
      left join organizations parent on parent.id = o.parent_organization_id
      left join organization_private private on private.organization_id = o.id
     order by m.id`.execute(db);
  return rows;
}
