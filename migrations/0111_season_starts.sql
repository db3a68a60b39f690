-- A season that begins with the teams and athletes of the one before it, written piece by piece (athletes specification B.7).
-- Module: features/roster.
create table season_starts (
  season_id bigint primary key references seasons,
  organization_id bigint not null references organizations,
  from_season_id bigint not null references seasons,
  keep_numbers boolean not null,
  new_cards boolean not null,
  ask_consent boolean not null,
  -- Athletes; the last one that was written.
  total integer not null,
  done integer not null default 0,
  last_athlete_id bigint not null default 0,
  finished_at timestamptz
);
create index season_starts_of_organization on season_starts (organization_id);
alter table season_starts enable row level security;
create policy season_starts_scope on season_starts
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));
create index athlete_merges_open on athlete_merges (at) where undone_at is null;
create index athlete_families_waiting on athlete_families (at) where state in ('given', 'asked');
