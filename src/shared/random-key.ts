/** Of generated codes that people type: digits and capitals that do not look alike, without 0, 1, I, L, O and U. */
export const CODE_LETTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A code for people; `random(n)` returns 0 to n - 1. */
export const randomCode = (
  characters: number,
  random: (below: number) => number,
  letters: string = CODE_LETTERS,
): string => Array.from({ length: characters }, () => letters[random(letters.length)]).join('');

/** 32 random hex digits, for a key that makes a request safe to repeat. Also on pages without `crypto.randomUUID` (plain http). */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
