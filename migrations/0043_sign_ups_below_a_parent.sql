-- A parent's home lists an account that signed up by itself only after a platform admin ticked it (decision 52). Those that are there
-- already keep their place. Module: features/organizations.
alter table organizations
  add column signed_up_itself boolean not null default false;
