-- Personal invites beside the link of a gallery, contributors who find their own photos again, and the review of what they sent.
-- Room: features/contributors; the columns of photos belong to features/photos.

-- One row per gallery and invited person; inviting somebody again replaces the key. Only the hash is kept: the letter carries the key.
create table gallery_invites (
  id bigint generated always as identity primary key,
  gallery_id bigint not null references galleries,
  organization_id bigint not null references organizations,
  email citext not null,
  key_hash bytea not null unique,
  invited_by bigint references users,
  created_at timestamptz not null default now(),
  sent_at timestamptz not null default now(),
  revoked_at timestamptz,
  unique (gallery_id, email)
);
alter table gallery_invites enable row level security;
create policy gallery_invites_scope on gallery_invites
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));

-- Whose contribution it is, so that they may withdraw it: the invite it came by, and the browser's signed visitor cookie.
alter table gallery_contributors
  add column invite_id bigint references gallery_invites,
  add column visitor_id uuid;
create index gallery_contributors_invite on gallery_contributors (invite_id) where invite_id is not null;
create index gallery_contributors_visitor on gallery_contributors (visitor_id, gallery_id) where visitor_id is not null;

-- Null: nobody has decided about this contribution yet. Withdrawn: by the contributor; sold ones stay hidden for good.
alter table photos
  add column reviewed_at timestamptz,
  add column withdrawn_at timestamptz;
create index photos_of_contributor on photos (gallery_contributor_id, order_key, id) where gallery_contributor_id is not null;
create index photos_waiting on photos (gallery_id, gallery_contributor_id, order_key, id)
  where gallery_contributor_id is not null and not show_in_gallery and reviewed_at is null and removed_at is null and status <> 'failed';

-- Showing or hiding a contribution, by whichever call, is a decision about it; a withdrawn one is never shown again.
create function note_review() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if new.withdrawn_at is not null then
    new.show_in_gallery := false;
  elsif new.reviewed_at is not distinct from old.reviewed_at then
    new.reviewed_at := now();
  end if;
  return new;
end $$;
create trigger photos_review before update of show_in_gallery on photos for each row
  when (new.gallery_contributor_id is not null and new.show_in_gallery is distinct from old.show_in_gallery)
  execute function note_review();

-- What the owner has not been told yet; at most one letter an hour and gallery.
create table contribution_notices (
  gallery_id bigint primary key references galleries,
  organization_id bigint not null references organizations,
  -- Since when contributions wait that no letter told of; null when all were told.
  untold_since timestamptz,
  told_at timestamptz
);
create index contribution_notices_untold on contribution_notices (untold_since) where untold_since is not null;
alter table contribution_notices enable row level security;
create policy contribution_notices_scope on contribution_notices
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));
