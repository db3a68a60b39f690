-- Which processes run, on whatever machine, for the page "Health". Each writes its own row at its start and once a minute.
-- Module: platform/processes.
create table processes (
  id uuid primary key,
  role text not null check (role in ('web', 'worker')),
  name text not null,
  host text not null,
  pid integer not null,
  version text not null,
  node_version text not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  memory_bytes bigint not null,
  -- Its own clock before the database's.
  clock_ahead_ms bigint not null
);

-- When the last attempt to send an email failed; null while it is being sent, and before any attempt. A retry by hand asks for it,
-- so that no second worker takes an email that is being sent. Processes of the version before do not name it. Module: platform/mail.
alter table mail_outbox add column failed_at timestamptz;

update mail_outbox set failed_at = now() where sent_at is null and held_for is null and last_error is not null;
