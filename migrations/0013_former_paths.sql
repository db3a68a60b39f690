-- An affiliate may change its path; links and QR codes that were printed with the old one lead on. A path that somebody
-- else takes later is theirs: the living one is always asked first. Room: features/organizations.
create table organization_former_paths (
  parent_organization_id bigint not null references organizations,
  domain_name citext not null check (char_length(domain_name) between 1 and 63),
  organization_id bigint not null references organizations,
  left_at timestamptz not null default now(),
  primary key (parent_organization_id, domain_name)
);
create index organization_former_paths_organization on organization_former_paths (organization_id);
