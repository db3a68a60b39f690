-- Photos that moved to another gallery (decision record 0178). Modules: features/photos, features/orders, features/public-gallery.

-- The photo of the other gallery that a removed one became. Links follow it.
alter table photos add column moved_to_id bigint;

-- As before (0002), once for each statement: photos that move bring all their likes and votes with them.
create or replace function count_likes() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update photos p set likes_count = likes_count + case tg_op when 'INSERT' then c.count else -c.count end
    from (select photo_id, count(*) as count from changed group by photo_id) c where p.id = c.photo_id;
  return null;
end $$;
create or replace function count_votes() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update photos p set votes_count = votes_count + case tg_op when 'INSERT' then c.count else -c.count end
    from (select photo_id, count(*) as count from changed group by photo_id) c where p.id = c.photo_id;
  return null;
end $$;
drop trigger photo_likes_counted on photo_likes;
drop trigger photo_votes_counted on photo_votes;
create trigger photo_likes_counted after insert on photo_likes referencing new table as changed for each statement execute function count_likes();
create trigger photo_likes_uncounted after delete on photo_likes referencing old table as changed for each statement execute function count_likes();
create trigger photo_votes_counted after insert on photo_votes referencing new table as changed for each statement execute function count_votes();
create trigger photo_votes_uncounted after delete on photo_votes referencing old table as changed for each statement execute function count_votes();
