-- Numbers that a contributor says of own photos, until a member approves them and they become tags (decision record 0116).
-- Module: features/contributors. `photo_id` has no foreign key, because photos may be divided (record 0082).
create table contributed_numbers (
  photo_id bigint not null,
  number text not null check (number ~ '^[0-9]{1,4}$'),
  organization_id bigint not null references organizations,
  at timestamptz not null default now(),
  primary key (photo_id, number)
);
create index contributed_numbers_of_organization on contributed_numbers (organization_id);
alter table contributed_numbers enable row level security;
create policy contributed_numbers_scope on contributed_numbers
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));
