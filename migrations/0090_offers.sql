-- Price sheets, what orders were sold at by them, and passes (decision record 0091). Modules: features/offers (price_sheets,
-- price_sheet_versions), features/orders (the others). Amounts are integer cents.

create table price_sheets (
  id bigint primary key default random_id(),
  organization_id bigint not null references organizations,
  name text not null check (char_length(name) between 1 and 80),
  -- A parent's sheet that its children may choose and cannot change.
  shared_with_children boolean not null default false,
  archived_at timestamptz,
  current_version integer not null default 1 check (current_version > 0),
  -- Of any version: an id names one offer for good.
  last_offer_id integer not null default 0 check (last_offer_id >= 0),
  created_at timestamptz not null default now()
);
create index price_sheets_of_organization on price_sheets (organization_id, id);

-- What a sheet said, for good: orders are priced by the newest version, and refunded by the one that they were sold at.
create table price_sheet_versions (
  sheet_id bigint not null references price_sheets,
  version integer not null check (version > 0),
  organization_id bigint not null references organizations,
  -- `SheetContent` of offers/best-price.rules.ts.
  content jsonb not null check (octet_length(content::text) <= 8192),
  made_by bigint references users,
  made_at timestamptz not null default now(),
  primary key (sheet_id, version)
);
create trigger price_sheet_versions_append_only before update or delete or truncate on price_sheet_versions
  for each statement execute function refuse_change();

alter table galleries add column price_sheet_id bigint references price_sheets;
create index galleries_of_price_sheet on galleries (price_sheet_id, id) where price_sheet_id is not null;

-- Own sheets, and those that a parent shares with its children.
create function check_price_sheet_of_gallery() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (
    select from price_sheets s join organizations o on o.id = new.organization_id
     where s.id = new.price_sheet_id and s.archived_at is null
       and (s.organization_id = o.id or (s.shared_with_children and s.organization_id = o.parent_organization_id))
       -- It is not archived or withdrawn from children meanwhile.
       for share of s
  ) then
    raise exception 'price sheet % is not for gallery %', new.price_sheet_id, new.id using errcode = '23514', constraint = 'galleries_price_sheet';
  end if;
  return new;
end $$;
create trigger galleries_price_sheet_added before insert on galleries
  for each row when (new.price_sheet_id is not null) execute function check_price_sheet_of_gallery();
create trigger galleries_price_sheet_changed before update of price_sheet_id on galleries
  for each row when (new.price_sheet_id is not null and new.price_sheet_id is distinct from old.price_sheet_id)
  execute function check_price_sheet_of_gallery();

-- What a sheet says is on the pages of its galleries.
create function note_price_sheet_changes() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into page_changes (organization_id, gallery_id)
    select g.organization_id, g.id from changed join galleries g on g.price_sheet_id = changed.id;
  return null;
end $$;
create trigger price_sheets_page_changed after update on price_sheets referencing new table as changed
  for each statement execute function note_price_sheet_changes();

-- Everybody may read what a gallery that they may see is sold at, and children what their parent offers; the services decide what of it is shown.
alter table price_sheets enable row level security;
create policy price_sheets_scope on price_sheets
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));
create policy price_sheets_public on price_sheets for select
  using (exists (select from galleries g where g.price_sheet_id = price_sheets.id and g.active));
create policy price_sheets_of_parent on price_sheets for select
  using (organization_id in (select o.parent_organization_id from organizations o where o.id = any ((select app_organization_ids())::bigint[])));
alter table price_sheet_versions enable row level security;
create policy price_sheet_versions_scope on price_sheet_versions
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));
create policy price_sheet_versions_public on price_sheet_versions for select
  using (exists (select from galleries g where g.price_sheet_id = price_sheet_versions.sheet_id and g.active));
create policy price_sheet_versions_of_parent on price_sheet_versions for select
  using (organization_id in (select o.parent_organization_id from organizations o where o.id = any ((select app_organization_ids())::bigint[])));

-- What of a sheet an order was sold at.
create table order_offers (
  id bigint generated always as identity primary key,
  order_id bigint not null references orders,
  organization_id bigint not null references organizations,
  kind text not null check (kind in ('bundle', 'steps', 'gallery_pass', 'athlete_pass')),
  -- As it was said to the buyer.
  name text not null check (char_length(name) between 1 and 300),
  times integer not null check (times > 0),
  price_cents integer not null check (price_cents >= 0),
  sheet_id bigint not null,
  version integer not null,
  -- Its id in the content of that version.
  offer_id integer not null,
  gallery_id bigint references galleries,
  athlete_id bigint,
  foreign key (sheet_id, version) references price_sheet_versions
);
create index order_offers_of_order on order_offers (order_id);
create index order_offers_of_sheet on order_offers (sheet_id, order_id);
alter table order_offers enable row level security;
create policy order_offers_scope on order_offers
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));

alter table order_photos
  -- What it costs by itself; null: what was paid for it.
  add column single_cents integer,
  -- The offer that it counts for; with a pass it costs nothing here.
  add column order_offer_id bigint references order_offers;

create table order_reductions (
  order_id bigint primary key references orders,
  organization_id bigint not null references organizations,
  kind text not null check (kind in ('coupon', 'early_bird')),
  coupon_id bigint,
  -- Null: an amount.
  percent_bp integer check (percent_bp between 1 and 10000),
  amount_cents integer not null check (amount_cents >= 0),
  -- As it was said to the buyer.
  name text not null check (char_length(name) between 1 and 300),
  check ((kind = 'coupon') = (coupon_id is not null))
);
create index order_reductions_of_coupon on order_reductions (coupon_id) where coupon_id is not null;
alter table order_reductions enable row level security;
create policy order_reductions_scope on order_reductions
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));

-- A pass opens all public photos of a gallery, or of one athlete, also those that are added until it ends.
create table passes (
  id bigint primary key default random_id(),
  order_id bigint not null references orders,
  organization_id bigint not null references organizations,
  order_offer_id bigint not null references order_offers,
  kind text not null check (kind in ('gallery_pass', 'athlete_pass')),
  gallery_id bigint references galleries,
  athlete_id bigint,
  sheet_id bigint not null references price_sheets,
  -- In the seller's time zone; its last day.
  valid_until date not null,
  -- What was paid for it.
  price_cents integer not null check (price_cents >= 0),
  -- Opens the download of what it covers: 128 random bits or more.
  order_key text not null unique,
  revoked_at timestamptz,
  last_download_at timestamptz,
  check (kind <> 'gallery_pass' or gallery_id is not null)
);
create index passes_of_order on passes (order_id);
create index passes_of_gallery on passes (gallery_id) where gallery_id is not null;
alter table passes enable row level security;
create policy passes_scope on passes
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));

-- What was paid for a pass, divided over the galleries that it covered when it was sold.
create table pass_galleries (
  pass_id bigint not null references passes,
  organization_id bigint not null references organizations,
  gallery_id bigint not null references galleries,
  price_cents integer not null check (price_cents >= 0),
  primary key (pass_id, gallery_id)
);
create index pass_galleries_of_gallery on pass_galleries (gallery_id);
alter table pass_galleries enable row level security;
create policy pass_galleries_scope on pass_galleries
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));

-- An order is not sold while its parts are not its sum. An order that costs nothing is never pending, and its parts cost nothing.
create function check_order_parts() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  parts bigint;
begin
  select coalesce((select sum(price_cents) from order_photos where order_id = new.id), 0)
       + coalesce((select sum(price_cents) from passes where order_id = new.id), 0) into parts;
  if parts <> new.subtotal_cents then
    raise exception 'order % says % and its parts %', new.id, new.subtotal_cents, parts using errcode = '23514', constraint = 'orders_parts';
  end if;
  if exists (
    select from passes p left join pass_galleries g on g.pass_id = p.id where p.order_id = new.id
     group by p.id having coalesce(sum(g.price_cents), 0) <> p.price_cents
  ) then
    raise exception 'a pass of order % is not the sum of its galleries', new.id using errcode = '23514', constraint = 'orders_parts';
  end if;
  return null;
end $$;
create constraint trigger orders_parts after update of status on orders
  deferrable initially deferred for each row
  when (old.status in ('pending', 'failed') and new.status not in ('pending', 'failed')) execute function check_order_parts();
