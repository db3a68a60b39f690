-- A club may say that an order is not of a child's family, however it was taken for one: by a card that was open, or by an address
-- (decision record 0117). The row stays, so that an address that is deleted later does not bring the order back.
-- Modules: features/order-offers, features/orders.
alter table order_families add column refused_at timestamptz;

-- As before (0150), and not what a member said is none.
create or replace function is_order_of_family(the_order bigint, address citext, child bigint) returns boolean language sql stable as $$
  with recursive same as (
    select child as id union select a.id from same join athletes a on a.merged_into = same.id),
  known as (
    select o.refused_at, c.refused_at is null as is_good
      from order_families o left join athlete_cards c on c.id = o.card_id
     where o.order_id = the_order and coalesce(c.athlete_id, o.athlete_id) in (select id from same))
  select not exists (select from known where refused_at is not null)
     and (exists (select from athlete_families f where f.athlete_id = child and f.email = address and (f.source = 'import' or f.state = 'yes'))
          or exists (select from known where is_good))
$$;
