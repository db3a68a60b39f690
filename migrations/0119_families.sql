-- The only way from a family's card to the child that it is of (athletes specification B.9): a caller must know the keyed hash of
-- a code or of the key in a square. Cards that were replaced or refused are answered, too, so that an old code takes as long as an
-- unknown one. Module: features/families.
create function family_cards(hashes bytea[])
  returns table (card_id bigint, code_hash bytea, organization_id bigint, parent_organization_id bigint, organization_path citext,
                 ended boolean, athlete_id bigint, first_name text, last_name text, consent text, team_id bigint, team_name text, number text)
  language sql stable security definer set search_path = public, pg_temp as $$
  select c.id, c.code_hash, c.organization_id, o.parent_organization_id, o.domain_name,
         c.replaced_at is not null or c.refused_at is not null, a.id, a.first_name, a.last_name, a.consent, e.team_id, e.name, e.number
    from athlete_cards c
    join organizations o on o.id = c.organization_id and o.deleted_at is null
    left join athletes given on given.id = c.athlete_id
    left join athletes a on a.id = coalesce(given.merged_into, given.id)
    left join lateral (
      select e.team_id, t.name, e.number
        from entries e join teams t on t.id = e.team_id join seasons s on s.id = t.season_id
       where e.athlete_id = a.id
       order by e.left_on is null desc, s.last_day desc, e.id desc limit 1) e on true
   where c.code_hash = any (hashes) or c.key_hash = any (hashes)
   limit 16
$$;
