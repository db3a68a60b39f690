-- API tokens of organizations. Module: features/api-tokens. Only the hash is kept: the token itself is shown once.
create table api_tokens (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  name text not null check (char_length(name) between 1 and 80),
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  -- Its last characters, so that people can tell which one a program has.
  ending text not null check (char_length(ending) = 4),
  scopes text[] not null check (cardinality(scopes) > 0),
  made_by bigint not null references users,
  created_at timestamptz not null default now(),
  -- Null: without an end.
  expires_at timestamptz,
  -- To the minute.
  last_used_at timestamptz,
  revoked_at timestamptz,
  -- Null where no person revoked it: its organization was closed, or who made it lost access.
  revoked_by bigint references users
);
create index api_tokens_of_organization on api_tokens (organization_id, id desc);
create index api_tokens_of_maker on api_tokens (made_by) where revoked_at is null;
alter table api_tokens enable row level security;
create policy api_tokens_scope on api_tokens
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));
