-- Forms that are sent again after an answer was lost make nothing twice: the browser gives each form a key of its own.
-- Rooms: features/accounts (sign_up_keys), features/galleries (gallery_keys).

-- Accounts that platform admins open for others, by the key of their form.
create table sign_up_keys (
  client_key uuid primary key,
  user_id bigint not null references users on delete cascade,
  opened_by bigint references users on delete set null,
  created_at timestamptz not null default now()
);
create index sign_up_keys_user on sign_up_keys (user_id);
alter table sign_up_keys enable row level security;
create policy sign_up_keys_scope on sign_up_keys using ((select app_is_system()));

create table gallery_keys (
  organization_id bigint not null references organizations,
  client_key uuid not null,
  gallery_id bigint not null references galleries,
  created_at timestamptz not null default now(),
  primary key (organization_id, client_key)
);
alter table gallery_keys enable row level security;
create policy gallery_keys_scope on gallery_keys
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));
