/** What every list that is read page by page asks and says. */
import * as z from 'zod/mini';

export const BAD_PLACE = 'This position in the list is not valid. Please start again from the first photos.';

const WHOLE_NUMBER_EXPECTED = 'Must be a whole number, 1 or more.';

/** A number of a query, from 1; above `most` it counts as `most`. */
export function countUpTo(most: number) {
  return z.pipe(
    z.string({ error: WHOLE_NUMBER_EXPECTED }).check(z.regex(/^0*[1-9]\d{0,9}$/, WHOLE_NUMBER_EXPECTED)),
    z.transform((text: string) => Math.min(Number(text), most)),
  );
}
