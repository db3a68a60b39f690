-- Pictures: an organisation's mark as text and placement, marking anew, turning, likeness and sharpness, purging.
-- Rooms: features/organizations (organizations), features/photos (all else).

-- Without an uploaded mark this text is drawn, without a text the name (decision 48).
alter table organizations
  add column watermark_text text check (char_length(watermark_text) between 1 and 60),
  add column watermark_placement text not null default 'tiled' check (watermark_placement in ('tiled', 'centred'));

alter table photos
  -- `turns` is what the owner asked for; this is what the renditions show. They differ while the photo is made anew.
  add column rendered_turns smallint not null default 0 check (rendered_turns between 0 and 3),
  -- Names the mark that the marked renditions carry (mark.rules.ts); null: made before marks had names.
  add column mark_name text,
  -- 64 bits as lower-case hex: alike pictures differ in few of them. Null until measured.
  add column dhash text check (dhash ~ '^[0-9a-f]{16}$'),
  -- How sharp its sharpest parts are; the higher the sharper (images/likeness.ts). Null until measured.
  add column sharpness real,
  -- Its renditions are gone for good, and its file unless somebody bought it.
  add column purged_at timestamptz;
update photos set rendered_turns = turns where turns <> 0;

create index photos_unmeasured on photos (id) where dhash is null and status = 'ready' and removed_at is null;
create index photos_to_purge on photos (removed_at) where removed_at is not null and purged_at is null;

-- Objects that a photo no longer needs. When they are due and no photo refers to them they are condemned, then removed; the
-- row stays for a day as a sign that the object is gone, for photos that were just about to share it (purging.service.ts).
create table object_removals (
  object_key text primary key,
  due_at timestamptz not null default now(),
  condemned_at timestamptz,
  removed_at timestamptz
);
create index object_removals_due on object_removals (due_at) where removed_at is null;
create index object_removals_done on object_removals (removed_at) where removed_at is not null;
-- Equality only, and small: keys are long and without order.
create index renditions_object on renditions using hash (object_key);
create index photos_original on photos using hash (original_key);
