-- A search that finds little among 100,000 names is found by the index of their letters. Under row-level security the planner may
-- not use it, because `like` might tell of rows that the policy hides; so the letters are asked of this function. It answers only
-- ids of one organisation; what of those galleries is shown is decided where they are read, under the policies as ever. Planned
-- for each pattern: a plan for any pattern would walk through all of the organisation's galleries.
create function galleries_named(organization bigint, pattern text, most integer) returns setof bigint
  language sql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
  select id from galleries where organization_id = organization and active and fold_text(name) like pattern limit most
$$;
