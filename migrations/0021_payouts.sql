-- Pay-outs: what organisations were sent of their sales, order by order. Rooms: features/payouts, features/ledger. Amounts are integer cents.

create table payouts (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  -- The sum of its lines.
  amount_cents bigint not null check (amount_cents > 0),
  status text not null default 'created' check (status in ('created', 'submitted', 'paid', 'failed', 'canceled')),
  -- The idempotency key towards whoever moves the money; stored before anybody is asked.
  provider_key uuid not null unique default gen_random_uuid(),
  provider_ref text unique,
  -- Of the bank transfer or the cheque; what a platform admin typed in.
  reference text check (char_length(reference) between 1 and 100),
  failure_reason text check (char_length(failure_reason) between 1 and 500),
  -- All pay-outs of one press.
  batch_key uuid not null,
  -- Orders whose sale it pays, and the time in which they were sold.
  order_count integer not null check (order_count >= 0),
  sales_from timestamptz,
  sales_to timestamptz,
  created_by bigint references users,
  -- Who confirmed it, or told that it failed.
  approved_by bigint references users,
  created_at timestamptz not null default now(),
  submitted_at timestamptz,
  decided_at timestamptz,
  unique (batch_key, organization_id),
  check ((status in ('paid', 'failed', 'canceled')) = (decided_at is not null)),
  check (status <> 'paid' or reference is not null),
  check (status <> 'failed' or failure_reason is not null)
);
create index payouts_of_organization on payouts (organization_id, id desc);
create index payouts_open on payouts (id) where status in ('created', 'submitted');

-- What each order brought to a pay-out. `sale`: its share, once. `carry`: what refunds, disputes and late fees took from it, or
-- gave back, after it was paid out or when nothing was left of it.
create table payout_lines (
  payout_id bigint not null references payouts,
  order_id bigint not null references orders,
  organization_id bigint not null references organizations,
  amount_cents bigint not null check (amount_cents <> 0),
  kind text not null check (kind in ('sale', 'carry')),
  -- False once the pay-out has failed: the order may be paid out again, and the line stays as history.
  live boolean not null default true,
  primary key (payout_id, order_id),
  check (kind = 'carry' or amount_cents > 0)
);
-- The last guard: no order is paid out twice (invariant I5).
create unique index payout_lines_sale_once on payout_lines (order_id) where kind = 'sale' and live;
create index payout_lines_of_order on payout_lines (order_id);

-- What was answered to a press with an idempotency key, so that the same press sent twice hears the same.
create table payout_presses (
  user_id bigint not null references users,
  key text not null check (char_length(key) between 1 and 200),
  -- SHA-256 of what was asked for: same key with other content is a conflict.
  content_hash bytea not null,
  answer jsonb,
  created_at timestamptz not null default now(),
  primary key (user_id, key)
);

alter table payouts enable row level security;
create policy payouts_scope on payouts
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));
alter table payout_lines enable row level security;
create policy payout_lines_scope on payout_lines
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));
alter table payout_presses enable row level security;
create policy payout_presses_scope on payout_presses using ((select app_is_system()));

-- A posting of 10,000 orders is summed once, not once for each of its entries: an entry leaves the sum to a later one of the same
-- posting and the same transaction. The last one always sums.
create index ledger_entries_of_tx on ledger_entries (tx_id, id);
drop index ledger_entries_tx;
create or replace function ledger_tx_balances() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  tx bigint := (to_jsonb(new) ->> case tg_table_name when 'ledger_txs' then 'id' else 'tx_id' end)::bigint;
  entries integer;
  total bigint;
begin
  if tg_table_name = 'ledger_entries' and exists (
    select from ledger_entries e
     where e.tx_id = tx and e.id > (to_jsonb(new) ->> 'id')::bigint and e.xmin = pg_current_xact_id()::xid
  ) then
    return null;
  end if;
  select count(*), coalesce(sum(amount_cents), 0) into entries, total from ledger_entries where tx_id = tx;
  if entries < 2 or total <> 0 then
    raise exception 'ledger posting % does not balance: % entries, sum %', tx, entries, total using errcode = '23514';
  end if;
  return null;
end $$;

-- What is owed for one order, and to one organisation, read without the rows themselves.
create index ledger_entries_balance_of_order on ledger_entries (account_id, order_id) include (amount_cents);
drop index ledger_entries_account;
