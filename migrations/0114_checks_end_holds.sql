-- Somebody looked at a photo and found nobody to name: then nobody of those who must not be published is on it, and its hold ends
-- (decision records 0103, 0105). Modules: features/tagging, features/consent.
create function end_holds() returns trigger language plpgsql as $$
begin
  delete from photo_withholdings where photo_id in (select photo_id from changed) and cause = 'hold';
  return null;
end $$;
create trigger photo_checks_end_holds after insert on photo_checks referencing new table as changed
  for each statement execute function end_holds();
