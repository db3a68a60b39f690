-- Rosters from a file (athletes specification B.3, B.7). Modules: features/roster-imports, features/roster.
-- The file itself is never kept. What a row said goes when the row is done; of rows that failed it stays a week, to be corrected.

create table roster_imports (
  id bigint primary key default random_id(),
  organization_id bigint not null references organizations,
  started_by bigint references users,
  status text not null default 'running' check (status in ('running', 'finished', 'stopped')),
  row_count integer not null check (row_count > 0),
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  -- What failed rows said was taken away.
  forgotten_at timestamptz,
  check ((status = 'running') = (finished_at is null))
);
-- Two tabs with one file are one import, and two files never make one child twice.
create unique index roster_imports_once_at_a_time on roster_imports (organization_id) where status = 'running';
create index roster_imports_newest on roster_imports (organization_id, started_at desc, id desc);
create index roster_imports_to_forget on roster_imports (finished_at) where status <> 'running' and forgotten_at is null;

create table roster_import_rows (
  import_id bigint not null references roster_imports on delete cascade,
  -- As a spreadsheet counts them: the head is 1.
  row_no integer not null check (row_no >= 2),
  organization_id bigint not null references organizations,
  -- What the file said, by column.
  cells jsonb,
  -- Whom it is about, as was decided when the import began.
  plan jsonb,
  result text check (result in ('created', 'updated', 'skipped', 'failed')),
  messages text[] not null default '{}',
  athlete_id bigint,
  primary key (import_id, row_no)
);
create index roster_import_rows_waiting on roster_import_rows (import_id, row_no) where result is null;
create index roster_import_rows_of_athlete on roster_import_rows (athlete_id) where athlete_id is not null;

alter table roster_imports enable row level security;
create policy roster_imports_scope on roster_imports
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));
alter table roster_import_rows enable row level security;
create policy roster_import_rows_scope on roster_import_rows
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));
