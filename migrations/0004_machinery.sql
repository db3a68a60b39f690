-- What the house itself needs: letters to send, counters of attempts, the audit log, the sandbox card provider's books.

-- Written in the same transaction as what it tells about; sent by the worker (fault F33).
create table mail_outbox (
  id bigint generated always as identity primary key,
  dedupe_key text not null unique,
  recipient citext not null,
  subject text not null,
  html text not null,
  body_text text not null,
  attempts integer not null default 0,
  last_error text,
  created_at timestamptz not null default now(),
  sent_at timestamptz
);

-- Sliding windows of sensitive calls. Unlogged: a crash forgets them, and nothing else.
create unlogged table rate_counters (
  bucket text not null,
  window_start timestamptz not null,
  hits integer not null,
  primary key (bucket, window_start)
);
create index rate_counters_old on rate_counters (window_start);

create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  actor_id bigint,
  organization_id bigint,
  action text not null,
  object_type text not null,
  object_id text not null,
  details jsonb not null default '{}',
  ip inet
);
create index audit_log_object on audit_log (object_type, object_id);
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();

-- The sandbox provider is a stranger that happens to live next door: nothing of the product reads its tables.
create schema sandbox_provider;
create table sandbox_provider.tokens (
  id text primary key,
  number_behaviour text not null,
  card jsonb not null,
  created_at timestamptz not null default now(),
  used_at timestamptz
);
create table sandbox_provider.charges (
  id text primary key,
  amount_cents integer not null check (amount_cents > 0),
  fee_cents integer not null,
  status text not null check (status in ('succeeded', 'declined')),
  message text,
  code text,
  description text not null,
  metadata jsonb not null,
  card jsonb not null,
  created_at timestamptz not null default now()
);
create table sandbox_provider.refunds (
  id text primary key,
  charge_id text not null references sandbox_provider.charges,
  amount_cents integer not null check (amount_cents > 0),
  created_at timestamptz not null default now()
);
create table sandbox_provider.idempotency_keys (
  key text primary key,
  -- Null when the key was closed by a look-up before any charge came.
  content_hash bytea,
  charge_id text references sandbox_provider.charges,
  created_at timestamptz not null default now()
);
