-- Galleries, photos, their renditions and uploads, likes and votes.
-- Rooms: features/galleries, features/photos, features/contributors.

create table galleries (
  id bigint primary key default random_id(),
  organization_id bigint not null references organizations,
  name text not null check (char_length(name) between 1 and 200),
  -- Inactive is deleted (decision 45).
  active boolean not null default true,
  is_private boolean not null default false,
  price_cents integer not null check (price_cents between 0 and 1000000),
  photos_by text not null default '',
  display_watermark boolean not null default true,
  display_goal boolean not null default false,
  goal_description text not null default '',
  target_goal_cents integer not null default 0 check (target_goal_cents >= 0),
  password_required boolean not null default false,
  -- Encrypted, because owners must be able to read it out to parents (decision 1).
  password_encrypted bytea,
  -- Part of the unlock cookie: a new password closes the gate again.
  password_version integer not null default 1,
  allow_public_contributions boolean not null default false,
  allow_voting boolean not null default false,
  -- Kept by triggers below; never written by the application.
  photo_count integer not null default 0 check (photo_count >= 0),
  public_photo_count integer not null default 0 check (public_photo_count >= 0),
  photos_sold integer not null default 0,
  sales_cents bigint not null default 0,
  donations_cents bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index galleries_of_organization on galleries (organization_id, created_at desc, id) where active;
create index galleries_listed on galleries (organization_id, created_at desc, id)
  where active and not is_private and public_photo_count > 0;
create index galleries_name_search on galleries using gin (fold_text(name) gin_trgm_ops) where active;

alter table galleries enable row level security;
-- Everybody may see the header of an active gallery whose id they hold; the service decides what of it is shown.
create policy galleries_public on galleries for select using (active);
create policy galleries_scope on galleries
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));

-- Contribute keys (decision 8): only the hash opens, the encrypted text can be shown to the owner again.
create table contribute_keys (
  key_hash bytea primary key,
  key_encrypted bytea not null,
  gallery_id bigint not null references galleries,
  organization_id bigint not null references organizations,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  quota integer check (quota > 0)
);
create unique index contribute_keys_one_live on contribute_keys (gallery_id) where revoked_at is null;
alter table contribute_keys enable row level security;
create policy contribute_keys_scope on contribute_keys
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));

create table gallery_contributors (
  id bigint generated always as identity primary key,
  gallery_id bigint not null references galleries,
  organization_id bigint not null references organizations,
  name text not null,
  email citext not null,
  site text,
  instagram text,
  created_at timestamptz not null default now()
);
create index gallery_contributors_gallery on gallery_contributors (gallery_id);
alter table gallery_contributors enable row level security;
create policy gallery_contributors_scope on gallery_contributors
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));

-- One row per upload policy handed out; a claim turns it into a photo.
create table uploads (
  key text primary key,
  gallery_id bigint not null references galleries,
  organization_id bigint not null references organizations,
  -- Who asked for the policy: exactly one of a session's user or a contribute key.
  user_id bigint references users,
  contribute_key_hash bytea,
  filename text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  claimed_at timestamptz,
  check ((user_id is null) <> (contribute_key_hash is null))
);
create index uploads_unclaimed on uploads (created_at) where claimed_at is null;
create index uploads_of_contribute_key on uploads (contribute_key_hash) where contribute_key_hash is not null;
alter table uploads enable row level security;
create policy uploads_scope on uploads
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));

-- Photos claimed with the same batch text keep capture order among themselves (decision 28).
create table photo_batches (
  gallery_id bigint not null references galleries,
  batch text not null,
  organization_id bigint not null references organizations,
  order_prefix text collate "C" not null,
  created_at timestamptz not null default now(),
  primary key (gallery_id, batch)
);
alter table photo_batches enable row level security;
create policy photo_batches_scope on photo_batches
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));

create table photos (
  id bigint primary key default random_id(),
  gallery_id bigint not null references galleries,
  organization_id bigint not null references organizations,
  name text not null,
  status text not null default 'processing' check (status in ('processing', 'ready', 'failed')),
  -- Why it failed, in words for the owner.
  problem text,
  show_in_gallery boolean not null default true,
  featured boolean not null default false,
  -- Place in the gallery: featured first, then by key (fractional index, O(1) for add and move).
  order_key text collate "C" not null,
  -- The batch's key while the photo has never been moved by hand, so that ingest may put it in capture order.
  batch_prefix text collate "C",
  price_override_cents integer check (price_override_cents between 0 and 1000000),
  width integer,
  height integer,
  thumbhash bytea,
  captured_at timestamptz,
  exif jsonb not null default '{}',
  iptc jsonb not null default '{}',
  -- Quarter turns on top of the file's own orientation (decision 30).
  turns smallint not null default 0 check (turns between 0 and 3),
  -- Where the bytes came from, until ingest has moved them to their final place.
  upload_key text unique,
  upload_etag text,
  original_key text,
  original_sha256 text,
  original_bytes integer,
  -- Goes up whenever the pixels of renditions change; part of public image addresses.
  pixel_version integer not null default 1,
  gallery_contributor_id bigint references gallery_contributors,
  likes_count integer not null default 0 check (likes_count >= 0),
  votes_count integer not null default 0 check (votes_count >= 0),
  sales_count integer not null default 0,
  sales_cents bigint not null default 0,
  created_at timestamptz not null default now(),
  removed_at timestamptz,
  check (status <> 'ready' or (width is not null and height is not null and thumbhash is not null
         and original_key is not null and original_sha256 is not null and original_bytes is not null)),
  check ((status = 'failed') = (problem is not null))
);
create index photos_public_order on photos (gallery_id, (not featured), order_key, id)
  where show_in_gallery and status = 'ready' and removed_at is null;
create index photos_member_order on photos (gallery_id, (not featured), order_key, id)
  where removed_at is null;
create unique index photos_one_featured on photos (gallery_id) where featured and removed_at is null;
create index photos_same_bytes on photos (gallery_id, original_sha256) where removed_at is null;
create index photos_of_organization on photos (organization_id);

alter table photos enable row level security;
-- The second wall: without a scope only public photos exist.
create policy photos_public on photos for select
  using (show_in_gallery and status = 'ready' and removed_at is null);
create policy photos_scope on photos
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));

create table renditions (
  photo_id bigint not null references photos,
  size smallint not null check (size in (320, 480, 640, 1440)),
  mark text not null check (mark in ('clean', 'marked')),
  format text not null check (format in ('jpeg', 'webp', 'avif')),
  pixel_version integer not null,
  object_key text not null,
  sha256 text not null,
  bytes integer not null check (bytes > 0),
  width integer not null,
  height integer not null,
  primary key (photo_id, size, mark, format)
);

create table photo_keywords (
  id bigint generated always as identity primary key,
  photo_id bigint not null references photos,
  gallery_id bigint not null references galleries,
  organization_id bigint not null references organizations,
  name citext not null check (char_length(name) between 1 and 60),
  unique (photo_id, name)
);
create index photo_keywords_search on photo_keywords using gin (fold_text(name::text) gin_trgm_ops);
create index photo_keywords_gallery on photo_keywords (gallery_id);
alter table photo_keywords enable row level security;
create policy photo_keywords_public on photo_keywords for select using (true);
create policy photo_keywords_scope on photo_keywords
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));

-- Likes and votes are one per visitor and photo (decision 29); the visitor is a signed cookie's id.
create table photo_likes (
  photo_id bigint not null references photos,
  visitor_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (photo_id, visitor_id)
);
create table photo_votes (
  photo_id bigint not null references photos,
  visitor_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (photo_id, visitor_id)
);

-- Counters: one place that cannot forget. A photo counts for its gallery unless removed or failed
-- (decision 46), and for the public when it may be seen.
create function count_photos() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  was_counted integer := 0;
  is_counted integer := 0;
  was_public integer := 0;
  is_public integer := 0;
begin
  if tg_op <> 'INSERT' then
    was_counted := (old.removed_at is null and old.status <> 'failed')::integer;
    was_public := (old.show_in_gallery and old.status = 'ready' and old.removed_at is null)::integer;
  end if;
  if tg_op <> 'DELETE' then
    is_counted := (new.removed_at is null and new.status <> 'failed')::integer;
    is_public := (new.show_in_gallery and new.status = 'ready' and new.removed_at is null)::integer;
  end if;
  if is_counted <> was_counted or is_public <> was_public then
    update galleries
       set photo_count = photo_count + is_counted - was_counted,
           public_photo_count = public_photo_count + is_public - was_public
     where id = coalesce(new.gallery_id, old.gallery_id);
  end if;
  return null;
end $$;
create trigger photos_counted after insert or delete or update of show_in_gallery, status, removed_at on photos
  for each row execute function count_photos();

create function count_likes() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update photos set likes_count = likes_count + case tg_op when 'INSERT' then 1 else -1 end
   where id = coalesce(new.photo_id, old.photo_id);
  return null;
end $$;
create trigger photo_likes_counted after insert or delete on photo_likes for each row execute function count_likes();

create function count_votes() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update photos set votes_count = votes_count + case tg_op when 'INSERT' then 1 else -1 end
   where id = coalesce(new.photo_id, old.photo_id);
  return null;
end $$;
create trigger photo_votes_counted after insert or delete on photo_votes for each row execute function count_votes();
