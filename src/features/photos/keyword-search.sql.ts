/**
 * Photos by keyword. A search looks at the gallery's different words first, each kept once and folded; photos are found from
 * words. How they are then put in order depends on how many there are, so that neither a rare word nor one that every
 * photo has makes a large gallery slow.
 */
import { CompiledQuery } from 'kysely';
import {
  AUDIENCES,
  besideText,
  PLACE,
  type Audience,
  type Beside,
  type ListedPhoto,
  type Neighbours,
  type PageRequest,
} from '#src/features/photos/photos.sql.ts';
import { FOUND_AT_MOST } from '#src/features/photos/shown-photo.rules.ts';
import type { Reader } from '#src/platform/db/db.ts';

/** Rows of keywords that are looked at for the count: a photo may have several of the words. */
const COUNTED_ROWS = 3 * FOUND_AT_MOST;
const WORDS_AT_MOST = 5_000;

/**
 * The gallery's words that contain the text, literally, without case and accents (folded first: folding may bring forth a
 * wildcard). Words of photos that are hidden or gone are among them; they find nothing that is not visible.
 */
export async function findWords(db: Reader, galleryId: number, text: string): Promise<string[]> {
  const { rows } = await db.executeQuery<{ name: string }>(
    CompiledQuery.raw(
      `select w.name from gallery_words w where w.gallery_id = $1
          and w.folded like '%' || replace(replace(replace(fold_text($2), '\\', '\\\\'), '%', '\\%'), '_', '\\_') || '%'
        limit ${WORDS_AT_MOST}`,
      [galleryId, text],
    ),
  );
  return rows.map(({ name }) => name);
}

const WITH_WORDS = (gallery: string, words: string) =>
  `select k.photo_id from photo_keywords k where k.gallery_id = ${gallery} and k.name = any(${words}::citext[])`;

/** How many photos this audience sees that have one of the words; at most `FOUND_AT_MOST`. */
export async function countWithWords(
  db: Reader,
  { galleryId, audience, words }: { galleryId: number; audience: Audience; words: readonly string[] },
): Promise<number> {
  const text = `select count(*) as count from (
      select p.id from photos p where p.id in (${WITH_WORDS('$1', '$2')} limit ${COUNTED_ROWS})
         and p.gallery_id = $1 and ${AUDIENCES[audience].where} limit ${FOUND_AT_MOST}) found`;
  const { rows } = await db.executeQuery<{ count: number }>(CompiledQuery.raw(text, [galleryId, words]));
  return rows[0]?.count ?? 0;
}

export type WordRequest = Omit<PageRequest, 'keyword'> & {
  words: readonly string[];
  /** Photos with one of the words, and of the whole gallery: which of them is many decides the way. */
  found: number;
  photoCount: number;
};

/** Many: the first ones come soon on a walk in order. Few: they are fetched and sorted. */
function hasWords(words: string, { found, photoCount, limit }: Pick<WordRequest, 'found' | 'photoCount' | 'limit'>) {
  const isCommon = found * found > limit * photoCount;
  // The offset keeps the planner from turning the walk into a join.
  return isCommon
    ? `exists (select from photo_keywords k where k.photo_id = p.id and k.name = any(${words}::citext[]) offset 0)`
    : `p.id = any(array(${WITH_WORDS('$1', words)}))`;
}

/** Photos with one of the words in order, after a place. */
export async function listWithWords(db: Reader, request: WordRequest): Promise<ListedPhoto[]> {
  const { galleryId, audience, visitorId, after, words, limit } = request;
  const { columns, from, where } = AUDIENCES[audience];
  const has = hasWords('$4', request);
  const later = after ? `and (${PLACE}) > ($5::boolean, $6, $7::bigint)` : '';
  const text = `select ${columns} from ${from} where p.gallery_id = $1 and ${where} ${later} and ${has} order by ${PLACE} limit $3`;
  const place = after ? [!after.featured, after.orderKey, after.id] : [];
  const { rows } = await db.executeQuery<ListedPhoto>(
    CompiledQuery.raw(text, [galleryId, visitorId, limit, words, ...place]),
  );
  return rows;
}

type BesideRequest = Beside & Pick<WordRequest, 'words' | 'found' | 'photoCount'>;

/** The photos with one of the words beside one, wrapping around, and how many of them stand before it. */
export async function findBesideWithWords(
  db: Reader,
  request: BesideRequest,
): Promise<(Neighbours & { index: number }) | null> {
  const { galleryId, audience, featured, orderKey, id, words } = request;
  const has = hasWords('$5', { ...request, limit: 1 });
  const where = `${AUDIENCES[audience].where} and ${has}`;
  const text = `select ${besideText(where)}, (select count(*) from (select from photos p where p.gallery_id = $1 and ${where}
      and (${PLACE}) < ($2::boolean, $3, $4::bigint) limit ${FOUND_AT_MOST}) before) as index`;
  const { rows } = await db.executeQuery<{ previousId: number | null; nextId: number | null; index: number }>(
    CompiledQuery.raw(text, [galleryId, !featured, orderKey, id, words]),
  );
  const [row] = rows;
  return row?.previousId && row.nextId ? { previousId: row.previousId, nextId: row.nextId, index: row.index } : null;
}
