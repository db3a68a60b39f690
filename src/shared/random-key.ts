/** 32 random hex digits, for a key that makes a request safe to repeat. Also on pages without `crypto.randomUUID` (plain http). */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The same as a uuid; any text of 32 hex digits gives the same one again. */
export const keyAsUuid = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
