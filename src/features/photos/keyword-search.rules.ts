/** Parses what someone types to find photos into words (rule 54). Browser and server parse it the same way. */
import { MAX_SEARCH_CHARACTERS } from '#src/features/photos/photos.contract.ts';

export type SearchWord = {
  /** As typed, without a sign before a number and without quotes. */
  text: string;
  /** `number`: a whole keyword, else a part of one if no photo has it; `exact`: a whole keyword; `part`: a part of one. */
  match: 'number' | 'exact' | 'part';
};

/** More words are ignored: no photo is described by as many. */
const WORDS_AT_MOST = 8;
/** A quoted phrase, or the text between spaces and commas. */
const TOKEN = /"([^"]+)"|[^\s,]+/g;
const SIGN = /^(?:#|no\.?|nr\.?|number)$/i;
const SIGNED_NUMBER = /^(?:#|no\.?|nr\.?|number)?(\d+)$/i;

/** The text that is searched; the rest of a longer one is ignored. */
export const textOfSearch = (typed: string | null | undefined): string =>
  (typed ?? '').slice(0, MAX_SEARCH_CHARACTERS).trim();

/** The words of a search, all of which a photo must have; none for a text of spaces and commas. */
export function searchWords(text: string): SearchWord[] {
  const tokens = [...text.matchAll(TOKEN)].map(([whole, quoted]) => ({ whole, quoted: quoted?.trim() ?? '' }));
  const isNumber = (token: (typeof tokens)[number] | undefined) =>
    token !== undefined && token.quoted === '' && SIGNED_NUMBER.test(token.whole);
  return tokens
    .filter((token, at) => !(token.quoted === '' && SIGN.test(token.whole) && isNumber(tokens[at + 1])))
    .slice(0, WORDS_AT_MOST)
    .map(({ whole, quoted }): SearchWord => {
      if (quoted !== '') return { text: quoted, match: 'exact' };
      const digits = SIGNED_NUMBER.exec(whole)?.[1];
      return digits === undefined ? { text: whole, match: 'part' } : { text: digits, match: 'number' };
    });
}

/**
 * Whether a photo's keywords match a search, ignoring case and accents; a number means the whole keyword. The browser uses it
 * for loaded photos until the server answers. It cannot match 17 for 7 if no photo has the 7, as `findWords` does, because that
 * depends on all photos.
 */
export function hasKeywords(photo: { keywords: readonly string[] }, text: string): boolean {
  const keywords = photo.keywords.map(fold);
  return searchWords(text).every((word) => {
    const wanted = fold(word.text);
    return keywords.some((keyword) =>
      word.match === 'part' ? keyword.includes(wanted) : keyword === wanted || keyword === `#${wanted}`,
    );
  });
}

function fold(text: string): string {
  return text.trim().normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** A keyword of a gallery with the number of its photos, and the search that finds exactly these. */
export type KeywordChip = { name: string; count: number; search: string };

/** Numbers in ascending order, then names, most frequent first. */
export function chipsOf(keywords: readonly { name: string; count: number }[]): KeywordChip[] {
  const folded = keywords.map(({ name }) => fold(name));
  const isPartOfAnother = (name: string, own: number) => folded.some((other, at) => at !== own && other.includes(name));
  const chips = keywords.map(({ name, count }, at) => {
    const number = numberOf(name);
    const isAmbiguous = number === null && (/[\s#]/.test(name) || isPartOfAnother(folded[at] ?? '', at));
    return { name, count, number, search: isAmbiguous && !name.includes('"') ? `"${name}"` : name };
  });
  return chips
    .sort((a, b) => {
      if (a.number !== null && b.number !== null) return a.number - b.number;
      if (a.number !== null || b.number !== null) return a.number !== null ? -1 : 1;
      return b.count - a.count || a.name.localeCompare(b.name, 'en');
    })
    .map(({ name, count, search }) => ({ name, count, search }));
}

function numberOf(name: string): number | null {
  return /^#?\d{1,9}$/.test(name) ? Number(name.replace('#', '')) : null;
}
