-- A statement's month begins and ends in the organisation's time zone. Whoever moves to another zone afterwards must not move
-- the months that are over: the zones of before are kept, each with the moment until which it held. Room: features/reports.
create table organization_time_zones (
  organization_id bigint not null references organizations,
  valid_until timestamptz not null default clock_timestamp(),
  time_zone text not null,
  primary key (organization_id, valid_until)
);
alter table organization_time_zones enable row level security;
create policy organization_time_zones_scope on organization_time_zones
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));
create function keep_former_time_zone() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into organization_time_zones (organization_id, time_zone) values (old.id, old.time_zone);
  return null;
end $$;
create trigger organizations_time_zone after update of time_zone on organizations
  for each row when (old.time_zone is distinct from new.time_zone) execute function keep_former_time_zone();

-- The moment at which a month began for an organisation: in the zone that it had then, and for months to come in today's.
create function statement_month_start(organization bigint, first_day date) returns timestamptz
  language sql stable security definer set search_path = public, pg_temp
begin atomic
  select coalesce(
    (select first_day::timestamp at time zone z.time_zone from organization_time_zones z
      where z.organization_id = organization and first_day::timestamp at time zone z.time_zone <= z.valid_until
      order by z.valid_until limit 1),
    (select first_day::timestamp at time zone o.time_zone from organizations o where o.id = organization));
end;

-- The viewer of the audit log: by person, by deed, by thing and by day, each the newest first. Lines are written with the clock, so
-- ids and moments go together, and a day's first and last id bound every search.
create index audit_log_actor on audit_log (actor_id, id desc);
create index audit_log_action on audit_log (action, id desc);
create index audit_log_at on audit_log (at, id);
