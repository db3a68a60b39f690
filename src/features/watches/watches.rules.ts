/** How emails refer to a player, and their links. Neither contains a child's name. */

export type Player = { number: string | null; team: string | null };

/** "number 10"; "this player" without a number. */
export const numberInWords = (number: string | null): string => (number === null ? 'this player' : `number ${number}`);

/** "number 10 of Hawks U12". */
export const playerInWords = ({ number, team }: Player): string =>
  [numberInWords(number), ...(team === null ? [] : [`of ${team}`])].join(' ');

type LinkOf = 'confirm' | 'stop';
/** `all`: every player of the same address. */
export const watchPath = (what: LinkOf, key: string, all = false): string =>
  `/w/${what}?key=${encodeURIComponent(key)}${all ? '&all=yes' : ''}`;

const KEY = /^[A-Za-z0-9_-]{43}$/;
export const isWatchKey = (key: string): boolean => KEY.test(key);
