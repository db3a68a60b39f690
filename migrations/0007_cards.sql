-- Cards: what the sandbox keeps for later charges, whose keys a charge was sent with, and what providers tell us by themselves.

create table sandbox_provider.saved_cards (
  id text primary key,
  number_behaviour text not null,
  card jsonb not null,
  email text not null,
  name text not null,
  created_at timestamptz not null default now()
);
alter table sandbox_provider.charges
  add column saved_card text references sandbox_provider.saved_cards,
  -- The seller whose own keys were used; null for the platform's.
  add column account_organization_id bigint;

alter table payment_attempts
  -- The seller's own secret key, sealed, as it was when the charge was sent; forgotten as soon as the charge is decided.
  add column account_secret bytea,
  -- Since when the buyer's bank waits for the buyer (3-D Secure).
  add column action_since timestamptz;

-- One row per event of the provider, whatever it is about. Only what is needed of it is kept, not the whole.
create table webhook_inbox (
  event_id text primary key,
  type text not null,
  -- The charge (Stripe's payment intent) it tells of; null for kinds we do nothing about.
  charge_ref text,
  received_at timestamptz not null default now(),
  processed_at timestamptz,
  attempts integer not null default 0,
  last_error text
);
create index webhook_inbox_waiting on webhook_inbox (received_at) where processed_at is null;

create table payment_disputes (
  id text primary key,
  order_id bigint not null references orders,
  organization_id bigint not null references organizations,
  amount_cents integer not null check (amount_cents > 0),
  status text not null check (status in ('open', 'won', 'lost')),
  reason text,
  opened_at timestamptz not null default now(),
  closed_at timestamptz
);
create index payment_disputes_of_order on payment_disputes (order_id);
alter table payment_disputes enable row level security;
create policy payment_disputes_scope on payment_disputes
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));
alter table webhook_inbox enable row level security;
create policy webhook_inbox_scope on webhook_inbox using ((select app_is_system()));
