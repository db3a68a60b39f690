-- Consent hides a photo in the transaction of the tag or of the consent (decision record 0105).
-- Locks: of the organization (shared by all but changes of its settings), then athletes, then photos.

create function effective_consent(consent text, unknown_consent text) returns text language sql immutable parallel safe as $$
  select case when consent <> 'unknown' then consent
              when unknown_consent = 'family' then 'family'
              when unknown_consent = 'hide' then 'no'
              else 'yes' end
$$;

-- Who is on a photo. A bare number of a team is everybody whom the roster has under it: whoever of them is meant is not published by mistake.
create view photo_children with (security_invoker = true) as
  select photo_id, organization_id, athlete_id from photo_tags where athlete_id is not null
  union
  select t.photo_id, t.organization_id, e.athlete_id
    from photo_tags t join entries e on e.team_id = t.team_id and e.number = t.number
   where t.athlete_id is null;

-- Brings the cause `consent` of these photos up to date. First the new ones, so that no photo is shown in between.
create function follow_consent(ids bigint[]) returns void language plpgsql set search_path = public, pg_temp as $$
begin
  insert into photo_withholdings (photo_id, cause, source_id, organization_id)
    select c.photo_id, 'consent', c.athlete_id, c.organization_id
      from photo_children c join athletes a on a.id = c.athlete_id left join athlete_settings s on s.organization_id = a.organization_id
     where c.photo_id = any (ids) and effective_consent(a.consent, s.unknown_consent) <> 'yes'
       and not exists (select from photo_exceptions e where e.photo_id = c.photo_id and e.athlete_id = c.athlete_id)
       and not exists (select from photo_withholdings w where w.photo_id = c.photo_id and w.cause = 'consent' and w.source_id = c.athlete_id)
     order by c.photo_id, c.athlete_id
    on conflict do nothing;
  delete from photo_withholdings w
   where w.photo_id = any (ids) and w.cause = 'consent'
     and not exists (
       select from photo_children c join athletes a on a.id = c.athlete_id left join athlete_settings s on s.organization_id = a.organization_id
        where c.photo_id = w.photo_id and c.athlete_id = w.source_id and effective_consent(a.consent, s.unknown_consent) <> 'yes'
          and not exists (select from photo_exceptions e where e.photo_id = c.photo_id and e.athlete_id = c.athlete_id));
end $$;

-- Nobody changes what `unknown` means until the transaction ends.
create function hold_consent_settings(organizations bigint[]) returns void language sql set search_path = public, pg_temp as $$
  select pg_advisory_xact_lock_shared(hashtextextended('consent ' || id, 0)) from (select distinct id from unnest(organizations) as id order by id) as owner
$$;

create function follow_tags() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  ids bigint[] := array(select distinct photo_id from changed);
begin
  if ids = '{}' then
    return null;
  end if;
  perform hold_consent_settings(array(select organization_id from changed));
  perform from athletes where id in (select athlete_id from photo_children where photo_id = any (ids)) order by id for share;
  -- A photo that somebody tagged was looked at: the hold is over, and consent decides.
  perform follow_consent(ids);
  if tg_op = 'INSERT' then
    delete from photo_withholdings where photo_id = any (ids) and cause = 'hold';
  end if;
  return null;
end $$;
create trigger photo_tags_added after insert on photo_tags referencing new table as changed for each statement execute function follow_tags();
create trigger photo_tags_gone after delete on photo_tags referencing old table as changed for each statement execute function follow_tags();
create trigger photo_tags_moved_from after update on photo_tags referencing old table as changed for each statement execute function follow_tags();
create trigger photo_tags_moved_to after update on photo_tags referencing new table as changed for each statement execute function follow_tags();

-- Exceptions end when the family speaks again.
create function follow_consents() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  ids bigint[] := array(select f.id from fresh f join stale s on s.id = f.id where s.consent <> f.consent);
begin
  delete from photo_exceptions
   where athlete_id in (select f.id from fresh f join stale s on s.id = f.id where f.consent_by = 'family' and f.consent_at is distinct from s.consent_at);
  if ids <> '{}' then
    perform hold_consent_settings(array(select organization_id from fresh where id = any (ids)));
    perform follow_consent(array(select distinct photo_id from photo_children where athlete_id = any (ids)));
  end if;
  return null;
end $$;
create trigger athletes_consent after update on athletes referencing old table as stale new table as fresh for each statement
  execute function follow_consents();

create function follow_unknown_consent() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' or new.unknown_consent <> old.unknown_consent then
    perform pg_advisory_xact_lock(hashtextextended('consent ' || new.organization_id, 0));
    perform follow_consent(array(
      select distinct c.photo_id from athletes a join photo_children c on c.athlete_id = a.id
       where a.organization_id = new.organization_id and a.consent = 'unknown'));
  end if;
  return null;
end $$;
create trigger athlete_settings_consent after insert or update on athlete_settings for each row execute function follow_unknown_consent();

create function follow_exceptions() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform hold_consent_settings(array(select organization_id from changed));
  perform from athletes where id in (select athlete_id from changed) order by id for share;
  perform follow_consent(array(select distinct photo_id from changed));
  return null;
end $$;
create trigger photo_exceptions_added after insert on photo_exceptions referencing new table as changed for each statement execute function follow_exceptions();
create trigger photo_exceptions_gone after delete on photo_exceptions referencing old table as changed for each statement execute function follow_exceptions();

-- Bare numbers are of whoever has them now.
create function follow_entries() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  ids bigint[] := array(select distinct t.photo_id from changed c join photo_tags t on t.team_id = c.team_id and t.number = c.number and t.athlete_id is null);
begin
  if ids <> '{}' then
    perform hold_consent_settings(array(select organization_id from changed));
    perform follow_consent(ids);
  end if;
  return null;
end $$;
create trigger entries_added after insert on entries referencing new table as changed for each statement execute function follow_entries();
create trigger entries_gone after delete on entries referencing old table as changed for each statement execute function follow_entries();
create trigger entries_moved_from after update on entries referencing old table as changed for each statement execute function follow_entries();
create trigger entries_moved_to after update on entries referencing new table as changed for each statement execute function follow_entries();

-- How many on the teams of these galleries must not be published; no row where there is nobody.
create function children_not_published(galleries bigint[]) returns table (gallery_id bigint, children integer)
language sql stable set search_path = public, pg_temp as $$
  select g.gallery_id, count(distinct a.id)::integer
    from gallery_teams g join entries e on e.team_id = g.team_id and e.left_on is null join athletes a on a.id = e.athlete_id
    left join athlete_settings s on s.organization_id = g.organization_id
   where g.gallery_id = any (galleries) and effective_consent(a.consent, s.unknown_consent) <> 'yes'
   group by g.gallery_id
$$;

-- New photos: what was withheld before it came here (imports) has its cause, and the hold is on where somebody must not be published.
create function follow_new_photos() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from fresh where withheld_at is not null) then
    insert into photo_withholdings (photo_id, cause, source_id, organization_id, at)
      select id, 'takedown', 0, organization_id, withheld_at from fresh where withheld_at is not null;
  end if;
  if exists (select from fresh f join gallery_teams g on g.gallery_id = f.gallery_id) then
    perform hold_consent_settings(array(select organization_id from fresh));
    insert into photo_withholdings (photo_id, cause, source_id, organization_id)
      select f.id, 'hold', 0, f.organization_id
        from fresh f join children_not_published(array(select distinct gallery_id from fresh)) c on c.gallery_id = f.gallery_id
        left join athlete_settings s on s.organization_id = f.organization_id
       where coalesce(s.hold_new_photos, true)
       order by f.id;
  end if;
  return null;
end $$;
create trigger photos_held after insert on photos referencing new table as fresh for each statement execute function follow_new_photos();
