/** Tables of this module: watches, watch_tellings. */
import { sql } from 'kysely';
import { isSeenByFamily } from '#src/features/families/families.sql.ts';
import * as contract from '#src/features/watches/watches.contract.ts';
import { IS_PUBLIC } from '#src/features/photos/photos.rules.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';

/** What is watched: an athlete, by a card, or a number of a team. */
export type Target = { athleteId: number; cardId: number } | { teamId: number; number: string };

/** The team of an organization whose numbers are public; null if there is none. */
export async function findWatchableTeam(db: Reader, teamId: number) {
  const { rows } = await sql<{ organizationId: number; parentOrganizationId: number | null; name: string }>`
    select t.organization_id as "organizationId", o.parent_organization_id as "parentOrganizationId", t.name
      from teams t join athlete_settings s on s.organization_id = t.organization_id and s.mode = 'numbers'
      join organizations o on o.id = t.organization_id and o.deleted_at is null
     where t.id = ${teamId}`.execute(db);
  return rows[0] ?? null;
}

/** Requests of one address run one at a time. */
export async function lockAddress(tx: Writer, email: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('watches ' || lower(${email}), 0))`.execute(tx);
}

export type WatchOfAddress = {
  id: number;
  organizationId: number;
  athleteId: number | null;
  teamId: number | null;
  number: string | null;
  keyEncrypted: string | null;
  confirmed: boolean;
  stopped: boolean;
};

/** All watches of an address below the root of a tree, oldest first. */
export async function listOfAddress(db: Reader, tree: number, email: string): Promise<WatchOfAddress[]> {
  const { rows } = await sql<WatchOfAddress>`
    select id, organization_id as "organizationId", athlete_id as "athleteId", team_id as "teamId", number,
           key_encrypted as "keyEncrypted", confirmed_at is not null as confirmed, stopped_at is not null as stopped
      from watches_of(${tree}, ${email}::citext) order by asked_at, id`.execute(db);
  return rows;
}

export async function insertWatch(
  tx: Writer,
  watch: { organizationId: number; email: string; target: Target; keyHash: Buffer; keyEncrypted: string },
): Promise<void> {
  const { organizationId, email, target, keyHash, keyEncrypted } = watch;
  const [athleteId, cardId] = 'athleteId' in target ? [target.athleteId, target.cardId] : [null, null];
  const [teamId, number] = 'teamId' in target ? [target.teamId, target.number] : [null, null];
  await sql`
    insert into watches (organization_id, email, athlete_id, card_id, team_id, number, key_hash, key_encrypted)
    values (${organizationId}, ${email}, ${athleteId}, ${cardId}, ${teamId}, ${number}, ${keyHash}, ${keyEncrypted})`.execute(
    tx,
  );
}

/** Requested again, after it was stopped or not confirmed. */
export async function requestConfirmation(tx: Writer, id: number): Promise<void> {
  await sql`update watches set asked_at = now() where id = ${id}`.execute(tx);
}

export async function deleteWatches(tx: Writer, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await sql`delete from watches where id = any (${[...ids]}::bigint[])`.execute(tx);
}

export type KeyedWatch = {
  id: number;
  organizationId: number;
  email: string;
  number: string | null;
  team: string | null;
  stopped: boolean;
};

const PLAYER = sql`
  left join lateral (
    select e.number, t.name from entries e join teams t on t.id = e.team_id
     where e.athlete_id = w.athlete_id order by e.left_on is null desc, e.id desc limit 1) e on true
  left join teams t on t.id = w.team_id`;

export async function findByKey(db: Reader, keyHash: Buffer): Promise<KeyedWatch | null> {
  const { rows } = await sql<KeyedWatch>`
    select w.id, w.organization_id as "organizationId", w.email::text as email, coalesce(w.number, e.number) as number,
           coalesce(t.name, e.name) as team, w.stopped_at is not null as stopped
      from watches w ${PLAYER} where w.key_hash = ${keyHash}`.execute(db);
  return rows[0] ?? null;
}

/** Confirmed now, or again after a stop; by the database's clock, like tags. */
export async function confirmWatches(tx: Writer, ids: readonly number[]): Promise<void> {
  await sql`
    update watches set confirmed_at = coalesce(confirmed_at, now()), stopped_at = null
     where id = any (${[...ids]}::bigint[])`.execute(tx);
}

export async function stopWatches(tx: Writer, ids: readonly number[], now: Date): Promise<void> {
  await sql`
    update watches set stopped_at = ${now} where id = any (${[...ids]}::bigint[]) and stopped_at is null`.execute(tx);
}

/** Confirmed watches of the same address in the same organization. */
export async function listOfSameAddress(
  db: Reader,
  watch: Pick<KeyedWatch, 'organizationId' | 'email'>,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from watches_of(${watch.organizationId}, ${watch.email}::citext)
     where organization_id = ${watch.organizationId} and confirmed_at is not null order by id`.execute(db);
  return rows.map(({ id }) => id);
}

export type News = {
  watchId: number;
  organizationId: number;
  email: string;
  isChild: boolean;
  keyEncrypted: string;
  number: string | null;
  team: string | null;
  galleryId: number;
  photos: number;
};

/**
 * News for watchers, by watch and gallery: photos that they may see, of galleries that were quiet for two hours. Leaves
 * out addresses that this organization has emailed within a day. A child is watched while the card that it was
 * requested with is valid. A number is watched in public galleries, while numbers are public, and not on photos of a
 * child who must not be published. The query plan is the same for every size, whatever the planner knows of the tables:
 * new tags are read once and grouped by player and gallery, and each row with an index is looked up by it (`offset 0`
 * keeps the planner from rewriting a lookup).
 */
export async function listNews(db: Reader, now: Date, limit: number): Promise<News[]> {
  const isFresh = sql`t.at > ${now}::timestamptz - make_interval(days => ${contract.NEW_DAYS})`;
  const quietSince = sql`${now}::timestamptz - make_interval(hours => ${contract.QUIET_HOURS})`;
  const watch = sql`w.id, w.email, w.key_encrypted, w.athlete_id, w.team_id, w.number, w.confirmed_at`;
  const isOpen = sql`w.confirmed_at is not null and w.stopped_at is null and w.key_encrypted is not null`;
  // By its id only: with other conditions the planner would scan a whole gallery instead.
  const photo = sql`(
           select q.id, q.status, q.removed_at, q.show_in_gallery, q.withheld_at from photos q
            where q.id = f.photo_id and q.organization_id = f.organization_id offset 0) p`;
  const { rows } = await sql<News>`
    with fresh as materialized (
      select t.organization_id, t.gallery_id, t.photo_id, t.athlete_id, t.team_id, t.number, t.at from photo_tags t where ${isFresh}),
    quiet as materialized (
      select g.id, g.is_closed
        from (select gallery_id from fresh group by gallery_id having max(at) <= ${quietSince}) f
        cross join lateral (
          select g.id, g.is_private or g.password_required as is_closed from galleries g
           where g.id = f.gallery_id and g.active
             and not exists (select from photos q where q.gallery_id = g.id and q.organization_id = g.organization_id and q.created_at > ${quietSince})
          offset 0) g),
    children as materialized (
      select f.organization_id, f.gallery_id, f.athlete_id, array_agg(f.at) as times
        from fresh f
       where f.athlete_id is not null and f.gallery_id in (select id from quiet)
         and exists (select from ${photo} where ${isSeenByFamily(sql`f.athlete_id`)})
       group by f.organization_id, f.gallery_id, f.athlete_id),
    shown as materialized (
      select f.organization_id, f.gallery_id, f.team_id, f.number, f.photo_id, max(f.at) as at
        from fresh f join athlete_settings s on s.organization_id = f.organization_id and s.mode = 'numbers'
       where f.team_id is not null and f.gallery_id in (select id from quiet where not is_closed)
         and exists (select from ${photo} where ${sql.raw(IS_PUBLIC)})
         and not exists (select from athletes a where a.id = f.athlete_id and effective_consent(a.consent, s.unknown_consent) <> 'yes')
         and (f.athlete_id is not null or not exists (
           select from entries e join athletes a on a.id = e.athlete_id
            where e.team_id = f.team_id and e.number = f.number and effective_consent(a.consent, s.unknown_consent) <> 'yes'))
       group by f.organization_id, f.gallery_id, f.team_id, f.number, f.photo_id),
    numbers as materialized (
      select organization_id, gallery_id, team_id, number, array_agg(at) as times from shown group by organization_id, gallery_id, team_id, number),
    due as materialized (
      select w.*, c.organization_id, c.gallery_id, c.times
        from children c cross join lateral (
          select ${watch} from watches w
           where w.athlete_id = c.athlete_id and w.organization_id = c.organization_id and ${isOpen}
             and exists (select from athlete_cards d where d.replaced_at is null and d.refused_at is null
                            and (d.id = w.card_id or (w.card_id is null and d.athlete_id = w.athlete_id)))
          offset 0) w
      union all
      select w.*, n.organization_id, n.gallery_id, n.times
        from numbers n cross join lateral (
          select ${watch} from watches w
           where w.team_id = n.team_id and w.number = n.number and w.organization_id = n.organization_id and ${isOpen}
          offset 0) w),
    news as materialized (
      select w.*, (select count(*)::integer from unnest(w.times) as at where at > coalesce(sent.told_at, w.confirmed_at)) as photos
        from due w left join lateral (
          select told_at from watch_tellings where watch_id = w.id and gallery_id = w.gallery_id offset 0) sent on true
       where (w.organization_id, lower(w.email::text)) not in (
         select o.organization_id, lower(o.email::text) from watches o where o.last_sent_at > ${now}::timestamptz - make_interval(hours => ${contract.EMAIL_EVERY_HOURS})))
    select w.id as "watchId", w.organization_id as "organizationId", w.email::text as email, w.athlete_id is not null as "isChild",
           w.key_encrypted as "keyEncrypted", coalesce(w.number, e.number) as number, coalesce(t.name, e.name) as team,
           w.gallery_id as "galleryId", w.photos
      from news w ${PLAYER}
     where w.photos > 0
     order by w.organization_id, w.email, w.id, w.photos desc, w.gallery_id
     limit ${limit}`.execute(db);
  return rows;
}

/**
 * Marks news as sent, in the transaction of the emails, and returns the emails that are still to be sent. An email is
 * left out if another worker has notified one of its watches, which had the address's email of the day, or one was
 * stopped.
 */
export async function markNotified<Rows extends readonly News[]>(
  tx: Writer,
  planned: readonly Rows[],
  now: Date,
): Promise<Rows[]> {
  const ids = [...new Set(planned.flatMap((rows) => rows.map(({ watchId }) => watchId)))];
  const { rows: locked } = await sql<{ id: number }>`
    select id from watches
     where id = any (${ids}::bigint[]) and stopped_at is null and (last_sent_at is null or last_sent_at <= ${now}::timestamptz - make_interval(hours => ${contract.EMAIL_EVERY_HOURS}))
     order by id for no key update`.execute(tx);
  const due = new Set(locked.map(({ id }) => id));
  const left = planned.filter((rows) => rows.every(({ watchId }) => due.has(watchId)));
  const marked = left.flat();
  if (marked.length === 0) return [];
  await sql`
    update watches set last_sent_at = ${now}
     where id = any (${[...new Set(marked.map(({ watchId }) => watchId))]}::bigint[])`.execute(tx);
  await sql`
    insert into watch_tellings (watch_id, gallery_id, organization_id, told_at)
    select watch_id, gallery_id, organization_id, ${now}::timestamptz - make_interval(hours => ${contract.QUIET_HOURS})
      from unnest(${marked.map(({ watchId }) => watchId)}::bigint[], ${marked.map(({ galleryId }) => galleryId)}::bigint[],
                  ${marked.map(({ organizationId }) => organizationId)}::bigint[]) as sent (watch_id, gallery_id, organization_id)
    on conflict (watch_id, gallery_id) do update set told_at = excluded.told_at`.execute(tx);
  return left;
}

/** Deletes unconfirmed watches, and those that were stopped long ago. */
export async function deleteOld(tx: Writer, now: Date): Promise<void> {
  await sql`
    delete from watches
     where (confirmed_at is null and asked_at < ${now}::timestamptz - make_interval(days => ${contract.PENDING_DAYS}))
        or stopped_at < ${now}::timestamptz - make_interval(days => ${contract.STOPPED_DAYS})`.execute(tx);
}
