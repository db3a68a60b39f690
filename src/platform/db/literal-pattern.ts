/** Searches for any text as a part of another, whatever characters it has (rule 31). */
import { sql, type RawBuilder } from 'kysely';

// Folded first, because folding may produce a wildcard.
const [BEFORE, AFTER] = [
  "'%' || replace(replace(replace(fold_text(",
  String.raw`), '\', '\\'), '%', '\%'), '_', '\_') || '%'`,
];

/** `%text%` for `like`, without wildcards in the text and without its accents. */
export const literalPattern = (text: string): RawBuilder<string> =>
  sql<string>`${sql.raw(BEFORE)}${text}${sql.raw(AFTER)}`;

/** The same as part of a statement's text; `text` is a parameter or column of it. */
export const literalPatternOf = (text: string): string => BEFORE + text + AFTER;
