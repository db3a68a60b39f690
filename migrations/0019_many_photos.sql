-- Which photo stands at place 25,000? An index knows keys and not numbers, and a walk costs as much as it is long. So the places of
-- large galleries are counted by shelves: stretches of keys with their number of photos. Whatever happens to a photo is only
-- noted as a step, without a lock that others would wait for; whoever orders folds the steps into the shelves (decision note 0014).
-- Only galleries have shelves that somebody has ordered by places. The featured photo stands on none. Room: features/photos.
create table photo_shelves (
  gallery_id bigint not null references galleries,
  organization_id bigint not null references organizations,
  first_key text collate "C" not null,
  photos integer not null,
  primary key (gallery_id, first_key)
);
create table photo_shelf_steps (
  gallery_id bigint not null references galleries,
  organization_id bigint not null references organizations,
  order_key text collate "C" not null,
  step smallint not null check (step in (-1, 1))
);
create index photo_shelf_steps_of_gallery on photo_shelf_steps (gallery_id);
alter table photo_shelves enable row level security;
create policy photo_shelves_scope on photo_shelves
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));
alter table photo_shelf_steps enable row level security;
create policy photo_shelf_steps_scope on photo_shelf_steps
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));

create function note_shelf_step() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from photo_shelves where gallery_id = coalesce(new.gallery_id, old.gallery_id)) then
    return null;
  end if;
  if tg_op <> 'INSERT' and old.removed_at is null and not old.featured then
    insert into photo_shelf_steps (gallery_id, organization_id, order_key, step)
      values (old.gallery_id, old.organization_id, old.order_key, -1);
  end if;
  if tg_op <> 'DELETE' and new.removed_at is null and not new.featured then
    insert into photo_shelf_steps (gallery_id, organization_id, order_key, step)
      values (new.gallery_id, new.organization_id, new.order_key, 1);
  end if;
  return null;
end $$;
create trigger photos_shelved after insert or delete on photos for each row execute function note_shelf_step();
create trigger photos_shelved_anew after update of order_key, featured, removed_at on photos for each row
  when (old.order_key is distinct from new.order_key or old.featured <> new.featured or old.removed_at is distinct from new.removed_at)
  execute function note_shelf_step();

-- Counted by statement instead of row by row: to hide 4,000 photos at once was to write their gallery's row 4,000 times in one
-- transaction, each time past all its dead versions, which took more than the ten seconds that a statement has.
create function add_to_photo_counts(gallery bigint, counted bigint, public bigint) returns void language plpgsql
  security definer set search_path = public, pg_temp as $$
begin
  if counted <> 0 or public <> 0 then
    update galleries set photo_count = photo_count + counted, public_photo_count = public_photo_count + public where id = gallery;
  end if;
end $$;
revoke execute on function add_to_photo_counts from public;
-- In the order of the galleries, so that two who change several do not stand across each other.
create function count_photos_at_once() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  change record;
begin
  if tg_op = 'INSERT' then
    for change in
      select gallery_id, sum(step * (removed_at is null and status <> 'failed')::integer) as counted,
             sum(step * (show_in_gallery and status = 'ready' and removed_at is null)::integer) as public
        from (select gallery_id, status, show_in_gallery, removed_at, 1 as step from fresh) photo group by gallery_id order by gallery_id
    loop
      perform add_to_photo_counts(change.gallery_id, change.counted, change.public);
    end loop;
  elsif tg_op = 'DELETE' then
    for change in
      select gallery_id, sum(step * (removed_at is null and status <> 'failed')::integer) as counted,
             sum(step * (show_in_gallery and status = 'ready' and removed_at is null)::integer) as public
        from (select gallery_id, status, show_in_gallery, removed_at, -1 as step from stale) photo group by gallery_id order by gallery_id
    loop
      perform add_to_photo_counts(change.gallery_id, change.counted, change.public);
    end loop;
  else
    for change in
      select gallery_id, sum(step * (removed_at is null and status <> 'failed')::integer) as counted,
             sum(step * (show_in_gallery and status = 'ready' and removed_at is null)::integer) as public
        from (select gallery_id, status, show_in_gallery, removed_at, 1 as step from fresh
              union all select gallery_id, status, show_in_gallery, removed_at, -1 as step from stale) photo group by gallery_id order by gallery_id
    loop
      perform add_to_photo_counts(change.gallery_id, change.counted, change.public);
    end loop;
  end if;
  return null;
end $$;
drop trigger photos_counted on photos;
create trigger photos_counted after insert on photos
  referencing new table as fresh for each statement execute function count_photos_at_once();
create trigger photos_counted_anew after update on photos
  referencing old table as stale new table as fresh for each statement execute function count_photos_at_once();
create trigger photos_counted_less after delete on photos
  referencing old table as stale for each statement execute function count_photos_at_once();
drop function count_photos();
