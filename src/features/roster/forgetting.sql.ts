/** Deletes names and addresses: of athletes, their families, cards, watches, merges, exceptions, rows of files, and emails. */
import { sql, type RawBuilder } from 'kysely';
import { ENTERED_DAYS } from '#src/features/roster/roster-care.contract.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';

/** Which names stay at this moment. */
type Kept = { seasons: number; years: number; now: Date };

/** Seasons whose athletes keep their names. Today is a day of the organization's time zone. */
const keptSeasons = ({ seasons, years, now }: Kept) => sql`
      select id from (
        select s.id, s.first_day > t.today as is_coming, s.last_day > t.today - make_interval(years => ${years}) as is_recent,
               row_number() over (partition by s.organization_id, s.first_day > t.today order by s.first_day desc, s.id desc) as place
          from seasons s join organizations o on o.id = s.organization_id
         cross join lateral (select (${now}::timestamptz at time zone o.time_zone)::date as today) t) s
       where is_coming or is_recent and place <= ${seasons + 1}`;

/** How many athletes of this season would lose their names now, however new their rows are. */
export async function countOutdated(db: Reader, { seasonId, ...kept }: Kept & { seasonId: number }): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with kept as (${keptSeasons(kept)})
    select count(*)::int from athletes a
     where a.nameless_at is null and a.merged_into is null
       and exists (select from entries e join teams t on t.id = e.team_id where e.athlete_id = a.id and t.season_id = ${seasonId})
       and not exists (select from entries e join teams t on t.id = e.team_id join kept k on k.id = t.season_id where e.athlete_id = a.id)`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/**
 * Some athletes whose time has passed: on no team of the current season and those before it, and for years on no team
 * of a continuing season, or of a deleted organization.
 */
export async function listOutdated(db: Reader, { limit, ...kept }: Kept & { limit: number }): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with kept as (${keptSeasons(kept)})
    select a.id from athletes a
     where a.nameless_at is null and a.merged_into is null
       and (exists (select from organizations o where o.id = a.organization_id and o.deleted_at is not null)
            or not exists (select from entries e join teams t on t.id = e.team_id join kept k on k.id = t.season_id where e.athlete_id = a.id)
               and (a.created_at < ${kept.now}::timestamptz - make_interval(years => ${kept.years})
                    or (a.created_at < ${kept.now}::timestamptz - make_interval(days => ${ENTERED_DAYS}) and exists (select from entries e where e.athlete_id = a.id))))
     order by a.id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Merged athletes whose merge can no longer be undone. */
export async function listMerged(db: Reader, { days, limit }: { days: number; limit: number }): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select a.id from athletes a
     where a.merged_into is not null and a.nameless_at is null
       and not exists (select from athlete_merges m where m.from_id = a.id and m.undone_at is null and m.at > now() - make_interval(days => ${days}))
     order by a.id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** These, and the athletes who were merged into them, one after another. */
export async function withMerged(db: Reader, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with recursive same as (
      select id from athletes where id = any (${ids}::bigint[])
      union select a.id from same join athletes a on a.merged_into = same.id)
    select id from same`.execute(db);
  return rows.map(({ id }) => id);
}

/** Of these athletes; with a card only those that were requested with it. */
const isWatchOf = (ids: readonly number[], cardId: number | null) => sql<boolean>`(
  athlete_id = any (${ids}::bigint[]) and (${cardId}::bigint is null or card_id is null or card_id = ${cardId}::bigint))`;

/**
 * Deletes the text of emails that we wrote for the organization to these families and watchers
 * (`watch-…-<organization>-…`); the row stays. Other emails are kept, because a club can enter any address. Unconfirmed
 * watches do not count, because anyone with a card can enter any address.
 */
async function clearEmails(tx: Writer, ids: readonly number[], cardId: number | null): Promise<void> {
  await sql`
    update mail_outbox m
       set recipient = 'forgotten', reply_to = null, subject = '', html = '', body_text = '', unsubscribe_url = null, last_error = null,
           sent_at = coalesce(m.sent_at, now())
      from (select email, organization_id from athlete_families where athlete_id = any (${ids}::bigint[])
            union select email, organization_id from watches where ${isWatchOf(ids, cardId)} and confirmed_at is not null) f
     where m.recipient = f.email and m.dedupe_key ~ ('^watch-(asked|news)-' || f.organization_id || '-')`.execute(tx);
}

/**
 * Deletes what rows of files contained about them, and failed rows, which belong to no athlete, with the same name or
 * an address of the family. A first name alone is that of other children, too: then the number decides, and without
 * one only a row with nothing but this name.
 */
async function clearRows(tx: Writer, ids: readonly number[]): Promise<void> {
  await sql`
    update roster_import_rows set cells = null, messages = '{}'
     where athlete_id = any (${ids}::bigint[]) and cells is not null`.execute(tx);
  await sql`
    with gone as (
      select organization_id, ' ' || lower(first_name) || ' ' as first, ' ' || lower(nullif(last_name, '')) || ' ' as last,
             array(select lower(f.email::text) from athlete_families f where f.athlete_id = a.id) as emails,
             array(select e.number from entries e where e.athlete_id = a.id and e.number is not null) as numbers
        from athletes a where a.id = any (${ids}::bigint[]) and a.nameless_at is null),
    failed as (
      select import_id, row_no, organization_id,
             ' ' || lower(regexp_replace(concat_ws(' ', cells ->> 'name', cells ->> 'first_name', cells ->> 'last_name'), '[\\s,]+', ' ', 'g')) || ' ' as name,
             regexp_split_to_array(lower(cells ->> 'family_email'), '[;,\\s]+') as emails,
             substring(cells ->> 'number' from '[0-9]+') as number
        from roster_import_rows where result = 'failed' and cells is not null and organization_id in (select organization_id from gone))
    update roster_import_rows r set cells = null, messages = '{}'
      from failed f join gone g on g.organization_id = f.organization_id
       and (f.emails && g.emails
            or strpos(f.name, g.first) > 0
               and case when g.last is not null then strpos(f.name, g.last) > 0
                        when f.number is null or g.numbers = '{}' then f.name = g.first
                        else f.number = any (g.numbers) end)
     where r.import_id = f.import_id and r.row_no = f.row_no`.execute(tx);
}

/**
 * Hashes of addresses that merges copied. Someone could test addresses against them, so they stay only while a merge
 * can be undone.
 */
export async function forgetMerges(tx: Writer, which: { olderThanDays: number } | { ids: readonly number[] }) {
  const due =
    'ids' in which
      ? sql`(from_id = any (${which.ids}::bigint[]) or into_id = any (${which.ids}::bigint[]))`
      : sql`(undone_at is not null or at < now() - make_interval(days => ${which.olderThanDays}))`;
  await sql`
    update athlete_merges set moved = jsonb_set(moved, '{emails}', '[]')
     where ${due} and moved -> 'emails' <> '[]'`.execute(tx);
}

const REASON_FORGOTTEN = 'Forgotten with the name.';

/**
 * Deletes the addresses of their families, and ends emails about new photos; of the family with this card only, unless
 * it is null. Names and cards stay. Returns how many addresses the organization had.
 */
export async function forgetFamilies(tx: Writer, ids: readonly number[], cardId: number | null): Promise<number> {
  await clearEmails(tx, ids, cardId);
  await clearRows(tx, ids);
  await forgetMerges(tx, { ids });
  const deleted = await deleteAddresses(tx, sql`athlete_id = any (${ids}::bigint[])`);
  await sql`delete from watches where ${isWatchOf(ids, cardId)}`.execute(tx);
  return deleted;
}

/** Deletes names, addresses and the club's ids, and ends cards. Tags, numbers and the consent stay. */
export async function forgetNames(tx: Writer, ids: readonly number[]): Promise<void> {
  await forgetFamilies(tx, ids, null);
  await sql`update athlete_cards set replaced_at = now() where athlete_id = any (${ids}::bigint[]) and replaced_at is null`.execute(
    tx,
  );
  // A member's reason for showing a photo may name the child.
  await sql`
    update photo_exceptions set reason = ${REASON_FORGOTTEN} where athlete_id = any (${ids}::bigint[])`.execute(tx);
  await sql`
    update athletes set first_name = null, last_name = null, folded_name = '', external_id = null, nameless_at = now()
     where id = any (${ids}::bigint[]) and nameless_at is null`.execute(tx);
}

/** Deletes the recipients of old emails about new photos; their text was deleted when they were sent. */
export async function forgetRecipients(tx: Writer, days: number): Promise<void> {
  await sql`
    update mail_outbox set recipient = 'forgotten', subject = '', last_error = null
     where dedupe_key ~ '^watch-(asked|news)-' and recipient <> 'forgotten'
       and sent_at < now() - make_interval(days => ${days})`.execute(tx);
}

/**
 * Deletes addresses whose owners do not get emails about the child, or no longer do; returns how many. Asking for these emails
 * is the yes that B.7 means. It ends when they are stopped, and with the card.
 */
export async function forgetAddresses(tx: Writer, days: number): Promise<number> {
  const isWatching = sql`exists (
    select from watches w join athletes a on a.id = athlete_families.athlete_id
     where w.athlete_id in (a.id, a.merged_into) and w.email = athlete_families.email
       and w.confirmed_at is not null and w.stopped_at is null)`;
  return deleteAddresses(
    tx,
    sql`state <> 'never' and at < now() - make_interval(days => ${days}) and not ${isWatching}`,
  );
}

/** What was bought with them stays the family's own. */
async function deleteAddresses(tx: Writer, which: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from athlete_families where ${which}
       and case when source = 'import' or state = 'yes' then keep_orders_of_family(athlete_id, email, organization_id) else 0 end is not null`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0);
}
