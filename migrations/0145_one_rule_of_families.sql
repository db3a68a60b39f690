-- What a family sees beyond everybody is said in one place, `only_family_sees` (decision record 0105). Modules: features/consent, families.
create or replace function family_photos(children bigint[]) returns table (athlete_id bigint, photo_id bigint, gallery_id bigint, organization_id bigint, is_public boolean)
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
   where p.status = 'ready' and p.removed_at is null
     and (p.show_in_gallery or (p.withheld_at is not null and only_family_sees(p.id, m.athlete_id)))
$$;
