/**
 * Whose an athlete pass is. A child that is open in the buyer's browser, by its card; or a public number of a team, which is nobody's
 * name. The key stands in carts and is kept with orders.
 */
/** `cardId`: the card by which a child is open where the pass is sold. */
export type PassAthlete =
  | { athleteId: number; teamId: null; number: null; cardId?: number }
  | { athleteId: null; teamId: number; number: string };

const KEY = /^(?:child:(\d{1,16})|team:(\d{1,16}):(\d{1,4}))$/;

export const childKey = (athleteId: number): string => `child:${athleteId}`;
export const numberKey = (teamId: number, number: string): string => `team:${teamId}:${number}`;

/** Null for anything that is no key of ours. */
export function readAthleteKey(key: string): PassAthlete | null {
  const [, athlete, team, number] = KEY.exec(key) ?? [];
  if (athlete !== undefined) return { athleteId: Number(athlete), teamId: null, number: null };
  return team !== undefined && number !== undefined ? { athleteId: null, teamId: Number(team), number } : null;
}

/** As letters, exports and public pages say it: never a name (offers specification A.14). */
export const whoseText = (number: string | null): string => (number === null ? 'your child' : `number ${number}`);
