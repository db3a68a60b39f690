/**
 * Photos by keyword. A search first finds the gallery's words, each stored once and folded, and then the photos that have them.
 * The plan depends on how many there are, so that neither a rare word nor one that every photo has is slow in a large gallery.
 */
import { CompiledQuery } from 'kysely';
import { PLACE } from '#src/features/photos/photo-order.rules.ts';
import {
  AUDIENCES,
  besideText,
  type Audience,
  type Beside,
  type ListedPhoto,
  type PageRequest,
} from '#src/features/photos/photos.sql.ts';
import type { SearchWord } from '#src/features/photos/keyword-search.rules.ts';
import { FOUND_AT_MOST } from '#src/features/photos/shown-photo.rules.ts';
import type { Reader } from '#src/platform/db/db.ts';
import { literalPatternOf } from '#src/platform/db/literal-pattern.ts';

/** Rows of keywords to read first for the count: a photo may have several of the words. */
const COUNTED_ROWS = 3 * FOUND_AT_MOST;
const WORDS_AT_MOST = 5_000;

/** For each word of a search, the gallery's keywords that match it; a photo must have one of each group. */
export type WordGroups = readonly (readonly string[])[];

/**
 * The gallery's keywords that each word of a search matches (rule 54): ignoring case and accents, literally (folded first,
 * because folding may produce a wildcard). Keywords of hidden and deleted photos are included, but find nothing that is not
 * visible. Null when a word matches none.
 */
export async function findWords(
  db: Reader,
  { galleryId, audience }: { galleryId: number; audience: Audience },
  words: readonly SearchWord[],
): Promise<WordGroups | null> {
  const whole = words.filter(({ match }) => match !== 'part').map(({ text }) => text);
  const part = words.filter(({ match }) => match !== 'exact').map(({ text }) => text);
  const { rows } = await db.executeQuery<{ word: string; name: string; isWhole: boolean }>(
    CompiledQuery.raw(
      `select given.word, w.name, true as "isWhole" from unnest($2::text[]) as given(word)
         join gallery_words w on w.gallery_id = $1 and w.folded in (fold_text(given.word), '#' || fold_text(given.word))
        where exists (select from photo_keywords k join photos p on p.id = k.photo_id
                       where k.gallery_id = $1 and k.name = w.name and ${AUDIENCES[audience].where})
       union all
       (select given.word, w.name, false from unnest($3::text[]) as given(word)
          join gallery_words w on w.gallery_id = $1 and w.folded like ${literalPatternOf('given.word')}
         limit ${WORDS_AT_MOST})`,
      [galleryId, whole, part],
    ),
  );
  const groups = words.map(({ text, match }) => {
    const own = rows.filter(({ word }) => word === text);
    const exact = own.filter(({ isWhole }) => isWhole);
    // 7 does not match 17, unless no one wears the 7.
    const meant = match === 'part' || (match === 'number' && exact.length === 0) ? own : exact;
    return meant.map(({ name }) => name);
  });
  return groups.every((group) => group.length > 0) ? groups : null;
}

const oneOf = (group: number) => `any($${group}::citext[])`;

/** Ids of the gallery's photos that have a keyword of each group. The groups are the parameters from `first` on. */
function withWords(groups: WordGroups, first: number): string {
  return groups
    .map((_, at) => `select k.photo_id from photo_keywords k where k.gallery_id = $1 and k.name = ${oneOf(first + at)}`)
    .join(' intersect ');
}

type Found = { galleryId: number; audience: Audience; words: WordGroups };

/** How many photos of this audience the words find; at most `FOUND_AT_MOST`. */
export async function countWithWords(db: Reader, found: Found): Promise<number> {
  const { count, listed } = await countListed(db, found, `limit ${COUNTED_ROWS}`);
  if (listed < COUNTED_ROWS || count >= FOUND_AT_MOST) return count;
  // Most of these rows belong to hidden photos. Only then all of them are read: 50,000 take 32 ms instead of 5.
  return (await countListed(db, found, '')).count;
}

/** Counts the listed rows of keywords, and the photos that they find. */
async function countListed(db: Reader, { galleryId, audience, words }: Found, limit: string) {
  // Looked up photo by photo, so that it stops at the last one that counts.
  const text = `with listed as materialized (${withWords(words, 2)} ${limit})
    select (select count(*) from listed) as listed, count(*) as count
      from (select from (select distinct photo_id from listed) listed cross join lateral (
        select from photos p where p.id = listed.photo_id and p.gallery_id = $1 and ${AUDIENCES[audience].where} offset 0) seen
       limit ${FOUND_AT_MOST}) found`;
  const { rows } = await db.executeQuery<{ listed: number; count: number }>(
    CompiledQuery.raw(text, [galleryId, ...words]),
  );
  return rows[0] ?? { listed: 0, count: 0 };
}

type WordRequest = Omit<PageRequest, 'keyword'> & {
  words: WordGroups;
  /** Photos that the words find, and photos of the whole gallery: their proportion decides the plan. */
  found: number;
  photoCount: number;
};

/**
 * Common words: photos are read in order until enough have them. Rare words: their photos are fetched and sorted. The groups
 * are the parameters from `first` on.
 */
function hasWords(first: number, request: Pick<WordRequest, 'words' | 'found' | 'photoCount' | 'limit'>): string {
  const { words, found, photoCount, limit } = request;
  const isCommon = found * found > limit * photoCount;
  if (!isCommon) return `p.id = any(array(${withWords(words, first)}))`;
  // The offset keeps the planner from making it a join.
  return words
    .map(
      (_, at) =>
        `exists (select from photo_keywords k where k.photo_id = p.id and k.name = ${oneOf(first + at)} offset 0)`,
    )
    .join(' and ');
}

/** Photos that the words find in order, after a position. */
export async function listWithWords(db: Reader, request: WordRequest): Promise<ListedPhoto[]> {
  const { galleryId, audience, visitorId, after, words, limit } = request;
  const { columns, from, where } = AUDIENCES[audience];
  const later = after ? `and (${PLACE}) > ($4::boolean, $5, $6::bigint)` : '';
  const has = hasWords(after ? 7 : 4, request);
  const text = `select ${columns} from ${from} where p.gallery_id = $1 and ${where} ${later} and ${has} order by ${PLACE} limit $3`;
  const place = after ? [!after.featured, after.orderKey, after.id] : [];
  const { rows } = await db.executeQuery<ListedPhoto>(
    CompiledQuery.raw(text, [galleryId, visitorId, limit, ...place, ...words]),
  );
  return rows;
}

type BesideRequest = Beside & Pick<WordRequest, 'words' | 'found' | 'photoCount'>;

/** The found photos next to one, wrapping around, and how many come before it. */
export async function findBesideWithWords(db: Reader, request: BesideRequest) {
  const { galleryId, audience, featured, orderKey, id, words } = request;
  const has = hasWords(5, { ...request, limit: 1 });
  const where = `${AUDIENCES[audience].where} and ${has}`;
  const text = `select ${besideText(where)}, (select count(*) from (select from photos p where p.gallery_id = $1 and ${where}
      and (${PLACE}) < ($2::boolean, $3, $4::bigint) limit ${FOUND_AT_MOST}) before) as index`;
  const { rows } = await db.executeQuery<{ previousId: number | null; nextId: number | null; index: number }>(
    CompiledQuery.raw(text, [galleryId, !featured, orderKey, id, ...words]),
  );
  const [row] = rows;
  return row?.previousId && row.nextId ? { previousId: row.previousId, nextId: row.nextId, index: row.index } : null;
}

/** Keywords of visible photos, with the number of photos: numbers first, then the most frequent. */
export async function countKeywords(db: Reader, galleryId: number, most: number) {
  const text = `select k.name::text as name, count(*)::int as count
      from photo_keywords k join photos p on p.id = k.photo_id
     where k.gallery_id = $1 and p.gallery_id = $1 and ${AUDIENCES.public.where}
     group by k.name order by (k.name::text ~ '^#?[0-9]{1,9}$') desc, count(*) desc, k.name limit $2`;
  const { rows } = await db.executeQuery<{ name: string; count: number }>(CompiledQuery.raw(text, [galleryId, most]));
  return rows;
}
