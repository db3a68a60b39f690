-- An organization's copy of its own data, and what an organization brought from another installation. Modules: features/exports,
-- features/imports.

-- A copy: its data as files in the object store, its originals by reference, so that a hundred thousand of them take no disk space twice.
create table exports (
  id bigint primary key default random_id(),
  organization_id bigint not null references organizations,
  asked_by bigint references users,
  state text not null default 'waiting' check (state in ('waiting', 'making', 'ready', 'failed', 'expired')),
  created_at timestamptz not null default now(),
  ready_at timestamptz,
  expires_at timestamptz,
  photos integer not null default 0,
  bytes bigint not null default 0
);
create unique index exports_one_at_a_time on exports (organization_id) where state in ('waiting', 'making');
create index exports_of_organization on exports (organization_id, created_at desc);
create index exports_expiring on exports (expires_at) where state = 'ready';
alter table exports enable row level security;
create policy exports_scope on exports
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));

-- What is in its archives. Part 1 is the data, the others are originals.
create table export_files (
  export_id bigint not null references exports,
  part integer not null,
  place integer not null,
  organization_id bigint not null references organizations,
  name text not null,
  object_key text not null,
  bytes integer not null,
  sha256 text,
  -- An original; it is left out once the photo is not there any more.
  photo_id bigint references photos,
  -- Of its content, once it was computed.
  crc32 bigint,
  primary key (export_id, part, place)
);
create index export_files_photo on export_files (photo_id) where photo_id is not null;
alter table export_files enable row level security;
create policy export_files_scope on export_files
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));

-- A copy that is brought in, once: the same copy goes on where it stopped.
create table organization_imports (
  id bigint generated always as identity primary key,
  -- Of its manifest.
  sha256 text not null unique,
  organization_id bigint references organizations,
  started_by bigint references users,
  started_at timestamptz not null default now(),
  finished_at timestamptz
);

-- What each of its things became here.
create table imported_things (
  import_id bigint not null references organization_imports,
  kind text not null,
  old_id bigint not null,
  new_id bigint not null,
  primary key (import_id, kind, old_id)
);

-- Orders, payouts and books of before: to look at and to take along again. They are no orders of ours, so that nothing of them is due,
-- paid out or compared with our card provider.
create table imported_records (
  import_id bigint not null references organization_imports,
  dataset text not null,
  place integer not null,
  organization_id bigint not null references organizations,
  facts jsonb not null,
  primary key (import_id, dataset, place)
);
create index imported_records_of_organization on imported_records (organization_id, dataset);
alter table imported_records enable row level security;
create policy imported_records_scope on imported_records
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));
