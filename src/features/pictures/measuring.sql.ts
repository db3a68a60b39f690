/** Hash and sharpness of photos that were ingested before they were measured. */
import { sql } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';
import type { PictureMeasures } from '#src/platform/images/images.ts';

export type PhotoToMeasure = { id: number; pixelVersion: number; key: string };

/** Ready photos without measures, after an id, each with its clean rendition of 640 px. */
export async function listUnmeasured(db: Reader, afterId: number, limit: number): Promise<PhotoToMeasure[]> {
  const { rows } = await sql<PhotoToMeasure>`
    select p.id, p.pixel_version as "pixelVersion", r.object_key as key from photos p
      join renditions r on r.photo_id = p.id and r.size = 640 and r.mark = 'clean' and r.format = 'jpeg'
     where p.dhash is null and p.status = 'ready' and p.removed_at is null and p.id > ${afterId}
     order by p.id limit ${limit}`.execute(db);
  return rows;
}

/** Only while its pixels are those that were measured. */
export async function setMeasures(
  tx: Writer,
  photo: Pick<PhotoToMeasure, 'id' | 'pixelVersion'>,
  { dhash, sharpness }: PictureMeasures,
): Promise<void> {
  await tx
    .updateTable('photos')
    .set({ dhash, sharpness })
    .where('id', '=', photo.id)
    .where('pixel_version', '=', photo.pixelVersion)
    .execute();
}
