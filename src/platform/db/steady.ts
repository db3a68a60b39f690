import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

const MARK = '/* steady */';
const MOST_NAMES = 200;

/**
 * Put first in a statement of the hot path, sql`${steady} insert …` or `.modifyFront(steady)` of a select. It is then read and rewritten once per session
 * instead of at each call, and PostgreSQL may keep its plan. Only for statements whose text is always the same and
 * whose best plan is the same for every value (inserts, look-ups by a unique key): a kept plan with a partial index
 * made a small tenant 50 times slower beside a large one.
 */
export const steady: RawBuilder<unknown> = sql.raw(MARK);

const names = new Map<string, string>();

/** The name under which a session keeps a steady statement; undefined for all others. */
export function steadyName(text: string): string | undefined {
  if (!text.startsWith(MARK) && !text.startsWith(`select ${MARK}`)) return undefined;
  const known = names.get(text);
  // A text that is not always the same would otherwise fill every session's memory.
  if (known !== undefined || names.size >= MOST_NAMES) return known;
  const name = `steady_${names.size}`;
  names.set(text, name);
  return name;
}

/** The text of a statement that others compose, marked as steady. */
export const asSteady = (text: string): string => MARK + text;
