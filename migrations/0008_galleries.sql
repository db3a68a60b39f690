-- Keyword search that does not grow with the gallery, examples of galleries for the home pages, and what sponsors' banners did.

-- Each different word of a gallery once, folded: a search looks at the words, and not at every photo. Words stay when their last
-- photo goes; they find nothing then. Written by the trigger below, never by the application.
create table gallery_words (
  gallery_id bigint not null references galleries,
  name citext not null,
  folded text not null,
  primary key (gallery_id, name)
);
alter table gallery_words enable row level security;
create policy gallery_words_public on gallery_words for select using (true);
insert into gallery_words (gallery_id, name, folded)
  select distinct on (gallery_id, name) gallery_id, name, fold_text(name::text) from photo_keywords;

-- In the order of the words, so that two who write the same ones wait for each other instead of standing across each other.
create function keep_gallery_words() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into gallery_words (gallery_id, name, folded)
    select distinct on (gallery_id, name) gallery_id, name, fold_text(name::text) from fresh order by gallery_id, name
    on conflict do nothing;
  return null;
end $$;
create trigger photo_keywords_words after insert on photo_keywords
  referencing new table as fresh for each statement execute function keep_gallery_words();

-- From words to their photos; replaces the index on the gallery alone.
create index photo_keywords_of_gallery on photo_keywords (gallery_id, name, photo_id);
drop index photo_keywords_gallery;

-- The newest galleries that anybody may look at, of all organisations and of one (home pages).
create index galleries_showcase on galleries (created_at desc, id)
  where active and not is_private and public_photo_count > 0 and not password_required;
create index galleries_showcase_of_organization on galleries (organization_id, created_at desc, id)
  where active and not is_private and public_photo_count > 0 and not password_required;

-- How often a sponsor's banner was seen and followed: one row per organisation, place and day of its time zone. Nobody is
-- recognised again: there is no visitor in it. Room: features/organizations.
create table sponsor_counts (
  organization_id bigint not null references organizations,
  slot text not null check (slot in ('tablet', 'mobile')),
  day date not null,
  impressions integer not null default 0 check (impressions >= 0),
  clicks integer not null default 0 check (clicks >= 0),
  primary key (organization_id, slot, day)
);
alter table sponsor_counts enable row level security;
create policy sponsor_counts_scope on sponsor_counts
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));
