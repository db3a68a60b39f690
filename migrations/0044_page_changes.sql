-- What changed of what visitors see, so that a page that was kept is shown only while it is still true (decision record 0056).
-- Each change adds a row in its own transaction and locks nothing; the revision of an organization or a gallery is made of the
-- ids of its rows. Module: features/tenancy (revisions).
create table page_changes (
  organization_id bigint not null,
  -- 0: the organization itself.
  gallery_id bigint not null,
  id bigint generated always as identity,
  primary key (organization_id, gallery_id, id)
);

-- The table's name in `changed` is that of the transition table; the arguments are the columns of the organization and of the gallery.
create function note_page_changes() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  case tg_table_name
    when 'organizations' then
      insert into page_changes (organization_id, gallery_id) select id, 0 from changed;
    when 'galleries' then
      insert into page_changes (organization_id, gallery_id) select organization_id, id from changed;
    when 'renditions' then
      insert into page_changes (organization_id, gallery_id)
        select distinct p.organization_id, p.gallery_id from changed join photos p on p.id = changed.photo_id;
    else
      insert into page_changes (organization_id, gallery_id) select distinct organization_id, gallery_id from changed;
  end case;
  return null;
end $$;

do $$
declare
  watched text;
begin
  foreach watched in array array['organizations', 'galleries', 'photos', 'renditions', 'photo_keywords', 'contribute_keys'] loop
    execute format('create trigger %I after insert on %I referencing new table as changed for each statement execute function note_page_changes()',
      watched || '_page_added', watched);
    execute format('create trigger %I after update on %I referencing new table as changed for each statement execute function note_page_changes()',
      watched || '_page_changed', watched);
    execute format('create trigger %I after delete on %I referencing old table as changed for each statement execute function note_page_changes()',
      watched || '_page_removed', watched);
  end loop;
end $$;
