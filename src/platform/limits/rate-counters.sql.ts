import { sql } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';
import type { WindowCounts, WindowLimit } from '#src/platform/limits/sliding-window.ts';

/**
 * Takes `cost` if the sliding window has room, and tells the counts from before. One statement:
 * parallel takers queue at the row, and each sees what the one before it took. The database's clock decides.
 */
export async function takeHits(db: Reader, bucket: string, limit: WindowLimit): Promise<WindowCounts & { taken: boolean }> {
  const { rows } = await sql<{ taken: boolean; previous: number; current: number; elapsed_seconds: number }>`
    with clock as (
      select extract(epoch from statement_timestamp())::float8 as at, ${limit.windowSeconds}::float8 as width
    ), frame as (
      select to_timestamp(floor(at / width) * width) as start, make_interval(secs => width) as width,
             at - floor(at / width) * width as elapsed, 1 - (at / width - floor(at / width)) as fading
        from clock
    ), previous as (
      select coalesce(sum(counter.hits), 0)::float8 as hits
        from frame left join rate_counters counter
          on counter.bucket = ${bucket} and counter.window_start = frame.start - frame.width
    ), taken as (
      insert into rate_counters as counter (bucket, window_start, hits)
      select ${bucket}, frame.start, ${limit.cost}::int
        from frame, previous
       where previous.hits * frame.fading + ${limit.cost}::int <= ${limit.limit}::int
      on conflict (bucket, window_start) do update set hits = counter.hits + excluded.hits
       where counter.hits + excluded.hits + (select previous.hits * frame.fading from frame, previous) <= ${limit.limit}::int
      returning hits
    )
    select exists (select from taken) as taken, previous.hits as previous, frame.elapsed as elapsed_seconds,
           coalesce((select counter.hits from rate_counters counter where counter.bucket = ${bucket} and counter.window_start = frame.start), 0) as current
      from frame, previous`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('the rate counter gave no answer');
  return { taken: row.taken, previous: row.previous, current: row.current, elapsedSeconds: row.elapsed_seconds };
}

/** Gives back what a taking took in the present window; never below nothing. */
export async function giveBackHits(db: Reader, bucket: string, windowSeconds: number, cost: number): Promise<void> {
  await sql`
    update rate_counters set hits = greatest(0, hits - ${cost}::int)
     where bucket = ${bucket}
       and window_start = to_timestamp(floor(extract(epoch from statement_timestamp())::float8 / ${windowSeconds}::float8) * ${windowSeconds}::float8)`.execute(db);
}

/** Forgets a bucket. */
export async function deleteBucket(db: Reader, bucket: string): Promise<void> {
  await sql`delete from rate_counters where bucket = ${bucket}`.execute(db);
}

/** Removes windows that no limit looks at any more; answers how many. */
export async function deleteOldCounters(tx: Writer, olderThanSeconds: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from rate_counters where window_start < now() - make_interval(secs => ${olderThanSeconds}::float8)`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}
