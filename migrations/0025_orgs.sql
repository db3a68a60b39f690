-- The office's lists of organisations: found by any part of a name, in the order of names, a parent before its affiliates.
-- Room: features/organizations.
create index organizations_by_name on organizations (fold_text(name), id) where deleted_at is null;
create index organizations_search on organizations using gin (fold_text(name) gin_trgm_ops) where deleted_at is null;
