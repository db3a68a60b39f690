-- Tagging (decision record 0103). Modules: features/tagging (photo_checks), features/galleries (galleries.has_tags).

-- Photos that somebody looked at and found nobody to name on.
create table photo_checks (
  photo_id bigint primary key,
  organization_id bigint not null references organizations,
  gallery_id bigint not null references galleries,
  by_user bigint references users,
  at timestamptz not null default now()
);
create index photo_checks_of_gallery on photo_checks (gallery_id, photo_id);
alter table photo_checks enable row level security;
create policy photo_checks_scope on photo_checks
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));

-- A gallery that was never tagged asks nothing more than before. Once true it stays true.
alter table galleries add column has_tags boolean not null default false;

create function note_tags() returns trigger language plpgsql as $$
begin
  update galleries g set has_tags = true
   where not g.has_tags and g.id = any (array(select distinct gallery_id from changed));
  return null;
end $$;
create trigger photo_tags_noted after insert on photo_tags referencing new table as changed for each statement execute function note_tags();

-- Kept pages show numbers (decision record 0056).
create trigger photo_tags_page_added after insert on photo_tags referencing new table as changed
  for each statement execute function note_page_changes();
create trigger photo_tags_page_changed after update on photo_tags referencing new table as changed
  for each statement execute function note_page_changes();
create trigger photo_tags_page_removed after delete on photo_tags referencing old table as changed
  for each statement execute function note_page_changes();

-- What else decides which numbers everybody sees: the mode, a team's short name, and whether a child may be published.
create function note_roster_changes() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into page_changes (organization_id, gallery_id) select distinct organization_id, 0::bigint from changed;
  return null;
end $$;
create trigger athlete_settings_page_added after insert on athlete_settings referencing new table as changed
  for each statement execute function note_roster_changes();
create trigger athlete_settings_page_changed after update on athlete_settings referencing new table as changed
  for each statement execute function note_roster_changes();
create trigger teams_page_changed after update on teams referencing new table as changed
  for each statement execute function note_roster_changes();
create trigger athletes_page_changed after update on athletes referencing new table as changed
  for each statement execute function note_roster_changes();

-- Tags and checks go when nothing of the photo is left that anybody could open: the file of a sold one stays for its buyer, and with
-- it who is on it, so that a family's wish is still obeyed.
create function forget_tags() returns trigger language plpgsql as $$
begin
  delete from photo_tags where photo_id = new.id;
  delete from photo_checks where photo_id = new.id;
  return null;
end $$;
create trigger photos_forget_tags after update of purged_at on photos for each row
  when (new.purged_at is not null and old.purged_at is null and new.sales_count <= 0) execute function forget_tags();

-- A photo that moves to another gallery keeps its tags.
create function move_tags() returns trigger language plpgsql as $$
begin
  update photo_tags set gallery_id = new.gallery_id where photo_id = new.id;
  update photo_checks set gallery_id = new.gallery_id where photo_id = new.id;
  return null;
end $$;
create trigger photos_move_tags after update of gallery_id on photos for each row
  when (new.gallery_id <> old.gallery_id) execute function move_tags();
