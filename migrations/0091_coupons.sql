-- Coupons of sellers, and the orders that used them (decision record 0093). Module: features/coupons. Amounts are integer cents.

create table coupons (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  -- Tidied, in capitals.
  code text not null check (code ~ '^[A-Z0-9]{4,24}$'),
  -- Made by us: then a typed O counts as 0, and I and L as 1.
  is_made_up boolean not null,
  kind text not null check (kind in ('percent', 'amount', 'photos')),
  -- Hundredths of a percent, cents, or photos.
  value integer not null,
  -- Null: no limit.
  max_uses integer check (max_uses between 1 and 100000),
  max_per_person integer check (max_per_person between 1 and 100000),
  minimum_cents integer not null default 0 check (minimum_cents >= 0),
  -- In the seller's time zone, both included.
  first_day date,
  last_day date,
  -- Null: any gallery, any price sheet.
  gallery_ids bigint[] check (cardinality(gallery_ids) between 1 and 100),
  sheet_ids bigint[] check (cardinality(sheet_ids) between 1 and 100),
  ended_at timestamptz,
  created_by bigint references users,
  created_at timestamptz not null default now(),
  unique (organization_id, code),
  check (case kind when 'percent' then value between 1 and 10000 when 'amount' then value between 1 and 100000 else value between 1 and 200 end),
  check (first_day <= last_day)
);
create index coupons_of_organization on coupons (organization_id, id desc);
alter table coupons enable row level security;
create policy coupons_scope on coupons
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));

-- One use of a coupon: the order that it reduced. It counts from the moment when the order is pending until it fails.
create table coupon_uses (
  order_id bigint primary key references orders,
  coupon_id bigint not null references coupons,
  organization_id bigint not null references organizations,
  -- A keyed hash of the buyer's address in small letters: enough to count by, and no address.
  person bytea not null check (octet_length(person) = 32),
  state text not null check (state in ('reserved', 'used', 'released')),
  -- What was paid for the photos, and how much less that was.
  sold_cents integer not null check (sold_cents >= 0),
  saved_cents integer not null check (saved_cents >= 0),
  at timestamptz not null default now()
);
create index coupon_uses_counted on coupon_uses (coupon_id, person) include (state, sold_cents, saved_cents)
  where state <> 'released';
alter table coupon_uses enable row level security;
create policy coupon_uses_scope on coupon_uses
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));

-- A use goes the way of its order, in the statement that decides it, whoever does: no crash and no older release leaves it behind.
-- An order that is opened again after a failure takes its use again in `coupon-uses.service.ts`, because there may be none left.
create function decide_coupon_use() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update coupon_uses set state = case new.status when 'paid' then 'used' else 'released' end, at = now()
   where order_id = new.id and state = 'reserved';
  return null;
end $$;
create trigger orders_coupon_use after update of status on orders
  for each row when (old.status = 'pending' and new.status in ('paid', 'failed')) execute function decide_coupon_use();
