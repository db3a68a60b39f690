/** Photos that are included with registration: schemas and texts (athletes specification B.8, B.12). */
import * as z from 'zod/mini';
import { readMachineDay } from '#src/shared/day-range.ts';
import { idSchema, must } from '#src/shared/validators.ts';
import { counted } from '#src/shared/counted.ts';

export const MAX_PHOTOS = 200;
export const PHOTOS_NOT_VALID = `Included photos must be a whole number from 0 to ${MAX_PHOTOS}.`;
const ENDS_ON_NOT_VALID = 'The last day must be a date like 2027-06-30.';
export const ENDS_ON_PAST = 'The last day is in the past. Please choose today or a later day.';
export { TEAM_NOT_FOUND } from '#src/features/roster/roster.contract.ts';
export const SHEET_NOT_FOUND = 'This price sheet cannot be found.';
export const NOT_ON_THIS_TEAM = 'Not all of these athletes are on this team.';
const TOO_MANY_ATHLETES = 'At most 500 athletes, please.';
/** Another order of the family used them between the price and the purchase. */
export const INCLUDED_USED = 'Prices have changed. Please review your cart.';
/** `most`: the most that one of the children has used. */
export const usedAlready = (most: number): string =>
  `A child has already used ${counted(most, 'photo', 'photos')}. Please include at least that many.`;

/** "5 photos are included. 2 left." */
export function includedText(photos: number, left: number): string {
  return `${counted(photos, 'photo is', 'photos are')} included. ${left} left.`;
}

/** 0 takes them back. Without `athlete_ids`: everyone who is on the team now. Without `sheet_id`: for any photo of the organization. */
export const allowanceBody = z.strictObject({
  photos: z
    .int({ error: PHOTOS_NOT_VALID })
    .check(z.minimum(0, { error: PHOTOS_NOT_VALID }), z.maximum(MAX_PHOTOS, { error: PHOTOS_NOT_VALID })),
  sheet_id: z.optional(z.nullable(idSchema)),
  ends_on: z.optional(
    z.nullable(
      z.string({ error: ENDS_ON_NOT_VALID }).check(must((text) => readMachineDay(text) !== null, ENDS_ON_NOT_VALID)),
    ),
  ),
  athlete_ids: z.optional(z.array(idSchema).check(z.maxLength(500, TOO_MANY_ATHLETES))),
});
export type AllowanceBody = z.output<typeof allowanceBody>;
/** How many children have this many now. */
export const allowanceAnswer = z.object({ given: z.number() });
export type AllowanceAnswer = z.infer<typeof allowanceAnswer>;
/** A child has one for any photo, and one of each price sheet at most. */
export const givenAllowance = z.object({
  athlete_id: z.number(),
  photos: z.number(),
  used: z.number(),
  sheet_id: z.nullable(z.number()),
  /** The last day, which is included. */
  ends_on: z.nullable(z.string()),
  /** The last day is over. */
  ended: z.boolean(),
});
/** What the children who are on the team now were given, also what has ended. */
export const allowancesAnswer = z.object({
  /** On the team now. */
  athletes: z.number(),
  allowances: z.array(givenAllowance),
});
export type AllowancesAnswer = z.infer<typeof allowancesAnswer>;
