/**
 * Whose an athlete pass is: a child whose card is open in the buyer's browser, or a public number of a team, which
 * names no one. The key is stored in carts and with orders.
 */
/** `cardId`: the card that opens the child where the pass is sold. */
export type PassAthlete =
  | { athleteId: number; teamId: null; number: null; cardId?: number }
  | { athleteId: null; teamId: number; number: string };

const KEY = /^(?:child:(\d{1,16})|team:(\d{1,16}):(\d{1,4}))$/;

export const childKey = (athleteId: number): string => `child:${athleteId}`;
export const numberKey = (teamId: number, number: string): string => `team:${teamId}:${number}`;

/** Null for a text that is not one of our keys. */
export function readAthleteKey(key: string): PassAthlete | null {
  const [, athlete, team, number] = KEY.exec(key) ?? [];
  if (athlete !== undefined) return { athleteId: Number(athlete), teamId: null, number: null };
  return team !== undefined && number !== undefined ? { athleteId: null, teamId: Number(team), number } : null;
}

/** What emails, exports and public pages say: never a name (offers specification A.14). */
export const whoseText = (number: string | null): string => (number === null ? 'your child' : `number ${number}`);
