-- Refunds that are asked for and given, and the nightly comparison of our books with the provider's. Rooms: features/orders, features/reconciliation.

alter table payment_attempts
  -- Who gave it back, and why; of refunds only.
  add column actor_id bigint references users,
  add column reason text check (char_length(reason) between 1 and 1000);
create index payment_attempts_refunds on payment_attempts (order_id, id) where kind = 'refund';
create index payment_attempts_refunds_newest on payment_attempts (id desc) where kind = 'refund';

create table refund_requests (
  id bigint generated always as identity primary key,
  order_id bigint not null references orders,
  organization_id bigint not null references organizations,
  -- Null: all that is left.
  amount_cents integer check (amount_cents > 0),
  reason text not null check (char_length(reason) between 1 and 1000),
  -- Decided once, and never again.
  state text not null default 'open' check (state in ('open', 'given', 'declined')),
  asked_by bigint not null references users,
  asked_at timestamptz not null default now(),
  decided_by bigint references users,
  decided_at timestamptz,
  -- What the organisation is told with the decision.
  note text not null default '' check (char_length(note) <= 1000),
  -- The refund that answered it.
  attempt_id bigint references payment_attempts,
  check ((state = 'open') = (decided_at is null))
);
create unique index refund_requests_open_once on refund_requests (order_id) where state = 'open';
create index refund_requests_of_order on refund_requests (order_id, id desc);
create index refund_requests_open on refund_requests (id) where state = 'open';
create index refund_requests_decided on refund_requests (id desc) where state <> 'open';
alter table refund_requests enable row level security;
create policy refund_requests_scope on refund_requests
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));

-- Orders of an organisation as its members leaf through them.
create index orders_of_organization_by_id on orders (organization_id, id desc);

create table reconciliation_runs (
  id bigint generated always as identity primary key,
  state text not null check (state in ('waiting', 'running', 'done', 'failed')),
  -- Null: the clock.
  asked_by bigint references users,
  from_at timestamptz,
  to_at timestamptz,
  created_at timestamptz not null default now(),
  -- A run without a sign of life has died, and another may begin.
  beat_at timestamptz not null default now(),
  finished_at timestamptz,
  -- Counts and sums of both sides.
  figures jsonb not null default '{}',
  found integer not null default 0,
  error text
);
create unique index reconciliation_runs_one_at_a_time on reconciliation_runs ((true)) where state in ('waiting', 'running');

-- The provider's books as the last run read them.
create table provider_lines (
  run_id bigint not null references reconciliation_runs,
  ref text not null,
  kind text not null check (kind in ('charge', 'refund', 'dispute', 'payout', 'other')),
  at timestamptz not null,
  charge_ref text,
  idempotency_key text,
  order_ref text,
  -- Signed: + came to our balance there, - left it.
  amount_cents bigint not null,
  fee_cents bigint not null,
  -- Of a pay-out to our bank: what the movements in it sum to.
  parts_cents bigint,
  primary key (run_id, ref)
);
create index provider_lines_of_charge on provider_lines (run_id, charge_ref);

create table reconciliation_differences (
  id bigint generated always as identity primary key,
  kind text not null,
  -- What it is about, in words that stay the same from night to night: 'order 17', 'charge ch_1'.
  subject text not null,
  order_id bigint references orders,
  organization_id bigint references organizations,
  ours text not null,
  theirs text not null,
  difference_cents bigint,
  state text not null default 'open' check (state in ('open', 'explained', 'closed')),
  owner_id bigint references users,
  note text not null default '' check (char_length(note) <= 2000),
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  last_run_id bigint not null references reconciliation_runs,
  closed_at timestamptz
);
create unique index reconciliation_differences_standing on reconciliation_differences (kind, subject) where state <> 'closed';
create index reconciliation_differences_open on reconciliation_differences (id) where state = 'open';

alter table reconciliation_runs enable row level security;
create policy reconciliation_runs_scope on reconciliation_runs using ((select app_is_system()));
alter table provider_lines enable row level security;
create policy provider_lines_scope on provider_lines using ((select app_is_system()));
alter table reconciliation_differences enable row level security;
create policy reconciliation_differences_scope on reconciliation_differences using ((select app_is_system()));

-- The sandbox provider's bank and its customers' disputes.
create table sandbox_provider.payouts (
  id text primary key,
  amount_cents bigint not null check (amount_cents > 0),
  created_at timestamptz not null default now()
);
create table sandbox_provider.disputes (
  id text primary key,
  charge_id text not null references sandbox_provider.charges,
  amount_cents integer not null check (amount_cents > 0),
  status text not null default 'open' check (status in ('open', 'won', 'lost')),
  reason text,
  created_at timestamptz not null default now(),
  closed_at timestamptz
);
create index sandbox_disputes_of_charge on sandbox_provider.disputes (charge_id);
alter table sandbox_provider.disputes add column payout_id text references sandbox_provider.payouts;
alter table sandbox_provider.charges add column payout_id text references sandbox_provider.payouts;
alter table sandbox_provider.refunds add column payout_id text references sandbox_provider.payouts;
create index sandbox_charges_unpaid on sandbox_provider.charges (created_at, id) where payout_id is null;
create index sandbox_charges_by_time on sandbox_provider.charges (created_at, id);
create index sandbox_refunds_unpaid on sandbox_provider.refunds (id) where payout_id is null;
create index sandbox_refunds_of_charge on sandbox_provider.refunds (charge_id);
create index sandbox_refunds_by_time on sandbox_provider.refunds (created_at, id);
create index sandbox_refunds_of_payout on sandbox_provider.refunds (payout_id);
create index sandbox_charges_of_payout on sandbox_provider.charges (payout_id);
create index sandbox_keys_of_charge on sandbox_provider.idempotency_keys (charge_id);
