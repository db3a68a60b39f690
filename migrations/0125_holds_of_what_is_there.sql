-- Holds do not depend on the order in which members work (decision record 0105). Modules: features/consent, features/tagging,
-- features/tagging-desk.

-- Photos of these galleries, all or only some, that nobody has looked at wait where somebody must not be published. Tags that were made of
-- keywords or of a file are nobody's look.
create function hold_unseen(galleries bigint[], only_ids bigint[] default null) returns void language plpgsql set search_path = public, pg_temp as $$
begin
  insert into photo_withholdings (photo_id, cause, source_id, organization_id)
    select p.id, 'hold', 0, p.organization_id
      from photos p join children_not_published(galleries) c on c.gallery_id = p.gallery_id
      left join athlete_settings s on s.organization_id = p.organization_id
     where (only_ids is null or p.id = any (only_ids)) and p.removed_at is null and coalesce(s.hold_new_photos, true)
       and not exists (select from photo_tags t where t.photo_id = p.id and t.how not in ('keyword', 'file'))
       and not exists (select from photo_checks k where k.photo_id = p.id)
       and not exists (select from photo_withholdings w where w.photo_id = p.id and w.cause = 'hold')
     order by p.id
    on conflict do nothing;
end $$;

-- Photos that were there before their gallery's teams are held with the teams. Photos are locked before galleries, as sales lock them; an
-- upload that had begun holds its gallery's row, and what it brought is looked for once more when it has ended.
create function follow_gallery_teams() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  held bigint[] := array(
    select distinct g.gallery_id
      from changed g join entries e on e.team_id = g.team_id and e.left_on is null join athletes a on a.id = e.athlete_id
      left join athlete_settings s on s.organization_id = g.organization_id
     where effective_consent(a.consent, s.unknown_consent) <> 'yes');
begin
  if held <> '{}' then
    perform hold_unseen(held);
    perform from galleries where id = any (held) order by id for no key update;
    perform hold_unseen(held);
  end if;
  return null;
end $$;
create trigger gallery_teams_hold after insert on gallery_teams referencing new table as changed for each statement
  execute function follow_gallery_teams();

-- As before (0117), and a tag that nobody set by hand ends no hold.
create or replace function follow_tags() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  ids bigint[] := array(select distinct photo_id from changed);
begin
  if ids = '{}' then
    return null;
  end if;
  if tg_op <> 'DELETE' then
    perform from athletes where id in (select athlete_id from photo_children where photo_id = any (ids)) order by id for share;
    perform hold_consent_settings(array(select organization_id from changed));
  end if;
  perform follow_consent(ids);
  -- A photo that somebody tagged was looked at: the hold is over, and consent decides.
  if tg_op = 'INSERT' then
    delete from photo_withholdings
     where cause = 'hold' and photo_id in (select photo_id from changed where how not in ('keyword', 'file'));
  end if;
  return null;
end $$;
