-- "Ask to hide this photo": what people ask, and what the owners decided. Rooms: features/takedowns, features/photos, features/audit.

create table takedowns (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  gallery_id bigint not null references galleries,
  photo_id bigint not null references photos,
  -- Decided once, and never again.
  state text not null default 'open' check (state in ('open', 'hidden', 'kept', 'deleted')),
  -- The photo was hidden as soon as it was asked for.
  hid_first boolean not null,
  -- The parent or guardian of the child, or the person in the picture.
  guardian boolean not null,
  -- Personal data: taken away 90 days after the decision.
  reason text check (char_length(reason) between 1 and 2000),
  contact citext check (char_length(contact::text) between 3 and 254),
  -- Tells whether two requests came from one place, and not from where.
  asker bytea,
  asked_at timestamptz not null default now(),
  decided_at timestamptz,
  decided_by bigint references users,
  note text not null default '' check (char_length(note) <= 1000),
  forgotten_at timestamptz,
  check ((state = 'open') = (decided_at is null)),
  check (state <> 'open' or (reason is not null and contact is not null and asker is not null))
);
-- Asking again is the same request; two at once are one.
create unique index takedowns_open_once on takedowns (photo_id, contact) where state = 'open';
create index takedowns_open on takedowns (organization_id, id desc) where state = 'open';
create index takedowns_of_organization on takedowns (organization_id, id desc);
create index takedowns_of_gallery on takedowns (gallery_id) where state = 'open';
create index takedowns_of_photo on takedowns (photo_id);
create index takedowns_to_forget on takedowns (decided_at) where state <> 'open' and forgotten_at is null;
alter table takedowns enable row level security;
create policy takedowns_scope on takedowns
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));

-- Without a row: hide first.
create table takedown_settings (
  organization_id bigint primary key references organizations,
  mode text not null check (mode in ('hide_first', 'review'))
);
alter table takedown_settings enable row level security;
create policy takedown_settings_scope on takedown_settings
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));

-- A photo that was hidden on request stays hidden, whatever else is done to it: by a selection of hundreds, by a second window.
alter table photos add column withheld_at timestamptz;
create function keep_withheld_hidden() returns trigger language plpgsql as $$
begin
  if new.withheld_at is not null then
    new.show_in_gallery := false;
    new.featured := false;
  end if;
  return new;
end $$;
create trigger photos_withheld_stay_hidden before update of show_in_gallery, featured, withheld_at on photos
  for each row execute function keep_withheld_hidden();

-- Members read what was done to their organisation's things; everybody's deeds may be written.
create index audit_log_organization on audit_log (organization_id, id desc);
alter table audit_log enable row level security;
create policy audit_log_read on audit_log for select
  using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]));
create policy audit_log_write on audit_log for insert with check (true);
