-- Accounts and galleries from a file (issue 5): every row is done once, whatever is killed meanwhile. Rooms: features/bulk-imports, features/accounts.

-- Somebody else chose the password and may have mailed it around: its owner chooses another at the first login (threat D17).
alter table users add column must_change_password boolean not null default false;

create table bulk_imports (
  id bigint primary key default random_id(),
  kind text not null check (kind in ('users', 'galleries')),
  file_name text not null check (char_length(file_name) between 1 and 255),
  -- Recognises the same file while it is being imported, and tells nothing of what is in it. The file itself is never kept.
  content_mac bytea not null,
  started_by bigint not null references users,
  status text not null default 'running' check (status in ('running', 'finished', 'stopped')),
  row_count integer not null check (row_count > 0),
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  -- How its rows ended; counted once, at the end.
  created_count integer,
  skipped_count integer,
  failed_count integer,
  -- The cells of its rows are taken away some weeks after it has ended.
  forgotten_at timestamptz,
  check ((status = 'running') = (finished_at is null)),
  check (status = 'running' or created_count + skipped_count + failed_count = row_count)
);
-- Two tabs with one file are one import (fault F23).
create unique index bulk_imports_once_at_a_time on bulk_imports (kind, content_mac) where status = 'running';
create index bulk_imports_newest on bulk_imports (kind, started_at desc, id desc);
create index bulk_imports_to_forget on bulk_imports (finished_at) where status <> 'running' and forgotten_at is null;
alter table bulk_imports enable row level security;
create policy bulk_imports_scope on bulk_imports using ((select app_is_system()));

create table bulk_import_rows (
  import_id bigint not null references bulk_imports,
  -- As a spreadsheet counts them: the head is 1.
  row_no integer not null check (row_no >= 2),
  -- Finds what an earlier import made of the same row.
  row_mac bytea not null,
  -- The parent of an account, the owner of a gallery; null where none was found.
  organization_id bigint references organizations,
  -- What the file said, without passwords.
  cells jsonb,
  -- Encrypted, and gone as soon as the row is done.
  password_sealed bytea,
  result text check (result in ('created', 'skipped', 'failed')),
  messages text[] not null default '{}',
  -- The organisation or the gallery that came of it, and the person.
  made_id bigint,
  made_user_id bigint,
  primary key (import_id, row_no),
  check (result is null or password_sealed is null),
  check (result is null or (result = 'failed') = (made_id is null)),
  check (result is distinct from 'failed' or cardinality(messages) > 0)
);
create index bulk_import_rows_waiting on bulk_import_rows (import_id, row_no) where result is null;
create index bulk_import_rows_made on bulk_import_rows (row_mac) where result = 'created';
alter table bulk_import_rows enable row level security;
create policy bulk_import_rows_scope on bulk_import_rows using ((select app_is_system()));
