-- Watches: emails about new photos of an athlete or of a number (decision record 0108). Module: features/watches.

-- The key of the links in emails, sealed, because each email has them.
alter table watches add column key_encrypted text;
-- Those of an address in a tree of organizations are counted and told together.
create function watches_of(tree bigint, address citext) returns setof watches
  language sql stable security definer set search_path = public, pg_temp as $$
  select w.* from watches w
   where w.email = address and w.organization_id in (select id from organizations where id = tree or parent_organization_id = tree)
$$;

-- Up to when a watcher was told of a gallery: what is tagged there later is new.
create table watch_tellings (
  watch_id bigint not null references watches on delete cascade,
  gallery_id bigint not null references galleries,
  organization_id bigint not null references organizations,
  told_at timestamptz not null,
  primary key (watch_id, gallery_id)
);
alter table watch_tellings enable row level security;
create policy watch_tellings_scope on watch_tellings
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));

-- New tags are found by their time; rows come in its order, so a few bytes a page are enough.
create index photo_tags_at on photo_tags using brin (at) with (autosummarize = on);

-- Where one press ends all emails like this one (RFC 8058); goes with the text of an email that was sent.
alter table mail_outbox add column unsubscribe_url text;
