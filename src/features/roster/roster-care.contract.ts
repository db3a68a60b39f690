/** Merging athletes, starting the next season and forgetting names: schemas and texts (athletes B.7, B.8). */
import * as z from 'zod/mini';
import { newSeason, wholeAthlete } from '#src/features/roster/roster.contract.ts';
import { idSchema } from '#src/shared/validators.ts';

/** How long a merge can be undone. */
export const UNDO_DAYS = 30;
/** How long unconfirmed addresses are kept. */
export const ADDRESS_DAYS = 60;
/** Names stay for the current season and this many before it, and at most for these years after the last one ended. */
export const SEASONS_KEPT = 2;
export const YEARS_KEPT = 3;
/** Someone who was entered on an old team stays at least this long. */
export const ENTERED_DAYS = 60;

export const SAME_ATHLETE = 'Please choose another athlete.';
export const NOTHING_TO_UNDO = 'There is nothing to undo, or its 30 days have passed.';
export const UNDO_NEWER_FIRST = 'This athlete was merged again later. Please undo that first.';

/** For new days of a season by which athletes would soon lose their names: usually a wrong year. */
export const wouldForget = (athletes: number) =>
  `With these days, the ${athletes === 1 ? 'name of 1 athlete' : `names of ${athletes} athletes`} would be deleted. Please check the year.`;

/** What parents can rely on, shown in the settings. */
export const RETENTION_SENTENCES = [
  'Names stay on the roster for the current season and the two before it, then each becomes a number and the family’s addresses are deleted.',
  'An address whose owner has not said yes within 60 days is deleted, and one that a family asks us to forget is deleted immediately.',
  'The file of an import is never kept, and what a row said is deleted with its import, or after seven days where the row failed.',
  'Backups still hold what was deleted until they expire, and are read only to restore the whole site.',
] as const;

export const mergeBody = z.strictObject({ into: idSchema });
/** The remaining athlete, and how many photos the stricter consent hid and showed. */
export const mergedAnswer = z.object({
  athlete: wholeAthlete,
  merge_id: z.number(),
  hidden: z.number(),
  shown: z.number(),
});
export type MergedAnswer = z.infer<typeof mergedAnswer>;

const flag = z._default(z.boolean({ error: 'Must be true or false.' }), false);
export const nextSeasonBody = z.strictObject({
  season: newSeason,
  keep_numbers: flag,
  new_cards: flag,
  ask_consent: flag,
});
export type NextSeason = z.output<typeof nextSeasonBody>;
export const startedAnswer = z.object({
  season_id: z.number(),
  status: z.enum(['running', 'finished']),
  /** Athletes. */
  done: z.number(),
  total: z.number(),
});
export type StartedAnswer = z.infer<typeof startedAnswer>;
