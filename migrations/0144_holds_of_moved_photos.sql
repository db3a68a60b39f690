-- Photos that come from another gallery wait like new ones (decision record 0105). That nobody is on a photo was said of the teams of the
-- gallery that it comes from. Modules: features/consent, features/tagging.
create function hold_moved_photo() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from children_not_published(array[new.gallery_id]::bigint[])) then
    delete from photo_checks where photo_id = new.id;
    perform hold_unseen(array[new.gallery_id]::bigint[], array[new.id]::bigint[]);
  end if;
  return null;
end $$;
-- By its name after `photos_move_tags`.
create trigger photos_moved_hold after update of gallery_id on photos for each row
  when (new.gallery_id <> old.gallery_id) execute function hold_moved_photo();
