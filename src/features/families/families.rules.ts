/** Codes of cards as they are generated and typed, and the label of a child on its family's page. */
import { CODE_LETTERS, randomCode } from '#src/shared/random-key.ts';

export const CODE_LENGTH = 10;
const HALF = CODE_LENGTH / 2;
/** Of the random key in the QR code. */
export const KEY_BYTES = 16;

const KEY = /^[A-Za-z0-9_-]{22}$/;

/** Ten characters, without the hyphen. */
export const makeCode = (random: (below: number) => number): string => randomCode(CODE_LENGTH, random);

/** `K7M3P-9QX2T`, the printed form. */
export const printedCode = (code: string): string => `${code.slice(0, HALF)}-${code.slice(HALF)}`;

/** A typed code as it is stored: capitals without hyphen and spaces; null for a text that is not a code. */
export function readCode(typed: string): string | null {
  const code = typed.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
  return code.length === CODE_LENGTH && [...code].every((letter) => CODE_LETTERS.includes(letter)) ? code : null;
}

export const readKey = (given: string): string | null => (KEY.test(given) ? given : null);

/** The key of a pasted address, else a code. */
export function readEntry(typed: string): { key: string } | { code: string } {
  const key = readKey(/#([^#]*)$/.exec(typed.trim())?.[1] ?? '');
  return key === null ? { code: typed } : { key };
}

/**
 * The path of the family page, with a key as in the QR code. Browsers never send what follows # to a server, so it is
 * in no log.
 */
export const familyPath = (affiliate: string, key?: string): string =>
  `/${affiliate}/family${key === undefined ? '' : `#${key}`}`;

/** "Maya R."; null when the name was deleted. */
export function shortName(firstName: string | null, lastName: string | null): string | null {
  if (firstName === null) return null;
  const [initial] = lastName?.trim() ?? '';
  return initial === undefined ? firstName : `${firstName} ${initial.toUpperCase()}.`;
}

/** "Maya R.", or a label for a child without a name. */
export const childLabel = (child: {
  firstName: string | null;
  lastName: string | null;
  number: string | null;
}): string =>
  shortName(child.firstName, child.lastName) ?? (child.number === null ? 'Your child' : `Number ${child.number}`);

/** What counts as one guesser: an IPv4 address, or the /48 of an IPv6 /64 (`Caller.ip`). */
export function guesserOf(ip: string): string {
  return ip.endsWith('::/64') ? `${ip.split(':').slice(0, 3).join(':')}::/48` : ip;
}
