-- A photo is withheld while one row of `photo_withholdings` stands, whatever the cause (decision record 0105). `photos.withheld_at` follows
-- in the same transaction. Modules: features/consent, features/takedowns. Whoever sets or clears `photos.withheld_at` itself (requests to
-- hide a photo, of this release and of the one before) speaks for the cause `takedown` alone.

-- What becomes of the photo when no cause stands any more: somebody had published it, or wished so meanwhile.
alter table photo_withholdings add column show_after boolean not null default false;

-- What each family said last, by the card that it opened; a member's decision takes these rows away. The strictest holds.
create table family_consents (
  card_id bigint not null references athlete_cards,
  athlete_id bigint not null references athletes,
  organization_id bigint not null references organizations,
  consent text not null check (consent in ('yes', 'family', 'no')),
  at timestamptz not null default now(),
  primary key (card_id, athlete_id)
);
create index family_consents_of_athlete on family_consents (athlete_id);
alter table family_consents enable row level security;
create policy family_consents_scope on family_consents
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));
create index entries_of_athlete on entries (athlete_id);
-- What the club said before a family spoke.
alter table athletes add column club_consent text check (club_consent in ('yes', 'family', 'no', 'unknown'));

insert into photo_withholdings (photo_id, cause, source_id, organization_id, at)
  select id, 'takedown', 0, organization_id, withheld_at from photos where withheld_at is not null
  on conflict do nothing;

-- After causes came or went. Photos are locked first, so that of two who change causes at once the later one sees both.
create function follow_withholdings() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  ids bigint[] := array(select distinct photo_id from changed);
  owners bigint[] := array(select distinct organization_id from changed);
begin
  if ids = '{}' then
    return null;
  end if;
  if tg_op = 'INSERT' then
    -- The first photo of a gallery changes with the order of its gallery.
    perform pg_advisory_xact_lock(gallery_id) from (
      select distinct gallery_id from photos where id = any (ids) and organization_id = any (owners) and featured order by gallery_id) first;
  end if;
  perform from photos where id = any (ids) and organization_id = any (owners) order by id for no key update;
  if tg_op = 'INSERT' then
    update photo_withholdings w set show_after = true
      from photos p
     where w.photo_id = any (ids) and not w.show_after and p.id = w.photo_id and p.organization_id = w.organization_id
       and (p.show_in_gallery or exists (select from photo_withholdings o where o.photo_id = w.photo_id and o.show_after));
    update photos p set withheld_at = now(), show_in_gallery = false, featured = false
     where p.id = any (ids) and p.organization_id = any (owners) and p.withheld_at is null
       and exists (select from photo_withholdings w where w.photo_id = p.id);
  else
    update photos p set withheld_at = null, show_in_gallery = gone.show_after
      from (select photo_id, bool_or(show_after) as show_after from changed group by photo_id) gone
     where p.id = gone.photo_id and p.organization_id = any (owners) and p.withheld_at is not null
       and not exists (select from photo_withholdings w where w.photo_id = p.id);
  end if;
  return null;
end $$;
-- Off while a change of `photos.withheld_at` itself writes the rows.
create trigger photo_withholdings_added after insert on photo_withholdings referencing new table as changed for each statement
  when (current_setting('sideline.withholdings', true) is distinct from 'told') execute function follow_withholdings();
create trigger photo_withholdings_gone after delete on photo_withholdings referencing old table as changed for each statement
  when (current_setting('sideline.withholdings', true) is distinct from 'told') execute function follow_withholdings();

-- A request hides a photo, or lets it go: other causes may stand.
create function note_request_to_hide() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform set_config('sideline.withholdings', 'told', true);
  if new.withheld_at is not null then
    insert into photo_withholdings (photo_id, cause, source_id, organization_id, at, show_after)
      values (new.id, 'takedown', 0, new.organization_id, new.withheld_at,
              old.show_in_gallery or exists (select from photo_withholdings w where w.photo_id = new.id and w.show_after))
      on conflict do nothing;
  else
    delete from photo_withholdings where photo_id = new.id and cause = 'takedown';
    if exists (select from photo_withholdings where photo_id = new.id) then
      new.withheld_at := old.withheld_at;
    end if;
  end if;
  perform set_config('sideline.withholdings', '', true);
  return new;
end $$;
create trigger photos_withheld_by_request before update of withheld_at on photos for each row
  when (pg_trigger_depth() = 0) execute function note_request_to_hide();

-- What somebody wishes while a photo is withheld holds when it is not any more. By its name before `photos_withheld_stay_hidden`.
create function note_wish_to_show() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update photo_withholdings set show_after = new.show_in_gallery where photo_id = new.id and show_after <> new.show_in_gallery;
  return new;
end $$;
create trigger photos_wished before update of show_in_gallery on photos for each row
  when (old.withheld_at is not null and pg_trigger_depth() = 0) execute function note_wish_to_show();

-- A photo that is withheld, or shown again, was not reviewed by that.
create or replace function note_review() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if new.withdrawn_at is not null then
    new.show_in_gallery := false;
  elsif pg_trigger_depth() = 1 and new.reviewed_at is not distinct from old.reviewed_at then
    new.reviewed_at := now();
  end if;
  return new;
end $$;
