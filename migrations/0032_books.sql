-- What the books did not know yet: pay-outs that the bank sent back days later, debts that organisations settle by invoice, and what was
-- asked for under a key. Rooms: features/payouts, features/orders, features/accounts, features/galleries.

-- A confirmed pay-out that the bank returned is a failed one that has a reference and this moment.
alter table payouts
  add column returned_at timestamptz,
  -- Who told of it; who confirmed it stays.
  add column returned_by bigint references users,
  add constraint payouts_returned check (returned_at is null or (status = 'failed' and reference is not null));

-- What an organisation paid us by invoice: our share of sales over its own account, and what refunds took beyond its sales.
create table settlements (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  share_cents bigint not null check (share_cents >= 0),
  debt_cents bigint not null check (debt_cents >= 0),
  amount_cents bigint generated always as (share_cents + debt_cents) stored,
  -- Of the invoice, or of the transfer that paid it; the same one is booked once.
  reference text not null check (char_length(reference) between 1 and 100),
  created_by bigint not null references users,
  created_at timestamptz not null default now(),
  check (share_cents + debt_cents > 0),
  unique (organization_id, reference)
);
alter table settlements enable row level security;
create policy settlements_scope on settlements
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));

-- The same key with other content is a conflict. Null: from before it was kept.
alter table payment_attempts add column asked_for_all boolean;
alter table sign_up_keys add column content_mac bytea;
alter table gallery_keys add column content_mac bytea;
