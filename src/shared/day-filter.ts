/** Days that a list is filtered by: `from` and `to` in its address, both included, empty ones ignored. */
import * as z from 'zod/mini';
import { readMachineDay } from '#src/shared/day-range.ts';

export const DAY_NOT_VALID = 'Please choose a valid day.';
export const DAYS_NOT_IN_ORDER = 'The last day is before the first.';

const day = z.optional(
  z.string().check(z.refine((value) => value === '' || readMachineDay(value) !== null, DAY_NOT_VALID)),
);

/** The two fields of a filter, as `YYYY-MM-DD`. */
export const dayFilter = { from: day, to: day };

type Days = { from?: string | undefined; to?: string | undefined };

/** The check of a filter with these fields. */
export const daysInOrder = z.refine<Days>(({ from, to }) => !from || !to || from <= to, {
  error: DAYS_NOT_IN_ORDER,
  path: ['to'],
});
