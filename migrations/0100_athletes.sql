-- Rosters, tags of athletes, consent and family cards (decision record 0100). Modules: features/roster (seasons, teams, athletes,
-- entries, athlete_families, athlete_merges), features/tagging (photo_tags, gallery_teams, tagging_runs, tagging_batches),
-- features/consent (athlete_settings, photo_withholdings, photo_exceptions), features/families (athlete_cards), features/watches
-- (watches), features/allowances (allowances).
-- Nothing here is public: no policy lets a visitor read a row. `photo_id` has no foreign key, because photos may be divided (record 0082).

create table seasons (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  name text not null check (char_length(name) between 1 and 60),
  first_day date not null,
  last_day date not null,
  created_at timestamptz not null default now(),
  check (first_day <= last_day)
);
create unique index seasons_of_organization on seasons (organization_id, lower(name));

create table teams (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  season_id bigint not null references seasons,
  name text not null check (char_length(name) between 1 and 60),
  -- Before a number where several teams are shown: "Hawks 10".
  short_name text not null check (char_length(short_name) between 1 and 12),
  color text check (color ~ '^#[0-9a-f]{6}$'),
  created_at timestamptz not null default now()
);
create unique index teams_of_season on teams (season_id, lower(name));
create index teams_of_organization on teams (organization_id, id);

create table athletes (
  id bigint primary key default random_id(),
  organization_id bigint not null references organizations,
  -- Null together, when `nameless_at` is set: the time for the name has passed, or the family asked for it.
  first_name text check (char_length(first_name) between 1 and 60),
  -- Empty, an initial, or the whole.
  last_name text check (char_length(last_name) <= 60),
  -- Both names as they are searched and compared: small letters, no accents, one space between words.
  folded_name text not null default '' check (char_length(folded_name) <= 200),
  consent text not null default 'unknown' check (consent in ('yes', 'family', 'no', 'unknown')),
  consent_at timestamptz,
  consent_by text check (consent_by in ('import', 'member', 'family')),
  -- The club's own number of this person.
  external_id text check (char_length(external_id) between 1 and 80),
  nameless_at timestamptz,
  -- Set while this athlete is another one; its tags, entries, cards and watches are that one's.
  merged_into bigint references athletes,
  created_at timestamptz not null default now(),
  check ((nameless_at is null) = (first_name is not null)),
  check ((first_name is null) = (last_name is null))
);
create unique index athletes_external_id on athletes (organization_id, external_id) where external_id is not null;
create index athletes_by_name on athletes (organization_id, folded_name, id) where merged_into is null;
create index athletes_merged on athletes (merged_into) where merged_into is not null;

-- An athlete on a team. Another number of the same athlete on the same team is another row, so that photos are found by the number
-- of their day. The same number twice on a team is allowed.
create table entries (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  athlete_id bigint not null references athletes,
  team_id bigint not null references teams,
  -- Text: 0, 00 and 07 are three players. Null: no number yet.
  number text check (number ~ '^[0-9]{1,4}$'),
  -- Null: since the season's first day.
  joined_on date,
  -- The last day; null: still on the team.
  left_on date,
  check (joined_on is null or left_on is null or joined_on <= left_on)
);
create unique index entries_now on entries (athlete_id, team_id) where left_on is null;
create index entries_of_team on entries (team_id, number, athlete_id);
create index entries_of_organization on entries (organization_id, id);

create table athlete_families (
  athlete_id bigint not null references athletes,
  organization_id bigint not null references organizations,
  email citext not null check (char_length(email::text) between 3 and 254),
  -- Given by the club; asked by us; yes or never: the answer of the person.
  state text not null default 'given' check (state in ('given', 'asked', 'yes', 'never')),
  source text not null check (source in ('import', 'self')),
  at timestamptz not null default now(),
  primary key (athlete_id, email)
);

-- A card has a code for people and a key for its square. Blank cards have no athlete until somebody fills them in.
create table athlete_cards (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  athlete_id bigint references athletes,
  code_hash bytea not null unique check (octet_length(code_hash) = 32),
  -- Code and key, so that the same card can be printed again.
  secrets_encrypted text not null,
  key_hash bytea not null unique check (octet_length(key_hash) = 32),
  made_at timestamptz not null default now(),
  replaced_at timestamptz,
  -- The family said that this is not their child.
  refused_at timestamptz,
  first_opened_at timestamptz,
  -- How many browsers have opened it.
  devices integer not null default 0 check (devices >= 0)
);
create index athlete_cards_of_athlete on athlete_cards (athlete_id, id) where replaced_at is null;
create index athlete_cards_of_organization on athlete_cards (organization_id, id);

-- An athlete on a photo, or a bare number of a team when nobody on the roster has it. With an athlete, team and number are the
-- entry of the day on which the photo was taken, where there is one.
create table photo_tags (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  gallery_id bigint not null references galleries,
  photo_id bigint not null,
  athlete_id bigint references athletes,
  team_id bigint references teams,
  number text check (number ~ '^[0-9]{1,4}$'),
  how text not null check (how in ('hand', 'burst', 'card', 'keyword', 'file')),
  by_user bigint references users,
  at timestamptz not null default now(),
  check (athlete_id is not null or (team_id is not null and number is not null))
);
create unique index photo_tags_of_athlete on photo_tags (athlete_id, photo_id) where athlete_id is not null;
create unique index photo_tags_of_number on photo_tags (team_id, number, photo_id) where athlete_id is null;
create index photo_tags_of_photo on photo_tags (photo_id);
create index photo_tags_in_gallery on photo_tags (gallery_id, number, photo_id);

-- The teams that play in a gallery's photos.
create table gallery_teams (
  gallery_id bigint not null references galleries,
  team_id bigint not null references teams,
  organization_id bigint not null references organizations,
  primary key (gallery_id, team_id)
);
create index gallery_teams_of_team on gallery_teams (team_id);

-- Photos that one person is tagging; the others' are grey. Order keys as in `photos`.
create table tagging_runs (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  gallery_id bigint not null references galleries,
  user_id bigint not null references users,
  first_key text collate "C" not null,
  last_key text collate "C" not null,
  until timestamptz not null
);
create index tagging_runs_of_gallery on tagging_runs (gallery_id, until);

-- Changes that were stored, so that sending them again counts once. Rows go after a week.
create table tagging_batches (
  gallery_id bigint not null references galleries,
  client_key text not null check (char_length(client_key) between 8 and 64),
  organization_id bigint not null references organizations,
  answer jsonb not null,
  at timestamptz not null default now(),
  primary key (gallery_id, client_key)
);
create index tagging_batches_at on tagging_batches (at);

-- Without a row an organization has no roster: nothing is found by number or card.
create table athlete_settings (
  organization_id bigint primary key references organizations,
  mode text not null default 'off' check (mode in ('numbers', 'private', 'off')),
  -- What `unknown` means.
  unknown_consent text not null default 'show' check (unknown_consent in ('show', 'family', 'hide')),
  -- Consents end with the season.
  consent_yearly boolean not null default false,
  -- New photos wait where a team has somebody who must not be published; switched off with the number of children in view.
  hold_new_photos boolean not null default true
);

-- Why a photo is withheld. It stays so while one cause stands; `photos.withheld_at` follows by trigger.
create table photo_withholdings (
  photo_id bigint not null,
  cause text not null check (cause in ('takedown', 'consent', 'hold', 'separator')),
  -- The request, or the athlete; 0 where the cause has no other row.
  source_id bigint not null,
  organization_id bigint not null references organizations,
  at timestamptz not null default now(),
  primary key (photo_id, cause, source_id)
);
create index photo_withholdings_of_source on photo_withholdings (cause, source_id);
create index photo_withholdings_of_organization on photo_withholdings (organization_id, photo_id);

-- A member shows one photo nevertheless ("seen from behind"), until the next consent of the child's family.
create table photo_exceptions (
  photo_id bigint not null,
  athlete_id bigint not null references athletes,
  organization_id bigint not null references organizations,
  reason text not null check (char_length(reason) between 10 and 500),
  by_user bigint references users,
  at timestamptz not null default now(),
  primary key (photo_id, athlete_id)
);
create index photo_exceptions_of_athlete on photo_exceptions (athlete_id);

create table athlete_merges (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  from_id bigint not null references athletes,
  into_id bigint not null references athletes,
  -- The rows that moved, as they were, without names.
  moved jsonb not null,
  by_user bigint references users,
  at timestamptz not null default now(),
  undone_at timestamptz
);
create index athlete_merges_of_organization on athlete_merges (organization_id, id desc);

create table watches (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  email citext not null check (char_length(email::text) between 3 and 254),
  -- Either an athlete, or a number of a team.
  athlete_id bigint references athletes,
  team_id bigint references teams,
  number text check (number ~ '^[0-9]{1,4}$'),
  key_hash bytea not null unique check (octet_length(key_hash) = 32),
  asked_at timestamptz not null default now(),
  confirmed_at timestamptz,
  stopped_at timestamptz,
  last_sent_at timestamptz,
  check ((athlete_id is not null) <> (team_id is not null and number is not null))
);
create index watches_of_athlete on watches (athlete_id) where athlete_id is not null and stopped_at is null;
create index watches_of_number on watches (team_id, number) where team_id is not null and stopped_at is null;
create index watches_of_organization on watches (organization_id, email);

-- Photos that are included with registration.
create table allowances (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  athlete_id bigint not null references athletes,
  photos integer not null check (photos between 1 and 200),
  used integer not null default 0 check (used between 0 and photos),
  sheet_id bigint references price_sheets,
  ends_on date,
  created_at timestamptz not null default now()
);
create unique index allowances_of_athlete on allowances (athlete_id, sheet_id) nulls not distinct;

do $$
declare
  name text;
begin
  foreach name in array array['seasons', 'teams', 'athletes', 'entries', 'athlete_families', 'athlete_cards', 'photo_tags',
    'gallery_teams', 'tagging_runs', 'tagging_batches', 'athlete_settings', 'photo_withholdings', 'photo_exceptions',
    'athlete_merges', 'watches', 'allowances'] loop
    execute format('alter table %I enable row level security', name);
    execute format('create policy %I on %I using ((select app_is_system()) or organization_id = any ((select app_organization_ids())::bigint[]))',
      name || '_scope', name);
  end loop;
end $$;
