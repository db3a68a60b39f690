-- One order of locks (decision record 0105): athletes, what `unknown` means, the gallery's order, photos. A tag that goes locks no athlete: it
-- may go with its photo, whose row is locked already.
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
    delete from photo_withholdings where photo_id = any (ids) and cause = 'hold';
  end if;
  return null;
end $$;

create or replace function follow_exceptions() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from athletes where id in (select athlete_id from changed) order by id for share;
  perform hold_consent_settings(array(select organization_id from changed));
  perform follow_consent(array(select distinct photo_id from changed));
  return null;
end $$;

-- As before, and a photo that was removed meanwhile is not shown again.
create or replace function follow_withholdings() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  ids bigint[] := array(select distinct photo_id from changed);
  owners bigint[] := array(select distinct organization_id from changed);
begin
  if ids = '{}' then
    return null;
  end if;
  if tg_op = 'INSERT' then
    -- The first photo of a gallery changes with the order of its gallery.
    perform pg_advisory_xact_lock(gallery_id) from (
      select distinct gallery_id from photos where id = any (ids) and organization_id = any (owners) and featured order by gallery_id) first;
  end if;
  perform from photos where id = any (ids) and organization_id = any (owners) order by id for no key update;
  if tg_op = 'INSERT' then
    update photo_withholdings w set show_after = true
      from photos p
     where w.photo_id = any (ids) and not w.show_after and p.id = w.photo_id and p.organization_id = w.organization_id
       and (p.show_in_gallery or exists (select from photo_withholdings o where o.photo_id = w.photo_id and o.show_after));
    update photos p set withheld_at = now(), show_in_gallery = false, featured = false
     where p.id = any (ids) and p.organization_id = any (owners) and p.withheld_at is null
       and exists (select from photo_withholdings w where w.photo_id = p.id);
  else
    update photos p set withheld_at = null, show_in_gallery = gone.show_after and p.removed_at is null
      from (select photo_id, bool_or(show_after) as show_after from changed group by photo_id) gone
     where p.id = gone.photo_id and p.organization_id = any (owners) and p.withheld_at is not null
       and not exists (select from photo_withholdings w where w.photo_id = p.id);
  end if;
  return null;
end $$;

-- Uploads hold their gallery's row: they wait for no consent here, and a photo that comes while one changes is not new to it.
create or replace function follow_new_photos() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from fresh where withheld_at is not null) then
    insert into photo_withholdings (photo_id, cause, source_id, organization_id, at)
      select id, 'takedown', 0, organization_id, withheld_at from fresh where withheld_at is not null;
  end if;
  if exists (select from fresh f join gallery_teams g on g.gallery_id = f.gallery_id) then
    insert into photo_withholdings (photo_id, cause, source_id, organization_id)
      select f.id, 'hold', 0, f.organization_id
        from fresh f join children_not_published(array(select distinct gallery_id from fresh)) c on c.gallery_id = f.gallery_id
        left join athlete_settings s on s.organization_id = f.organization_id
       where coalesce(s.hold_new_photos, true)
       order by f.id;
  end if;
  return null;
end $$;

-- What the card of a child may show (athletes specification B.5): what everybody sees, and what is hidden by this child's own consent `family`
-- alone and would be shown otherwise. A bare number is the child's where nobody else has it on that team. Modules: features/consent, families.
create function family_photos(children bigint[]) returns table (athlete_id bigint, photo_id bigint, gallery_id bigint, organization_id bigint, is_public boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select m.athlete_id, p.id, p.gallery_id, p.organization_id, p.show_in_gallery
    from (
      select t.athlete_id, t.photo_id, t.organization_id from photo_tags t where t.athlete_id = any (children)
      union
      select e.athlete_id, t.photo_id, t.organization_id
        from entries e join photo_tags t on t.team_id = e.team_id and t.number = e.number and t.athlete_id is null
       where e.athlete_id = any (children)
         and not exists (select from entries o where o.team_id = e.team_id and o.number = e.number and o.athlete_id <> e.athlete_id)) m
    join photos p on p.id = m.photo_id and p.organization_id = m.organization_id
    join galleries g on g.id = p.gallery_id and g.active
    join organizations o on o.id = p.organization_id and o.deleted_at is null
    join athletes a on a.id = m.athlete_id
    left join athlete_settings s on s.organization_id = a.organization_id
   where p.status = 'ready' and p.removed_at is null
     and (p.show_in_gallery or (
       effective_consent(a.consent, s.unknown_consent) = 'family'
       and exists (select from photo_withholdings w where w.photo_id = p.id and w.show_after)
       and not exists (select from photo_withholdings w where w.photo_id = p.id and not (w.cause = 'consent' and w.source_id = m.athlete_id))))
$$;

-- How many photos of each child nobody sees because the child must not be published.
create function unpublished_photos(children bigint[]) returns table (athlete_id bigint, photos integer)
language sql stable security definer set search_path = public, pg_temp as $$
  select a.id, count(*)::integer
    from athletes a left join athlete_settings s on s.organization_id = a.organization_id
    join photo_withholdings w on w.cause = 'consent' and w.source_id = a.id and w.show_after
    join photos p on p.id = w.photo_id and p.organization_id = w.organization_id and p.status = 'ready' and p.removed_at is null
   where a.id = any (children) and effective_consent(a.consent, s.unknown_consent) = 'no'
   group by a.id
$$;
