/** Creating and printing cards: schemas and texts (athletes specification B.3, B.8). */
import * as z from 'zod/mini';
import { idSchema, requiredText } from '#src/shared/validators.ts';

export { ATHLETE_NOT_FOUND, TEAM_NOT_FOUND } from '#src/features/roster/roster.contract.ts';
export const CARD_NOT_FOUND = 'This card cannot be found.';
export const BLANK_NOT_FOUND = 'This is not the code of a blank card.';
export const NO_ONE_TO_PRINT = 'No one is on this team yet.';

export const LAYOUTS = ['wallet', 'photo_day', 'blank'] as const;
export type CardLayout = (typeof LAYOUTS)[number];
export const PAPERS = ['letter', 'a4'] as const;
export type Paper = (typeof PAPERS)[number];

export const newCardBody = z.nullish(
  z.strictObject({
    /** The card that the new one replaces; null: none, it is for a second family. Absent: all cards of the athlete. */
    replaces: z.optional(z.nullable(idSchema)),
    /** A blank card that was given to the family; absent: a new one is created. */
    code: z.optional(requiredText(40)),
  }),
);
export type NewCardBody = z.infer<typeof newCardBody>;

const cardAnswer = z.object({
  id: z.number(),
  /** `K7M3P-9QX2T` */
  code: z.string(),
  made_at: z.string(),
  first_opened_at: z.nullable(z.string()),
  /** Browsers that have opened it. */
  devices: z.number(),
  /** What its family last said; null if it said nothing, or a member has decided since. The strictest answer applies. */
  consent: z.nullable(z.enum(['yes', 'family', 'no'])),
});
export type CardAnswer = z.infer<typeof cardAnswer>;
/** Valid cards, oldest first. */
export const cardsAnswer = z.object({ cards: z.array(cardAnswer) });
export type CardsAnswer = z.infer<typeof cardsAnswer>;

export const printQuery = z.object({
  layout: z._default(z.enum(LAYOUTS, { error: 'Must be wallet, photo_day or blank.' }), 'wallet'),
  paper: z._default(z.enum(PAPERS, { error: 'Must be letter or a4.' }), 'letter'),
  /** Only the cards of this athlete of the team. Has no effect on blank cards. */
  athlete: z.optional(idSchema),
});
export type PrintQuery = z.output<typeof printQuery>;
