/** Of generated codes that people type: digits and capitals that do not look alike, without 0, 1, I, L, O and U. */
export const CODE_LETTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/** 32 random hex digits, for a key that makes a request safe to repeat. Also on pages without `crypto.randomUUID` (plain http). */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
