/** Capture times along a gallery's order. */
import { CompiledQuery } from 'kysely';
import type { TimeRun } from '#src/features/photos/photo-times.rules.ts';
import { AUDIENCES, PLACE } from '#src/features/photos/photos.sql.ts';
import type { Reader } from '#src/platform/db/db.ts';

/** Where the photos that visitors see pass from one quarter of an hour to another, in their order; at most so many runs. */
export async function listTimeRuns(db: Reader, galleryId: number, most: number): Promise<TimeRun[]> {
  const quarter = `left(p.exif->>'takenAt', 14) || lpad((substr(p.exif->>'takenAt', 15, 2)::int / 15 * 15)::text, 2, '0')`;
  const text = `select at::int, quarter from (
      select listed.at, listed.quarter, listed.at = 0 or listed.quarter is distinct from lag(listed.quarter) over (order by listed.at) as begins
        from (select row_number() over (order by ${PLACE}) - 1 as at,
                     case when p.exif->>'takenAt' ~ '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d' then ${quarter} end as quarter
                from photos p where p.gallery_id = $1 and ${AUDIENCES.public.where}) listed) marked
     where begins order by at limit $2`;
  const { rows } = await db.executeQuery<TimeRun>(CompiledQuery.raw(text, [galleryId, most]));
  return rows;
}
