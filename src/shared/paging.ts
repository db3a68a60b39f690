/** What every list that is read page by page asks and says. */
import * as z from 'zod/mini';

export const BAD_PLACE = 'This place in the list is not known. Please start again from the first photos.';

const WHOLE_NUMBER_EXPECTED = 'A whole number from 1 is expected.';

/** A number of a query, from 1; above `most` it counts as `most`. */
export function countUpTo(most: number) {
  return z.pipe(
    z.string({ error: WHOLE_NUMBER_EXPECTED }).check(z.regex(/^0*[1-9]\d{0,9}$/, WHOLE_NUMBER_EXPECTED)),
    z.transform((text: string) => Math.min(Number(text), most)),
  );
}
