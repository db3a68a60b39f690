import { sql, type RawBuilder } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';
import { prepared } from '#src/platform/db/prepared.ts';
import type { WindowCounts, WindowLimit } from '#src/platform/limits/sliding-window.ts';

/**
 * Takes `cost` if the sliding window allows it; true if it did. One statement: parallel callers queue at the row, and
 * each sees what the one before it took. The database's clock decides. Limit and cost are parameters, because they
 * differ from call to call, and a prepared statement has one text.
 */
export async function takeHits(db: Reader, bucket: string, { limit, windowSeconds, cost }: WindowLimit) {
  const start = windowStart(windowSeconds);
  const fading = sql`(1 - extract(epoch from statement_timestamp() - ${start})::float8 / ${sql.lit(windowSeconds)})`;
  const faded = sql`coalesce((select last.hits * ${fading} from rate_counters last
    where last.bucket = ${bucket} and last.window_start = ${start} - make_interval(secs => ${sql.lit(windowSeconds)})), 0)`;
  const { rows } = await sql`${prepared}
    insert into rate_counters as counter (bucket, window_start, hits)
    select ${bucket}, ${start}, ${cost}::int where ${faded} + ${cost}::int <= ${limit}::float8
    on conflict (bucket, window_start) do update set hits = counter.hits + excluded.hits
      where counter.hits + excluded.hits + ${faded} <= ${limit}::float8
    returning true`.execute(db);
  return rows.length > 0;
}

/** Takes one from each of these buckets that allows it, like `takeHits`; returns those. One statement. */
export async function takeEach(db: Reader, buckets: readonly string[], { limit, windowSeconds }: WindowLimit) {
  const start = windowStart(windowSeconds);
  const faded = (bucket: RawBuilder<unknown>) => sql`coalesce((
    select last.hits * (1 - extract(epoch from statement_timestamp() - ${start})::float8 / ${sql.lit(windowSeconds)}) from rate_counters last
     where last.bucket = ${bucket} and last.window_start = ${start} - make_interval(secs => ${sql.lit(windowSeconds)})), 0)`;
  const { rows } = await sql<{ bucket: string }>`
    insert into rate_counters as counter (bucket, window_start, hits)
    select asked.bucket, ${start}, 1 from unnest(${[...new Set(buckets)].toSorted()}::text[]) as asked (bucket)
     where ${faded(sql`asked.bucket`)} + 1 <= ${limit}::float8
    on conflict (bucket, window_start) do update set hits = counter.hits + 1
      where counter.hits + 1 + ${faded(sql`counter.bucket`)} <= ${limit}::float8
    returning bucket`.execute(db);
  return new Set(rows.map(({ bucket }) => bucket));
}

/** The current counts of a bucket's two windows; queried only after a refusal. */
export async function readCounts(db: Reader, bucket: string, windowSeconds: number): Promise<WindowCounts> {
  const start = windowStart(windowSeconds);
  const { rows } = await sql<WindowCounts>`
    select coalesce(sum(hits) filter (where window_start = ${start}), 0)::float8 as "current",
           coalesce(sum(hits) filter (where window_start < ${start}), 0)::float8 as "previous",
           extract(epoch from statement_timestamp() - ${start})::float8 as "elapsedSeconds"
      from rate_counters
     where bucket = ${bucket}
       and window_start between ${start} - make_interval(secs => ${sql.lit(windowSeconds)}) and ${start}`.execute(db);
  const [counts] = rows;
  if (!counts) throw new Error('the rate counters gave no answer');
  return counts;
}

/** The current, fading counts of several buckets with one window; a bucket without any is missing in the result. */
export async function readHits(db: Reader, buckets: readonly string[], windowSeconds: number) {
  const start = windowStart(windowSeconds);
  const { rows } = await sql<{ bucket: string; hits: number }>`${prepared}
    select bucket, sum(case when window_start = ${start} then hits
                            else hits * (1 - extract(epoch from statement_timestamp() - ${start})::float8 / ${sql.lit(windowSeconds)}) end)::float8 as hits
      from rate_counters
     where bucket = any (${[...buckets]}::text[]) and window_start between ${start} - make_interval(secs => ${sql.lit(windowSeconds)}) and ${start}
     group by bucket`.execute(db);
  return rows;
}

/** When the current window began, by the database's clock. Windows are constants in the code, so they are part of the text. */
function windowStart(windowSeconds: number) {
  return sql`date_bin(make_interval(secs => ${sql.lit(windowSeconds)}), statement_timestamp(), timestamptz 'epoch')`;
}

/** Returns what was taken in the current window; never below zero. */
export async function returnHits(db: Reader, bucket: string, windowSeconds: number, cost: number): Promise<void> {
  await sql`${prepared}
    update rate_counters set hits = greatest(0, hits - ${cost}::int)
     where bucket = ${bucket}
       and window_start = ${windowStart(windowSeconds)}`.execute(db);
}

/** Deletes a bucket. */
export async function deleteBucket(db: Reader, bucket: string): Promise<void> {
  await sql`delete from rate_counters where bucket = ${bucket}`.execute(db);
}

/** Deletes windows that no limit still reads; returns how many. */
export async function deleteOldCounters(tx: Writer, olderThanSeconds: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from rate_counters
     where window_start < now() - make_interval(secs => ${olderThanSeconds}::float8)`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}
