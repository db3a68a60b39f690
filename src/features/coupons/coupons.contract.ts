/** Codes that buyers type: schemas, limits and every refusal (offers specification A.4, A.7, A.12). */
import * as z from 'zod/mini';

export const CODE_UNKNOWN = 'We do not recognize this code.';
export const CODE_USED_UP = 'This code has been used up.';
export const CODE_USED_ALREADY = 'You have used this code already.';
export const CODE_NOT_FOR_THESE = 'This code is not for these galleries.';
export const ONE_CODE = 'One code per order, please. You can add credit codes as well.';
export const TOO_MANY_TRIED = 'Too many codes were tried. Please wait ten minutes.';
export const codeEnded = (day: string) => `This code ended on ${day}.`;
export const codeStarts = (day: string) => `This code starts on ${day}.`;
export const codeMinimum = (dollarText: string) => `This code is for orders of ${dollarText} or more.`;

/** Whether a code is refused whatever the cart has: sending it again would only count as another wrong try. */
export const isWrongCode = (error: string): boolean =>
  error === CODE_UNKNOWN || error === TOO_MANY_TRIED || /^This code (?:ended|starts) on /.test(error);

const CODES_NOT_A_LIST = 'Codes are a list of texts.';
export const MAX_CODES = 5;
export const TOO_MANY_CODES = `At most ${MAX_CODES} codes, please.`;
/** As people type them, with spaces and hyphens. */
const MAX_TYPED = 60;
/** Of a normalized code. */
export const MIN_CODE = 4;
export const MAX_CODE = 24;
const CODE = new RegExp(`^[A-Z0-9]{${MIN_CODE},${MAX_CODE}}$`);

/** A typed code without spaces and hyphens, in capitals; null if no code can look like this. */
export function tidyCode(typed: string): string | null {
  if (typed.length > MAX_TYPED) return null;
  const code = typed.normalize('NFKC').replaceAll(/[\s\p{Pd}]/gu, '');
  // Checked before the conversion: some letters of other alphabets become plain letters as capitals.
  return CODE.test(code.replaceAll(/[a-z]/g, 'A')) ? code.toUpperCase() : null;
}

const typedCode = z
  .string({ error: CODE_UNKNOWN })
  .check(z.refine((typed) => tidyCode(typed) !== null, { error: CODE_UNKNOWN }));

/** `codes` of a quote and an order, as typed; empty when absent. */
export const codesField = z._default(
  z.array(typedCode, { error: CODES_NOT_A_LIST }).check(z.maxLength(MAX_CODES, TOO_MANY_CODES)),
  [],
);

/** A code that gives nothing in this cart, and why. */
export const refusedCode = z.object({ code: z.string(), error: z.string() });
export type RefusedCode = z.infer<typeof refusedCode>;
