-- Passes of athletes, and photos that are included with registration (decision record 0109). Modules: features/order-offers and
-- features/orders (passes, order_offers), features/allowances (allowances, allowance_uses).

-- A pass of a public number has no child: it is of a team and a number. A pass by card is of the athlete.
alter table passes add column team_id bigint references teams, add column number text check (number ~ '^[0-9]{1,4}$');
alter table order_offers add column team_id bigint references teams, add column number text check (number ~ '^[0-9]{1,4}$');
create index passes_of_athlete on passes (athlete_id) where athlete_id is not null;
create index passes_of_number on passes (team_id, number) where team_id is not null;
create index photo_tags_worn on photo_tags (team_id, number, photo_id) where team_id is not null;

-- Photos that are included with registration are an offer of no price sheet.
alter table order_offers alter column sheet_id drop not null, alter column version drop not null, alter column offer_id drop not null;
alter table order_offers drop constraint order_offers_kind_check;
alter table order_offers add constraint order_offers_kind_check check (kind in ('bundle', 'steps', 'gallery_pass', 'athlete_pass', 'included')) not valid;
alter table order_offers add constraint order_offers_sheet_check
  check (kind = 'included' or (sheet_id is not null and version is not null and offer_id is not null)) not valid;

-- Whether a withheld photo is withheld for nothing but this child's own consent `family`, and was published: then its family sees it
-- (athletes specification B.5).
create function only_family_sees(photo bigint, athlete bigint) returns boolean language sql stable as $$
  select exists (select from athletes a left join athlete_settings s on s.organization_id = a.organization_id
                  where a.id = athlete and effective_consent(a.consent, s.unknown_consent) = 'family')
     and exists (select from photo_withholdings w where w.photo_id = photo and w.show_after)
     and not exists (select from photo_withholdings w where w.photo_id = photo and (w.cause <> 'consent' or w.source_id <> athlete))
$$;

-- What an order uses of an allowance: it counts from the moment when the order is pending until it fails.
create table allowance_uses (
  order_id bigint not null,
  allowance_id bigint not null references allowances,
  organization_id bigint not null references organizations,
  photos integer not null check (photos > 0),
  state text not null check (state in ('reserved', 'used', 'released')),
  at timestamptz not null default now(),
  primary key (order_id, allowance_id)
);
create index allowance_uses_of_allowance on allowance_uses (allowance_id);
alter table allowance_uses enable row level security;
create policy allowance_uses_scope on allowance_uses
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));

-- `allowances.used` follows its uses, and its check refuses one photo too many, whoever writes.
create function count_allowance_use() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  before integer := case when tg_op = 'UPDATE' and old.state <> 'released' then old.photos else 0 end;
  after integer := case when new.state <> 'released' then new.photos else 0 end;
begin
  if before <> after then
    update allowances set used = used + after - before where id = new.allowance_id;
  end if;
  return null;
end $$;
create trigger allowance_uses_counted after insert or update on allowance_uses for each row execute function count_allowance_use();

-- As uses of coupons: a use goes the way of its order, in the statement that decides it, whoever does.
create function decide_allowance_use() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update allowance_uses set state = case new.status when 'paid' then 'used' else 'released' end, at = now()
   where order_id = new.id and state = 'reserved';
  return null;
end $$;
create trigger orders_allowance_use after update of status on orders
  for each row when (old.status = 'pending' and new.status in ('paid', 'failed')) execute function decide_allowance_use();
