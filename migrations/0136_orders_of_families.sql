-- What a family bought itself stays its own, also after its child must not be published and after its address was deleted
-- (decision record 0114). Modules: features/orders (order_families), features/roster and features/erasures (the addresses).

-- Whose cards were open in the browser that ordered, and who had ordered by an address of a family when that was deleted. No name, no address.
create table order_families (
  order_id bigint not null,
  athlete_id bigint not null references athletes on delete cascade,
  organization_id bigint not null references organizations,
  -- Null: known by its address.
  card_id bigint references athlete_cards on delete cascade,
  at timestamptz not null default now(),
  primary key (order_id, athlete_id)
);
create index order_families_of_athlete on order_families (athlete_id);
alter table order_families enable row level security;
create policy order_families_scope on order_families
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));

-- Whether an order is of the child's own family. A card that its holder gave back ("not my child") makes nobody a family; one that was
-- replaced did, when it was good. What a merge moved counts for the athlete that is left.
create function is_order_of_family(the_order bigint, address citext, child bigint) returns boolean language sql stable as $$
  select exists (select from athlete_families f where f.athlete_id = child and f.email = address and (f.source = 'import' or f.state = 'yes'))
      or exists (select from order_families o join athletes a on a.id = o.athlete_id left join athlete_cards c on c.id = o.card_id
                  where o.order_id = the_order and (a.id = child or a.merged_into = child) and c.refused_at is null)
$$;

-- Before an address is deleted: the orders that were placed with it stay those of the family.
create function keep_orders_of_family(child bigint, address citext, of_organization bigint) returns bigint
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  kept bigint;
begin
  insert into order_families (order_id, athlete_id, organization_id)
    select o.id, child, of_organization from orders o
     where o.email_address = address and o.organization_id = of_organization and o.status in ('paid', 'partially_refunded', 'refunded', 'disputed')
    on conflict do nothing;
  get diagnostics kept = row_count;
  return kept;
end $$;

-- Since when nothing hides a photo but the child's own consent `no`; null where something else does, or it was never published.
create function own_no_since(photo bigint, child bigint) returns timestamptz language sql stable as $$
  select a.consent_at from athletes a
   where a.id = child and a.consent = 'no'
     and exists (select from photo_withholdings w where w.photo_id = photo and w.show_after)
     and not exists (select from photo_withholdings w where w.photo_id = photo and (w.cause <> 'consent' or w.source_id <> child))
$$;
