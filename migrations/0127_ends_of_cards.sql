-- What somebody got by a card ends with the card. Modules: features/watches, features/order-offers (passes).

-- Emails about a child: by which card they were asked for. Without one, by a release that did not keep it: then while any card of the child is good.
alter table watches add column card_id bigint references athlete_cards;
create index watches_of_card on watches (card_id) where card_id is not null;

-- Deleted and not stopped, because the link of an email takes a stop back.
create function end_watches() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from watches where card_id = new.id;
  return null;
end $$;
create trigger athlete_cards_watches after update of replaced_at, refused_at on athlete_cards
  for each row when (new.replaced_at is not null or new.refused_at is not null) execute function end_watches();

-- By which card the pass of a child was bought: what only its family sees, and comes after the card has ended, is not in the pass. Without one,
-- sold by a release that did not keep it.
alter table passes add column card_id bigint references athlete_cards;
