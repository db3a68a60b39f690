/**
 * The contents of an organization's export: one table of flat rows for each kind of thing, with every column listed
 * here. Reads tables of all modules, writes none. About buyers it contains what members see in their list of orders;
 * never passwords of people, keys that open orders or galleries, card keys, or network addresses.
 */
import { sql } from 'kysely';
import { CHANGEABLE_FIELDS, type SeenValues } from '#src/features/galleries/galleries.contract.ts';
import type { Reader } from '#src/platform/db/db.ts';
import type { Galleries } from '#src/platform/db/schema.ts';

export type Row = Record<string, unknown>;
type Dataset = {
  name: string;
  /** Column name and SQL expression. */
  columns: Readonly<Record<string, string>>;
  /** What follows `from`; `$org` is the organization, `$export` the export. A constant text of this file. */
  from: string;
};

/** Columns with the same name as in their table. */
const plain = (alias: string, names: string) =>
  Object.fromEntries(names.split(' ').map((name) => [name, `${alias}.${name}`]));

/** Postings that touch the organization's accounts or orders, with all their entries, so that each sums to zero. */
const OWN_POSTINGS = `
  select e.tx_id from ledger_entries e join ledger_accounts a on a.id = e.account_id where a.organization_id = $org
  union select e.tx_id from ledger_entries e join orders o on o.id = e.order_id where o.organization_id = $org`;

/** Settings of a gallery that are not called like their column. */
const NOT_COLUMNS: Record<Exclude<keyof SeenValues, keyof Galleries>, true> = {
  price_per_photo: true,
  target_goal: true,
  password: true,
};
/** Whether a column is exported that is no setting of a gallery. It does not compile until it is listed here. */
const IS_EXPORTED: Record<Exclude<keyof Galleries, keyof SeenValues>, boolean> = {
  active: true,
  price_cents: true,
  target_goal_cents: true,
  photo_count: true,
  photos_sold: true,
  sales_cents: true,
  donations_cents: true,
  created_at: true,
  id: false,
  has_tags: false,
  organization_id: false,
  password_encrypted: false,
  password_version: false,
  public_photo_count: false,
  updated_at: false,
};
const GALLERY_COLUMNS = [
  'id',
  ...CHANGEABLE_FIELDS.filter((field) => !(field in NOT_COLUMNS)),
  ...Object.entries(IS_EXPORTED).flatMap(([name, isExported]) => (isExported ? [name] : [])),
];

export const DATASETS: readonly Dataset[] = [
  {
    name: 'organization',
    columns: {
      ...plain(
        'o',
        'id kind name domain_name parent_organization_id contact_name contact_email free_tier share_bps primary_color default_photo_price_cents tablet_ad_url mobile_ad_url time_zone watermark_text watermark_placement watermark_strength stripe_pk created_at',
      ),
      ...plain(
        'p',
        'contact_phone_number billing_name billing_address billing_email billing_city billing_state billing_zip billing_phone_number tax_id',
      ),
      takedown_mode: "coalesce(t.mode, 'hide_first')",
    },
    from: `organizations o left join organization_private p on p.organization_id = o.id
           left join takedown_settings t on t.organization_id = o.id where o.id = $org`,
  },
  {
    name: 'affiliates',
    columns: plain('o', 'id kind name domain_name created_at'),
    from: 'organizations o where o.parent_organization_id = $org and o.deleted_at is null order by o.id',
  },
  {
    name: 'former_paths',
    columns: plain('f', 'domain_name left_at'),
    from: 'organization_former_paths f where f.organization_id = $org order by f.left_at, f.domain_name',
  },
  {
    name: 'people',
    columns: { ...plain('u', 'id email first_name last_name'), ...plain('m', 'role joined_at') },
    from: 'memberships m join users u on u.id = m.user_id where m.organization_id = $org and u.deleted_at is null order by u.id',
  },
  {
    // Includes a parent's sheets that its galleries use.
    name: 'price_sheets',
    columns: {
      ...plain('s', 'id organization_id name shared_with_children archived_at created_at'),
      version: 's.current_version',
      content: 'v.content',
    },
    from: `price_sheets s join price_sheet_versions v on v.sheet_id = s.id and v.version = s.current_version
           where s.organization_id = $org or s.id in (select g.price_sheet_id from galleries g where g.organization_id = $org) order by s.id`,
  },
  {
    name: 'galleries',
    columns: {
      ...plain('g', GALLERY_COLUMNS.join(' ')),
      // Decrypted by the writer of the row: members can see it.
      password: 'g.password_encrypted',
    },
    from: 'galleries g where g.organization_id = $org order by g.id',
  },
  {
    name: 'photos',
    columns: {
      ...plain('p', 'id gallery_id name status problem'),
      file: 'f.name',
      sha256: 'p.original_sha256',
      bytes: 'p.original_bytes',
      ...plain(
        'p',
        'width height turns captured_at show_in_gallery featured order_key price_override_cents gallery_contributor_id likes_count votes_count sales_count sales_cents exif iptc created_at',
      ),
      hidden_on_request: 'p.withheld_at is not null',
      keywords: "(select coalesce(json_agg(k.name order by k.id), '[]') from photo_keywords k where k.photo_id = p.id)",
    },
    from: `photos p left join export_files f on f.photo_id = p.id and f.export_id = $export
           where p.organization_id = $org and p.removed_at is null and p.withdrawn_at is null order by p.gallery_id, p.order_key, p.id`,
  },
  {
    name: 'contributors',
    columns: plain('c', 'id gallery_id name email site instagram created_at'),
    from: 'gallery_contributors c where c.organization_id = $org order by c.id',
  },
  {
    name: 'invitations',
    columns: plain('i', 'id gallery_id email created_at revoked_at'),
    from: 'gallery_invites i where i.organization_id = $org order by i.id',
  },
  {
    name: 'requests_to_hide',
    columns: plain('t', 'id gallery_id photo_id state reason guardian note asked_at decided_at'),
    from: 'takedowns t where t.organization_id = $org order by t.id',
  },
  {
    name: 'tax_rates',
    columns: plain('t', 'state zip_prefix rate_ppm jurisdiction'),
    from: 'tax_rates t where t.organization_id = $org order by t.state, t.zip_prefix',
  },
  {
    name: 'promo_codes',
    columns: plain('c', 'id code max_uses uses created_at expires_at ended_at'),
    from: 'promo_codes c where c.organization_id = $org order by c.id',
  },
  {
    name: 'coupons',
    columns: {
      ...plain(
        'c',
        'id code is_made_up kind value max_uses max_per_person minimum_cents first_day last_day gallery_ids sheet_ids ended_at created_at',
      ),
      uses: "(select count(*) from coupon_uses u where u.coupon_id = c.id and u.state <> 'released')",
    },
    from: 'coupons c where c.organization_id = $org order by c.id',
  },
  {
    name: 'orders',
    columns: plain(
      'o',
      'id status first_name last_name email_address subtotal_cents tax_cents donation_cents total_cents refunded_cents donation_gallery_id tax_rate_ppm share_bps processor kind credit_cents bonus_cents created_at paid_at',
    ),
    from: `orders o where o.organization_id = $org and o.paid_at is not null order by o.id`,
  },
  {
    name: 'order_lines',
    columns: plain('l', 'id order_id photo_id gallery_id price_cents single_cents order_offer_id revoked_at'),
    from: 'order_photos l join orders o on o.id = l.order_id where o.organization_id = $org and o.paid_at is not null order by l.id',
  },
  {
    name: 'order_offers',
    columns: plain('f', 'id order_id kind name times price_cents sheet_id version offer_id gallery_id athlete_id'),
    from: 'order_offers f join orders o on o.id = f.order_id where o.organization_id = $org and o.paid_at is not null order by f.id',
  },
  {
    name: 'order_reductions',
    columns: plain('r', 'order_id kind coupon_id percent_bp amount_cents name'),
    from: 'order_reductions r join orders o on o.id = r.order_id where o.organization_id = $org and o.paid_at is not null order by r.order_id',
  },
  {
    // The order names the buyer.
    name: 'coupon_uses',
    columns: plain('u', 'order_id coupon_id sold_cents saved_cents at'),
    from: "coupon_uses u where u.organization_id = $org and u.state = 'used' order by u.order_id",
  },
  {
    name: 'credit_settings',
    columns: plain('s', 'active amounts_cents bonuses_cents bonus_until'),
    from: 'credit_settings s where s.organization_id = $org',
  },
  {
    // Without the code and without the receiver.
    name: 'credit_codes',
    columns: {
      ...plain('c', 'id order_id last4 paid_cents bonus_cents bonus_until processor created_at'),
      is_gift: 'exists (select from credit_gifts g where g.code_id = c.id)',
    },
    from: `credit_codes c where c.organization_id = $org and exists (select from credit_movements m where m.code_id = c.id) order by c.id`,
  },
  {
    // Includes orders of a child that were paid with credit of this parent.
    name: 'credit_movements',
    columns: plain('m', 'id code_id order_id kind cents bonus_cents at'),
    from: 'credit_movements m where m.organization_id = $org order by m.id',
  },
  {
    // Of this organization's orders; the code may be its parent's.
    name: 'credit_uses',
    columns: plain('u', 'order_id code_id cents bonus_cents at'),
    from: "credit_uses u where u.organization_id = $org and u.state = 'used' order by u.order_id, u.code_id",
  },
  {
    name: 'passes',
    columns: plain(
      'p',
      'id order_id order_offer_id kind gallery_id athlete_id sheet_id valid_until price_cents revoked_at',
    ),
    from: 'passes p join orders o on o.id = p.order_id where o.organization_id = $org and o.paid_at is not null order by p.id',
  },
  {
    name: 'pass_galleries',
    columns: plain('g', 'pass_id gallery_id price_cents'),
    from: 'pass_galleries g join passes p on p.id = g.pass_id join orders o on o.id = p.order_id where o.organization_id = $org and o.paid_at is not null order by g.pass_id, g.gallery_id',
  },
  {
    name: 'payments',
    columns: plain('a', 'id order_id kind amount_cents fee_cents reason decided_at'),
    from: "payment_attempts a where a.organization_id = $org and a.state = 'succeeded' order by a.id",
  },
  {
    name: 'disputes',
    columns: plain('d', 'id order_id amount_cents status reason opened_at closed_at'),
    from: 'payment_disputes d where d.organization_id = $org order by d.opened_at, d.id',
  },
  {
    name: 'refund_requests',
    columns: plain('r', 'id order_id amount_cents reason state note asked_at decided_at'),
    from: 'refund_requests r where r.organization_id = $org order by r.id',
  },
  {
    name: 'payouts',
    columns: plain(
      'p',
      'id status amount_cents order_count reference sales_from sales_to created_at decided_at returned_at',
    ),
    from: 'payouts p where p.organization_id = $org order by p.id',
  },
  {
    name: 'payout_lines',
    columns: plain('l', 'payout_id order_id kind amount_cents live'),
    from: 'payout_lines l where l.organization_id = $org order by l.payout_id, l.order_id, l.kind',
  },
  {
    name: 'settlements',
    columns: plain('s', 'id amount_cents debt_cents share_cents reference created_at'),
    from: 'settlements s where s.organization_id = $org order by s.id',
  },
  {
    name: 'account_payments',
    columns: plain('p', 'id kind plan amount_cents state period_start decided_at'),
    from: "account_payments p where p.organization_id = $org and p.state in ('succeeded', 'refunded') order by p.id",
  },
  {
    name: 'ledger',
    columns: {
      posting_id: 't.id',
      ...plain('t', 'kind source_type source_id posted_at'),
      account: 'a.kind',
      owner: "case when a.organization_id is null then 'platform' else 'organization' end",
      ...plain('e', 'amount_cents order_id'),
    },
    from: `(${OWN_POSTINGS}) own join ledger_txs t on t.id = own.tx_id join ledger_entries e on e.tx_id = t.id
           join ledger_accounts a on a.id = e.account_id order by t.id, e.id`,
  },
  {
    name: 'visits',
    columns: plain('v', 'gallery_id day visits'),
    from: 'gallery_visits v where v.organization_id = $org order by v.day, v.gallery_id',
  },
  {
    name: 'sponsor_counts',
    columns: plain('s', 'day slot impressions clicks'),
    from: 'sponsor_counts s where s.organization_id = $org order by s.day, s.slot',
  },
  {
    name: 'activity',
    columns: plain('a', 'id at actor_id action object_type object_id details'),
    from: 'audit_log a where a.organization_id = $org order by a.id',
  },
  {
    name: 'earlier_records',
    columns: plain('r', 'import_id dataset place facts'),
    from: 'imported_records r where r.organization_id = $org order by r.import_id, r.dataset, r.place',
  },
];

/**
 * For a transaction that reads everything. Right after the files are planned, the planner takes their table for empty,
 * and it plans a cursor for its first rows. Both made a nested loop over a hundred thousand photos.
 */
export async function readWhole(db: Reader): Promise<void> {
  await sql`set local statement_timeout = '120s'`.execute(db);
  await sql`set local cursor_tuple_fraction = 1`.execute(db);
  await sql`set local enable_nestloop = off`.execute(db);
}

/** The rows of a dataset in batches, in the snapshot of the caller's transaction. Read one dataset at a time. */
export async function* readRows(
  db: Reader,
  dataset: Dataset,
  ids: { organizationId: number; exportId: number },
  atATime: number,
): AsyncGenerator<Row[]> {
  const columns = Object.entries(dataset.columns).map(([name, expression]) => `${expression} as "${name}"`);
  const from = dataset.from.replaceAll('$org', String(ids.organizationId)).replaceAll('$export', String(ids.exportId));
  await sql`
    declare export_rows no scroll cursor for select ${sql.raw(columns.join(', '))} from ${sql.raw(from)}`.execute(db);
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.raw(String(atATime))} from export_rows`.execute(db);
    if (rows.length > 0) yield rows;
    if (rows.length < atATime) break;
  }
  await sql`close export_rows`.execute(db);
}

/** The organization's own pictures, with the key of each. */
export async function listPictures(db: Reader, organizationId: number): Promise<{ name: string; key: string }[]> {
  const { rows } = await sql<{ name: string; key: string }>`
    select given.name, given.key from organizations o,
           lateral (values ('logo', o.logo_key), ('watermark', o.watermark_key), ('home_image', o.home_image_key),
                           ('tablet_ad', o.tablet_ad_key), ('mobile_ad', o.mobile_ad_key)) as given (name, key)
     where o.id = ${organizationId} and given.key is not null order by given.name`.execute(db);
  return rows;
}
