/** Opening the card of a child: schemas and texts (athletes specification B.3, B.4, B.8). */
import * as z from 'zod/mini';
import { idSchema, requiredText } from '#src/shared/validators.ts';

export const CODE_UNKNOWN = 'We do not recognize this code. It is printed below the square on your card.';
export const CODE_REPLACED = 'This code was replaced. Please ask your team for the new card.';
export const CARD_IS_BLANK = 'This card has no name yet. Please ask your team to fill it in.';
export const CODE_REQUIRED = 'Please enter the code on your card.';
export const CODE_OR_KEY = 'Send either code or key.';
export const CHILD_NOT_FOUND = 'This child is not open in this browser.';
export const NOT_MY_CHILD_DONE = 'Thank you. This code no longer opens anything, and the team was told.';
/** In one browser. */
export const MAX_CHILDREN = 8;
export const TOO_MANY_CHILDREN = `Up to ${MAX_CHILDREN} children can be open in one browser. Please forget one first.`;

/** Wrong codes of one sender in an hour. */
export const WRONG_CODES_AN_HOUR = 10;
/** After this many wrong codes in an hour an organization's members are notified. */
export const WRONG_CODES_REPORTED = 200;

/** A typed code or a pasted address of a card; long enough for either. */
const MAX_TYPED = 300;

export const openFamilyBody = z
  .strictObject({
    code: z.optional(requiredText(MAX_TYPED, CODE_REQUIRED)),
    /** The content of the QR code. */
    key: z.optional(requiredText(MAX_TYPED, CODE_REQUIRED)),
  })
  .check(
    z.refine(({ code, key }) => (code === undefined) !== (key === undefined), {
      error: ({ input }) => (Object.keys(input as object).length === 0 ? CODE_REQUIRED : CODE_OR_KEY),
      path: ['code'],
    }),
  );
export type OpenFamilyBody = z.infer<typeof openFamilyBody>;

/** A child that is open in this browser. */
export const childAnswer = z.object({
  id: z.number(),
  /** "Maya R." */
  label: z.string(),
  team: z.nullable(z.string()),
  number: z.nullable(z.string()),
});
export type ChildAnswer = z.infer<typeof childAnswer>;

export const familyAnswer = z.object({ child: childAnswer });

export const childParams = z.object({ child: idSchema });
export const notMineAnswer = z.object({ message: z.string() });
