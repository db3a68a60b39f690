-- The page of an organization links to its credit: what it offers is a part of what visitors see (decision record 0056).
-- Modules: features/credit-shop (the table), features/tenancy (revisions).
create function note_credit_offered() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into page_changes (organization_id, gallery_id) values (new.organization_id, 0);
  return null;
end $$;
create trigger credit_settings_page_changed after insert or update on credit_settings
  for each row execute function note_credit_offered();
