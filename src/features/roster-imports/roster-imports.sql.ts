/** Tables of this module: roster_imports, roster_import_rows. */
import { sql } from 'kysely';
import type { Known, KnownAthlete, RowPlan } from '#src/features/roster-imports/plan-roster.rules.ts';
import type { Cells } from '#src/features/roster-imports/roster-rows.rules.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';

/** Athletes of an organization with one of these names or ids, and those who wear a number on these teams. */
export async function readKnown(
  db: Reader,
  organizationId: number,
  wanted: { names: readonly string[]; externalIds: readonly string[]; teamIds: readonly number[] },
): Promise<Pick<Known, 'athletes' | 'wearers'>> {
  const athletes = await sql<KnownAthlete>`
    select a.id, a.first_name as "firstName", a.last_name as "lastName", a.folded_name as "foldedName", a.external_id as "externalId",
           a.consent, a.consent_by as "consentBy", a.club_consent as "clubConsent",
           (select photos from allowances x where x.athlete_id = a.id and x.sheet_id is null) as "includedPhotos",
           (select coalesce(json_agg(m.external_id) filter (where m.external_id is not null), '[]') from athletes m where m.merged_into = a.id) as "formerIds",
           (select coalesce(json_agg(lower(f.email::text)), '[]') from athlete_families f where f.athlete_id = a.id) as emails,
           (select coalesce(json_agg(json_build_object('teamId', e.team_id, 'number', e.number) order by e.id desc), '[]')
              from entries e where e.athlete_id = a.id and e.left_on is null) as entries
      from athletes a
     where a.organization_id = ${organizationId} and a.merged_into is null and a.nameless_at is null
       and (a.folded_name = any (${wanted.names}::text[]) or a.external_id = any (${wanted.externalIds}::text[])
            or exists (select from athletes m where m.merged_into = a.id and m.external_id = any (${wanted.externalIds}::text[])))
     order by a.created_at, a.id`.execute(db);
  const wearers = await sql<Known['wearers'][number]>`
    select e.team_id as "teamId", e.number, a.id, a.first_name as "firstName", a.last_name as "lastName"
      from entries e join athletes a on a.id = e.athlete_id
     where e.organization_id = ${organizationId} and e.left_on is null and e.number is not null
       and e.team_id = any (${wanted.teamIds}::bigint[])
     order by e.id`.execute(db);
  return { athletes: athletes.rows, wearers: wearers.rows };
}

/** Null when another import of the organization is running. */
export async function insertImport(
  tx: Writer,
  fresh: { organizationId: number; startedBy: number; rowCount: number },
): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    insert into roster_imports (organization_id, started_by, row_count)
    values (${fresh.organizationId}, ${fresh.startedBy}, ${fresh.rowCount})
    on conflict (organization_id) where status = 'running' do nothing returning id`.execute(tx);
  return rows[0]?.id ?? null;
}

/** `rows` is a JSON text of planned rows. */
export async function insertRows(
  tx: Writer,
  { importId, organizationId }: { importId: number; organizationId: number },
  rows: string,
): Promise<void> {
  await sql`
    insert into roster_import_rows (import_id, row_no, organization_id, cells, plan, result, messages, athlete_id)
    select ${importId}, fact.row, ${organizationId}, fact.cells, fact.plan, fact.result, fact.errors, fact."athleteId"
      from json_to_recordset(${rows}::json)
           as fact (row integer, cells jsonb, plan jsonb, result text, errors text[], "athleteId" bigint)`.execute(tx);
}

type ImportRecord = {
  id: number;
  organizationId: number;
  status: 'running' | 'finished' | 'stopped';
  startedAt: Date;
  total: number;
  created: number;
  updated: number;
  skipped: number;
  failed: number;
};

const SELECT = sql`
  select i.id, i.organization_id as "organizationId", i.status, i.started_at as "startedAt", i.row_count as total,
         r.created, r.updated, r.skipped, r.failed
    from roster_imports i cross join lateral (
           select count(*) filter (where result = 'created')::integer as created, count(*) filter (where result = 'updated')::integer as updated,
                  count(*) filter (where result = 'skipped')::integer as skipped, count(*) filter (where result = 'failed')::integer as failed
             from roster_import_rows where import_id = i.id) r`;

export async function findImport(db: Reader, importId: number): Promise<ImportRecord | null> {
  const { rows } = await sql<ImportRecord>`${SELECT} where i.id = ${importId}`.execute(db);
  return rows[0] ?? null;
}

/** Newest first. */
export async function listRecent(db: Reader, organizationId: number, limit: number): Promise<ImportRecord[]> {
  const { rows } = await sql<ImportRecord>`${SELECT}
    where i.organization_id = ${organizationId} order by i.started_at desc, i.id desc limit ${limit}`.execute(db);
  return rows;
}

export async function findRunning(db: Reader, organizationId: number): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select id from roster_imports where organization_id = ${organizationId} and status = 'running'`.execute(db);
  return rows[0]?.id ?? null;
}

export type RowRecord = {
  row: number;
  cells: Cells | null;
  result: 'created' | 'updated' | 'skipped' | 'failed' | null;
  messages: string[];
  athleteId: number | null;
};

/** After a row. */
export async function listRows(
  db: Reader,
  importId: number,
  { after, limit, columnsFor }: { after: number; limit: number; columnsFor: 'answer' | 'file' | 'failed file' },
): Promise<RowRecord[]> {
  const { rows } = await sql<RowRecord>`
    select row_no as row, ${columnsFor === 'answer' ? sql`null` : sql`cells`} as cells, result, messages, athlete_id as "athleteId" from roster_import_rows
     where import_id = ${importId} and row_no > ${after} and ${columnsFor === 'failed file' ? sql`result = 'failed'` : sql`true`}
     order by row_no limit ${limit}`.execute(db);
  return rows;
}

/** Other workers on the same import wait. */
export async function lockImport(tx: Writer, importId: number): Promise<boolean> {
  const { rows } = await sql`
    select from roster_imports where id = ${importId} and status = 'running' for no key update`.execute(tx);
  return rows.length > 0;
}

type PlannedWaiting = { row: number; cells: Cells; plan: RowPlan };
export type WaitingRow = PlannedWaiting & { sameAsId: number | null; isGone: boolean };

/**
 * The next unprocessed rows, with the current athlete: a merged one is replaced by the remaining one. Three statements,
 * because a comparison with a value out of `plan` uses no index under row-level security, so that one statement reads
 * the whole import for each row.
 */
export async function listWaiting(tx: Writer, importId: number, limit: number): Promise<WaitingRow[]> {
  const { rows } = await sql<PlannedWaiting>`
    select row_no as row, cells, plan from roster_import_rows
     where import_id = ${importId} and result is null order by row_no limit ${limit}`.execute(tx);
  const known = rows.flatMap(({ plan }) => plan.athleteId ?? []);
  const athletes = await listCurrentAthletes(tx, known);
  const earlier = await listAthletesOfRows(
    tx,
    importId,
    rows.flatMap(({ plan }) => plan.sameAs ?? []),
  );
  return rows.map(({ row, cells, plan }) => {
    const athlete = plan.athleteId === null ? null : athletes.get(plan.athleteId);
    return {
      row,
      cells,
      plan: { ...plan, athleteId: athlete?.id ?? null },
      sameAsId: (plan.sameAs === null ? null : earlier.get(plan.sameAs)) ?? null,
      isGone: plan.athleteId !== null && !athlete?.hasName,
    };
  });
}

/** By the id at the beginning of the import: whom the athlete is now. */
async function listCurrentAthletes(tx: Writer, ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, { id: number; hasName: boolean }>();
  const { rows } = await sql<{ planned: number; id: number; hasName: boolean }>`
    select a.id as planned, b.id, b.nameless_at is null as "hasName"
      from athletes a join athletes b on b.id = coalesce(a.merged_into, a.id)
     where a.id = any (${ids}::bigint[])`.execute(tx);
  return new Map(rows.map(({ planned, id, hasName }) => [planned, { id, hasName }]));
}

/** The athletes of finished rows. */
async function listAthletesOfRows(tx: Writer, importId: number, rowNumbers: readonly number[]) {
  if (rowNumbers.length === 0) return new Map<number, number | null>();
  const { rows } = await sql<{ row: number; athleteId: number | null }>`
    select row_no as row, athlete_id as "athleteId" from roster_import_rows
     where import_id = ${importId} and row_no = any (${rowNumbers}::integer[])`.execute(tx);
  return new Map(rows.map(({ row, athleteId }) => [row, athleteId]));
}

export type RowEnd = {
  row: number;
  result: 'created' | 'updated' | 'failed';
  messages: string[];
  athleteId: number | null;
};

/** Marks rows as finished and deletes their contents, except of failed ones, which can be corrected. */
export async function endRows(tx: Writer, importId: number, ends: readonly RowEnd[]): Promise<void> {
  await sql`
    update roster_import_rows r
       set result = e.result, messages = e.messages, athlete_id = e."athleteId", plan = null,
           cells = case when e.result = 'failed' then r.cells end
      from json_to_recordset(${JSON.stringify(ends)}::json) as e (row integer, result text, messages text[], "athleteId" bigint)
     where r.import_id = ${importId} and r.row_no = e.row
       and r.row_no = any (${ends.map(({ row }) => row)}::integer[])`.execute(tx);
}

export async function failWaiting(tx: Writer, importId: number, message: string): Promise<void> {
  await sql`
    update roster_import_rows set result = 'failed', plan = null, messages = array[${message}]
     where import_id = ${importId} and result is null`.execute(tx);
}

export async function endImport(tx: Writer, importId: number, status: 'finished' | 'stopped'): Promise<void> {
  await sql`
    update roster_imports set status = ${status}, finished_at = now()
     where id = ${importId} and status = 'running'`.execute(tx);
}

/** Deletes the contents of failed rows, long after the import; returns the number of imports. */
export async function forgetRows(tx: Writer, olderThanDays: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    update roster_imports set forgotten_at = now()
     where status <> 'running' and forgotten_at is null and finished_at < now() - make_interval(days => ${olderThanDays})
    returning id`.execute(tx);
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0)
    await sql`
      update roster_import_rows set cells = null, messages = '{}' where import_id = any (${ids}::bigint[])
         and (cells is not null or messages <> '{}')`.execute(tx);
  return ids.length;
}
