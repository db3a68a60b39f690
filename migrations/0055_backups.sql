-- When the database and its objects were last backed up, and whether a backup was restored and checked: for the Health page and its
-- alert. Written by `npm run backup` and `npm run restore -- --verify`, read by anyone. Module: platform/backup.
create table backups (
  id bigint generated always as identity primary key,
  -- 'file': database and objects in one file. 'folder': a database and the objects that were new, added to a folder.
  -- 'verify': a backup was restored elsewhere and checked.
  kind text not null check (kind in ('file', 'folder', 'verify')),
  started_at timestamptz not null,
  finished_at timestamptz not null default clock_timestamp(),
  -- Of what this run wrote.
  bytes bigint not null default 0 check (bytes >= 0),
  objects bigint not null default 0 check (objects >= 0),
  -- Null: it succeeded.
  error text
);
create index backups_succeeded on backups (kind, finished_at desc) where error is null;
