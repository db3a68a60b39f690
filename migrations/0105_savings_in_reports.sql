-- What offers and reductions took off, and prepaid credit, in the kept sums of sales (decision record 0097). Module: features/reports
-- (kept-sales).

-- What was summed before has none of it.
alter table sales_days
  add column offers_saved_cents bigint default 0, add column reductions_cents bigint default 0,
  add column credit_used_cents bigint default 0, add column credit_sold_cents bigint default 0;
-- From now on null says that a process of the release before made the sums: its day is made anew by the next one that knows them.
alter table sales_days
  alter column offers_saved_cents drop default, alter column reductions_cents drop default,
  alter column credit_used_cents drop default, alter column credit_sold_cents drop default;
create function note_older_sums() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into sales_changes (organization_id, paid_at)
    select new.organization_id, (new.day + time '12:00') at time zone o.time_zone from organizations o where o.id = new.organization_id;
  return null;
end $$;
create trigger sales_days_of_older_release after insert on sales_days
  for each row when (new.offers_saved_cents is null) execute function note_older_sums();

-- Of one order: what its offers saved against single prices, and how much less than their price was paid for them. Null without offers.
create function savings_of_order(sold_order bigint) returns table (saved bigint, less bigint) language sql stable as $$
  select sum(greatest(f.singles - f.price_cents, 0))::bigint, sum(f.price_cents - f.paid)::bigint
    from (
      select o.price_cents, coalesce(l.singles, 0) as singles,
             coalesce(l.paid, 0) + coalesce((select sum(p.price_cents) from passes p where p.order_id = sold_order and p.order_offer_id = o.id), 0) as paid
        from order_offers o
       cross join lateral (select sum(single_cents) as singles, sum(price_cents) as paid from order_photos where order_id = sold_order and order_offer_id = o.id) l
       where o.order_id = sold_order
    ) f
$$;
