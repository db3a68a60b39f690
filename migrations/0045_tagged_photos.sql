-- Whether a photo has a keyword stands in its row, so that those without are found and counted along an index: looking at each photo
-- of a gallery of 50,000 took 40 ms, with every page of the editor. Written by the triggers below, never by the application.
-- Filled by 0049, with an index in 0050: this file locks readers out and must be short. Module: features/photos.
alter table photos add column tagged boolean not null default false;

-- Photos are locked first, in the order of their ids: of two who add and take away keywords of one photo, the later one sees what
-- the earlier one left.
create function note_tagged_photos() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform 1 from photos where id in (select photo_id from changed) order by id for no key update;
  if tg_op = 'INSERT' then
    update photos set tagged = true where id in (select photo_id from changed) and not tagged;
  else
    update photos set tagged = false where id in (select photo_id from changed) and tagged
       and not exists (select from photo_keywords k where k.photo_id = photos.id);
  end if;
  return null;
end $$;
create trigger photo_keywords_tagged after insert on photo_keywords
  referencing new table as changed for each statement execute function note_tagged_photos();
create trigger photo_keywords_untagged after delete on photo_keywords
  referencing old table as changed for each statement execute function note_tagged_photos();
