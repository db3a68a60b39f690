-- Orders and the books. Rooms: features/orders, features/ledger. Amounts are integer cents (decision 15).

create table orders (
  id bigint generated always as identity primary key,
  -- The receipt's address: 128 random bits or more (decision 6).
  vanity_id text not null unique,
  organization_id bigint not null references organizations,
  checkout_key text not null unique check (char_length(checkout_key) between 8 and 100),
  -- SHA-256 of what was ordered, without the card: same key with other content is a conflict (decision 20).
  content_hash bytea not null,
  status text not null check (status in ('pending', 'paid', 'failed', 'partially_refunded', 'refunded', 'disputed')),
  first_name text not null,
  last_name text not null,
  email_address citext not null,
  zip text,
  subtotal_cents integer not null check (subtotal_cents >= 0),
  tax_cents integer not null check (tax_cents >= 0),
  donation_cents integer not null check (donation_cents between 0 and 1000000),
  total_cents integer not null generated always as (subtotal_cents + tax_cents + donation_cents) stored,
  refunded_cents integer not null default 0 check (refunded_cents >= 0),
  donation_gallery_id bigint references galleries,
  tax_rate_ppm integer not null default 0,
  tax_reason text not null default 'no tax',
  -- Frozen when the order is made (decision 18).
  share_bps integer not null check (share_bps between 0 and 10000),
  processor text not null default 'platform' check (processor in ('platform', 'custom')),
  card_brand text,
  card_last4 text,
  -- The provider's words of the last refusal.
  decline_message text,
  created_at timestamptz not null default now(),
  paid_at timestamptz,
  reconciled_at timestamptz,
  reconciled_by bigint references users,
  check (status in ('pending', 'failed') or paid_at is not null)
);
create index orders_of_organization on orders (organization_id, created_at desc, id);
create index orders_pending on orders (created_at) where status = 'pending';

create table order_photos (
  id bigint generated always as identity primary key,
  order_id bigint not null references orders,
  organization_id bigint not null references organizations,
  photo_id bigint not null references photos,
  gallery_id bigint not null references galleries,
  price_cents integer not null check (price_cents >= 0),
  -- Opens the download of exactly this photo: 128 random bits or more.
  order_key text not null unique,
  revoked_at timestamptz,
  unique (order_id, photo_id)
);
create index order_photos_of_photo on order_photos (photo_id);

create table payment_attempts (
  id bigint generated always as identity primary key,
  order_id bigint not null references orders,
  organization_id bigint not null references organizations,
  kind text not null check (kind in ('charge', 'refund')),
  idempotency_key uuid not null unique,
  amount_cents integer not null check (amount_cents > 0),
  state text not null check (state in ('created', 'sent', 'succeeded', 'failed', 'unknown')),
  provider_ref text unique,
  fee_cents integer check (fee_cents >= 0),
  error text,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  decided_at timestamptz
);
create unique index payment_attempts_one_live_charge on payment_attempts (order_id)
  where kind = 'charge' and state in ('created', 'sent', 'unknown', 'succeeded');
create index payment_attempts_undecided on payment_attempts (created_at) where state in ('created', 'sent', 'unknown');

alter table orders enable row level security;
create policy orders_scope on orders
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));
alter table order_photos enable row level security;
create policy order_photos_scope on order_photos
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));
alter table payment_attempts enable row level security;
create policy payment_attempts_scope on payment_attempts
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));

-- Double entry, append-only, one posting per (kind, source) (decision 19).
create table ledger_accounts (
  id bigint generated always as identity primary key,
  organization_id bigint references organizations,
  kind text not null check (kind in ('provider_clearing', 'org_payable', 'platform_fee', 'provider_fee', 'tax_payable',
    'payout_in_transit', 'bank', 'refund_clearing', 'dispute_hold', 'platform_revenue')),
  currency char(3) not null default 'USD' check (currency = 'USD'),
  unique nulls not distinct (organization_id, kind, currency)
);

create table ledger_txs (
  id bigint generated always as identity primary key,
  kind text not null,
  source_type text not null,
  source_id text not null,
  posted_at timestamptz not null default clock_timestamp(),
  actor_id bigint references users,
  memo text,
  unique (kind, source_type, source_id)
);

create table ledger_entries (
  id bigint generated always as identity primary key,
  tx_id bigint not null references ledger_txs,
  account_id bigint not null references ledger_accounts,
  -- Signed: + debit, - credit.
  amount_cents bigint not null check (amount_cents <> 0),
  order_id bigint references orders
);
create index ledger_entries_tx on ledger_entries (tx_id);
create index ledger_entries_account on ledger_entries (account_id);
create index ledger_entries_order on ledger_entries (order_id) where order_id is not null;

create function ledger_tx_balances() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  tx bigint := (to_jsonb(new) ->> case tg_table_name when 'ledger_txs' then 'id' else 'tx_id' end)::bigint;
  entries integer;
  total bigint;
begin
  select count(*), coalesce(sum(amount_cents), 0) into entries, total from ledger_entries where tx_id = tx;
  if entries < 2 or total <> 0 then
    raise exception 'ledger posting % does not balance: % entries, sum %', tx, entries, total using errcode = '23514';
  end if;
  return null;
end $$;
create constraint trigger ledger_txs_balance after insert on ledger_txs
  deferrable initially deferred for each row execute function ledger_tx_balances();
create constraint trigger ledger_entries_balance after insert on ledger_entries
  deferrable initially deferred for each row execute function ledger_tx_balances();

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = '42501';
end $$;
create trigger ledger_txs_append_only before update or delete or truncate on ledger_txs
  for each statement execute function refuse_change();
create trigger ledger_entries_append_only before update or delete or truncate on ledger_entries
  for each statement execute function refuse_change();
