/** Tables of this module: athletes, entries, athlete_families. */
import { sql } from 'kysely';
import type { Consent } from '#src/features/consent/consent.contract.ts';
import type { EntryAnswer } from '#src/features/roster/roster.contract.ts';
import type { CurrentEntry, EntryStep } from '#src/features/roster/roster.rules.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';

type AthleteRow = {
  id: number;
  organizationId: number;
  firstName: string | null;
  lastName: string | null;
  externalId: string | null;
  consent: Consent;
  entries: EntryAnswer[];
  families: number;
  cardOpened: boolean;
  devices: number;
  photoCount: number;
};

/** An athlete as members see it: current entries, and counts of what belongs to it. */
const SELECT = sql`
  select a.id, a.organization_id as "organizationId", a.first_name as "firstName", a.last_name as "lastName",
         a.external_id as "externalId", a.consent,
         (select coalesce(json_agg(json_build_object('team_id', t.id, 'team', t.name, 'season_id', t.season_id, 'number', e.number)
                                   order by t.season_id desc, lower(t.name), t.id), '[]')
            from entries e join teams t on t.id = e.team_id where e.athlete_id = a.id and e.left_on is null) as entries,
         (select count(*) from athlete_families f where f.athlete_id = a.id and f.state <> 'never')::integer as families,
         c.opened as "cardOpened", c.devices,
         (select count(*) from photo_tags p where p.athlete_id = a.id)::integer as "photoCount"
    from athletes a cross join lateral (
           select coalesce(bool_or(c.first_opened_at is not null), false) as opened, coalesce(max(c.devices), 0) as devices
             from athlete_cards c where c.athlete_id = a.id and c.replaced_at is null and c.refused_at is null) c`;

export type AthleteSearch = {
  seasonId: number | null;
  teamId: number | null;
  /** Folded words; the name contains each of them. */
  words: readonly string[];
  /** Of an entry. */
  number: string | null;
  consent: Consent | null;
};

export const EVERYONE: AthleteSearch = { seasonId: null, teamId: null, words: [], number: null, consent: null };

/** Athletes with a name who were not merged into another one. */
function matching(organizationId: number, { seasonId, teamId, words, number, consent }: AthleteSearch) {
  const parts = [sql`a.organization_id = ${organizationId} and a.merged_into is null and a.nameless_at is null`];
  if (words.length > 0)
    parts.push(
      sql`not exists (select from unnest(${words}::text[]) as word (text) where strpos(a.folded_name, word.text) = 0)`,
    );
  if (consent !== null) parts.push(sql`a.consent = ${consent}`);
  if (seasonId !== null || teamId !== null || number !== null)
    parts.push(sql`exists (select from entries e join teams t on t.id = e.team_id
      where e.athlete_id = a.id and e.left_on is null
        and ${seasonId === null ? sql`true` : sql`t.season_id = ${seasonId}`}
        and ${teamId === null ? sql`true` : sql`t.id = ${teamId}`}
        and ${number === null ? sql`true` : sql`e.number = ${number}`})`);
  return sql.join(parts, sql` and `);
}

/** By name, after an athlete. */
export async function listAthletes(
  db: Reader,
  organizationId: number,
  search: AthleteSearch,
  { after, limit }: { after: number | null; limit: number },
): Promise<AthleteRow[]> {
  const { rows } = await sql<AthleteRow>`${SELECT}
    where ${matching(organizationId, search)}
      and ${after === null ? sql`true` : sql`(a.folded_name, a.id) > (select b.folded_name, b.id from athletes b where b.id = ${after})`}
    order by a.folded_name, a.id limit ${limit}`.execute(db);
  return rows;
}

export async function countAthletes(db: Reader, organizationId: number, search: AthleteSearch): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from athletes a where ${matching(organizationId, search)}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Includes athletes without a name, and leaves out merged ones. */
export async function findAthlete(db: Reader, id: number): Promise<AthleteRow | null> {
  const { rows } = await sql<AthleteRow>`${SELECT} where a.id = ${id} and a.merged_into is null`.execute(db);
  return rows[0] ?? null;
}

/** Other changes of the athlete wait; what is read afterwards stays true. */
export async function lockAthlete(tx: Writer, id: number): Promise<void> {
  await sql`select from athletes where id = ${id} for no key update`.execute(tx);
}

export async function listEmails(db: Reader, athleteId: number): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select email::text as email from athlete_families
     where athlete_id = ${athleteId} and state <> 'never' order by at, email`.execute(db);
  return rows.map(({ email }) => email);
}

/** Athletes who were merged into this one and can be separated again, newest first, without those who have no name. */
export async function listMerges(db: Reader, athleteId: number, days: number) {
  const { rows } = await sql<{ id: number; firstName: string; lastName: string }>`
    select distinct on (m.from_id) m.from_id as id, a.first_name as "firstName", a.last_name as "lastName"
      from athletes a join athlete_merges m on m.from_id = a.id and m.into_id = a.merged_into
     where a.merged_into = ${athleteId} and a.nameless_at is null and m.undone_at is null and m.at > now() - make_interval(days => ${days})
     order by m.from_id, m.id desc`.execute(db);
  return rows;
}

export type AthleteNames = { firstName: string; lastName: string; foldedName: string; externalId: string | null };

/** Null when another athlete of the organization has this external id. */
export async function insertAthlete(tx: Writer, organizationId: number, names: AthleteNames): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    insert into athletes (organization_id, first_name, last_name, folded_name, external_id)
    values (${organizationId}, ${names.firstName}, ${names.lastName}, ${names.foldedName}, ${names.externalId})
    on conflict (organization_id, external_id) where external_id is not null do nothing returning id`.execute(tx);
  return rows[0]?.id ?? null;
}

export async function updateNames(tx: Writer, id: number, names: AthleteNames): Promise<void> {
  await tx
    .updateTable('athletes')
    .set({
      first_name: names.firstName,
      last_name: names.lastName,
      folded_name: names.foldedName,
      external_id: names.externalId,
    })
    .where('id', '=', id)
    .execute();
}

/** Current entries, and whether photos show the athlete with that number, by name or as the bare number (`photo_children`). */
export async function listCurrentEntries(
  db: Reader,
  athleteIds: readonly number[],
): Promise<(CurrentEntry & { athleteId: number })[]> {
  const { rows } = await sql<CurrentEntry & { athleteId: number }>`
    select e.id, e.athlete_id as "athleteId", e.team_id as "teamId", e.number, e.joined_on::text as "joinedOn",
           exists (select from photo_tags p where p.athlete_id = e.athlete_id and p.team_id = e.team_id)
           or exists (select from photo_tags p where p.team_id = e.team_id and p.number = e.number and p.athlete_id is null) as "isTagged"
      from entries e where e.athlete_id = any (${athleteIds}::bigint[]) and e.left_on is null`.execute(db);
  return rows;
}

/** The given teams that belong to the organization. */
export async function findTeams(db: Reader, organizationId: number, teamIds: readonly number[]) {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from teams
     where organization_id = ${organizationId} and id = any (${teamIds}::bigint[])`.execute(db);
  return rows;
}

/** Others with the same number on the same team now. */
export async function listNumberTwins(db: Reader, athleteId: number) {
  const { rows } = await sql<{
    team: string;
    number: string;
    id: number;
    firstName: string | null;
    lastName: string | null;
  }>`
    select t.name as team, o.number, a.id, a.first_name as "firstName", a.last_name as "lastName"
      from entries e join entries o on o.team_id = e.team_id and o.number = e.number and o.athlete_id <> e.athlete_id and o.left_on is null
           join teams t on t.id = e.team_id join athletes a on a.id = o.athlete_id
     where e.athlete_id = ${athleteId} and e.left_on is null
     order by t.name, a.id`.execute(db);
  return rows;
}

export type StepOf = EntryStep & { athleteId: number };

/** Photos tagged with a bare number that an athlete gets by these steps. */
export async function listPhotosWithNumbers(db: Reader, steps: readonly StepOf[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct p.photo_id as id
      from json_to_recordset(${JSON.stringify(steps)}::json) as step (id bigint, "teamId" bigint, number text)
           left join entries e on e.id = step.id
           join photo_tags p on p.team_id = coalesce(step."teamId", e.team_id)
              and p.number = step.number and p.athlete_id is null`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Applies the steps of many athletes in one statement each. Called by `writeSteps`, which purges the pictures that this
 * hides.
 */
export async function writeEntries(tx: Writer, organizationId: number, steps: readonly StepOf[]): Promise<void> {
  const ended = steps.filter((step) => step.do === 'replace' || step.do === 'leave');
  if (ended.length > 0)
    await sql`
      update entries e set left_on = greatest(step."leftOn", e.joined_on)
        from json_to_recordset(${JSON.stringify(ended)}::json) as step (id bigint, "leftOn" date)
       where e.id = step.id`.execute(tx);
  const renumbered = steps.filter((step) => step.do === 'renumber');
  if (renumbered.length > 0)
    await sql`
      update entries e set number = step.number
        from json_to_recordset(${JSON.stringify(renumbered)}::json) as step (id bigint, number text)
       where e.id = step.id`.execute(tx);
  const removed = steps.flatMap((step) => (step.do === 'remove' ? [step.id] : []));
  if (removed.length > 0) await sql`delete from entries where id = any (${removed}::bigint[])`.execute(tx);
  const joined = steps.filter((step) => step.do === 'join' || step.do === 'replace');
  if (joined.length > 0)
    await sql`
      insert into entries (organization_id, athlete_id, team_id, number, joined_on)
      select ${organizationId}, step."athleteId", step."teamId", step.number, step."joinedOn"
        from json_to_recordset(${JSON.stringify(joined)}::json)
             as step ("athleteId" bigint, "teamId" bigint, number text, "joinedOn" date)`.execute(tx);
}

/**
 * Replaces the family's addresses. For addresses that stay, the owner's answer stays; an address that never wants email
 * is kept.
 */
export async function replaceEmails(
  tx: Writer,
  athlete: { id: number; organizationId: number },
  emails: readonly string[],
): Promise<void> {
  await sql`
    delete from athlete_families
     where athlete_id = ${athlete.id} and state <> 'never'
       and lower(email::text) <> all (${emails}::text[])`.execute(tx);
  await sql`
    insert into athlete_families (athlete_id, organization_id, email, source)
    select ${athlete.id}, ${athlete.organizationId}, given.email, 'import' from unnest(${emails}::text[]) as given (email)
    on conflict (athlete_id, email) do nothing`.execute(tx);
}

type FilePlace = { foldedName: string; id: number; entryId: number };
export type FileRow = FilePlace & {
  firstName: string;
  lastName: string;
  number: string | null;
  team: string | null;
  season: string | null;
  emails: string | null;
  consent: Consent;
  externalId: string | null;
};

/** The rows of a file, by name, with athletes without a team unless a season is given. */
export async function listFileRows(
  db: Reader,
  organizationId: number,
  seasonId: number | null,
  { after, limit }: { after: FilePlace | null; limit: number },
): Promise<FileRow[]> {
  const { rows } = await sql<FileRow>`
    select a.folded_name as "foldedName", a.id, coalesce(e.id, 0) as "entryId", a.first_name as "firstName", a.last_name as "lastName",
           e.number, t.name as team, s.name as season, a.consent, a.external_id as "externalId",
           (select string_agg(f.email::text, '; ' order by f.email) from athlete_families f
             where f.athlete_id = a.id and f.state <> 'never') as emails
      from athletes a left join entries e on e.athlete_id = a.id and e.left_on is null
           left join teams t on t.id = e.team_id left join seasons s on s.id = t.season_id
     where a.organization_id = ${organizationId} and a.merged_into is null and a.nameless_at is null
       and ${seasonId === null ? sql`true` : sql`t.season_id = ${seasonId}`}
       and ${
         after === null
           ? sql`true`
           : sql`(a.folded_name, a.id, coalesce(e.id, 0)) > (${after.foldedName}, ${after.id}::bigint, ${after.entryId}::bigint)`
       }
     order by a.folded_name, a.id, coalesce(e.id, 0) limit ${limit}`.execute(db);
  return rows;
}
