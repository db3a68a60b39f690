/** Shared by all paged lists. */
import * as z from 'zod/mini';
import { fieldProblem } from '#src/shared/problem.ts';
import { idSchema } from '#src/shared/validators.ts';

export const BAD_PLACE = 'This position in the list is not valid. Please start again from the first photos.';

const WHOLE_NUMBER_EXPECTED = 'Must be a whole number, 1 or more.';

/** A number in a query, from 1; more than `most` counts as `most`. */
export function countUpTo(most: number) {
  return z.pipe(
    z.string({ error: WHOLE_NUMBER_EXPECTED }).check(z.regex(/^0*[1-9]\d{0,9}$/, WHOLE_NUMBER_EXPECTED)),
    z.transform((text: string) => Math.min(Number(text), most)),
  );
}

/** The query of a list that continues after an id. */
export const pageQuery = z.object({ after: z.optional(idSchema), limit: z.optional(countUpTo(100)) });
export type PageQuery = { after?: number | undefined; limit?: number | undefined };

/** A page of rows, read with one row more than it shows, and the cursor of the next page, made of its last row. */
export function pageBy<Row, Cursor>(rows: readonly Row[], limit: number, cursorOf: (last: Row) => Cursor) {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { shown, next: rows.length > limit && last !== undefined ? cursorOf(last) : null };
}

/** The same for a list that continues after an id. */
export const pageOf = <Row extends { id: unknown }>(rows: readonly Row[], limit: number) =>
  pageBy(rows, limit, ({ id }): Row['id'] => id);

/** Encodes values as the opaque cursor at which a list continues. */
export function writePlace(values: readonly unknown[]): string {
  return btoa(JSON.stringify(values)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Decodes such a cursor; nothing for one that we did not write. */
export function readPlace(text: string): readonly unknown[] {
  try {
    const values: unknown = JSON.parse(atob(text.replaceAll('-', '+').replaceAll('_', '/')));
    return Array.isArray(values) ? values : [];
  } catch {
    return [];
  }
}

export const badPlace = () => fieldProblem({ after: [BAD_PLACE] });

/** The cursor of a call, parsed by `read`; null for none. @throws invalid for one that is not ours */
export function placeAfter<Place>(text: string | null | undefined, read: (text: string) => Place | null): Place | null {
  if (text === null || text === undefined || text === '') return null;
  const place = read(text);
  if (!place) throw badPlace();
  return place;
}

/**
 * A long list page by page: each is read when it is needed, after the last row of the page before; null is before the
 * first. A page with fewer rows than `limit` is the last.
 */
export async function* readPages<Row>(
  limit: number,
  read: (last: Row | null) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let last: Row | null = null; ;) {
    const rows: readonly Row[] = await read(last);
    if (rows.length > 0) yield rows;
    if (rows.length < limit) return;
    last = rows.at(-1) ?? null;
  }
}
