/** Codes of cards as they are made and typed, and what a child is called where only its family looks. */

/** Digits and capitals that nobody takes for another: without 0, 1, I, L, O and U. */
export const CODE_SIGNS = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
export const CODE_LENGTH = 10;
const HALF = CODE_LENGTH / 2;
/** Of the key in the square. */
export const KEY_BYTES = 16;

const KEY = /^[A-Za-z0-9_-]{22}$/;

/** Ten signs, without the hyphen; `random(n)` answers 0 to n - 1. */
export function makeCode(random: (below: number) => number): string {
  return Array.from({ length: CODE_LENGTH }, () => CODE_SIGNS[random(CODE_SIGNS.length)]).join('');
}

/** `K7M3P-9QX2T`, as it is printed. */
export const printedCode = (code: string): string => `${code.slice(0, HALF)}-${code.slice(HALF)}`;

/** What was typed as a code is stored: capitals without hyphen and spaces; null for what is none. */
export function readCode(typed: string): string | null {
  const code = typed.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
  return code.length === CODE_LENGTH && [...code].every((sign) => CODE_SIGNS.includes(sign)) ? code : null;
}

export const readKey = (given: string): string | null => (KEY.test(given) ? given : null);

/** What somebody pasted or typed: the key of a whole address, else a code. */
export function readEntry(typed: string): { key: string } | { code: string } {
  const key = readKey(/#([^#]*)$/.exec(typed.trim())?.[1] ?? '');
  return key === null ? { code: typed } : { key };
}

/** The path of the family page; with a key, as the square of a card has it. What follows # is never sent to a server, and so is in no log. */
export const familyPath = (affiliate: string, key?: string): string =>
  `/${affiliate}/family${key === undefined ? '' : `#${key}`}`;

/** "Maya R."; null where the name is gone. */
export function shortName(firstName: string | null, lastName: string | null): string | null {
  if (firstName === null) return null;
  const [initial] = lastName?.trim() ?? '';
  return initial === undefined ? firstName : `${firstName} ${initial.toUpperCase()}.`;
}

/** "Maya R.", or what is left of a child whose name is gone. */
export const childLabel = (child: {
  firstName: string | null;
  lastName: string | null;
  number: string | null;
}): string =>
  shortName(child.firstName, child.lastName) ?? (child.number === null ? 'Your child' : `Number ${child.number}`);

/** What counts as one guesser: an address of IPv4, or the /48 that a /64 of IPv6 (`Caller.ip`) belongs to. */
export function guesserOf(ip: string): string {
  return ip.endsWith('::/64') ? `${ip.split(':').slice(0, 3).join(':')}::/48` : ip;
}
