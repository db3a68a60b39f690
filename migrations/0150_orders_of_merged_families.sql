-- As before (0136), and: a card is of whom it is of now, so that an undone merge leaves neither family what is of the other child
-- (decision record 0114); athletes that were merged one after the other are followed to the last. Modules: features/orders, features/roster.
create or replace function is_order_of_family(the_order bigint, address citext, child bigint) returns boolean language sql stable as $$
  select exists (select from athlete_families f where f.athlete_id = child and f.email = address and (f.source = 'import' or f.state = 'yes'))
      or exists (
        with recursive same as (
          select child as id union select a.id from same join athletes a on a.merged_into = same.id)
        select from order_families o left join athlete_cards c on c.id = o.card_id
         where o.order_id = the_order and coalesce(c.athlete_id, o.athlete_id) in (select id from same) and c.refused_at is null)
$$;
