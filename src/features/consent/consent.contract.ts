/** Consent: what a club or a family allows, and what that hides; schemas and texts (athletes specification B.4 to B.6). */
import * as z from 'zod/mini';
import { tidy } from '#src/shared/validators.ts';
import { counted, formatCount } from '#src/shared/counted.ts';
import { numberWord } from '#src/shared/number-words.ts';

export const CONSENTS = ['yes', 'family', 'no', 'unknown'] as const;
/** `family`: only for the child's own family. `unknown` has the meaning that the organization chose. */
export type Consent = (typeof CONSENTS)[number];
/** What `unknown` means. */
export const UNKNOWN_CONSENTS = ['show', 'family', 'hide'] as const;
export type UnknownConsent = (typeof UNKNOWN_CONSENTS)[number];
export const MODES = ['numbers', 'private', 'off'] as const;
export type Mode = (typeof MODES)[number];

export const CONSENT_TITLE = 'Roster settings';
export const MODE_LABELS: Record<Mode, { label: string; hint: string }> = {
  numbers: {
    label: 'By number',
    hint: 'Everyone can search numbers. Names, and all photos of a child on one page, require the family’s card. Usual for clubs.',
  },
  private: {
    label: 'By card only',
    hint: 'No one can find a child without the family’s card, except by keywords that you added to photos: you can turn numbers among them into tags. Usual for schools.',
  },
  off: { label: 'Off', hint: 'Visitors search keywords, as before.' },
};
export const UNKNOWN_LABELS: Record<UnknownConsent, { label: string; hint: string }> = {
  show: { label: 'Show', hint: 'Until a family says otherwise.' },
  family: { label: 'Only to their family', hint: 'Only on the page that the child’s card opens.' },
  hide: { label: 'Hide', hint: 'From everyone but you, until a family agrees.' },
};
/** The preset of each mode. */
export const PRESETS: Record<Mode, UnknownConsent> = { numbers: 'show', private: 'family', off: 'show' };
export const MODE_QUESTION = 'Who can find a child';
export const UNKNOWN_QUESTION = 'Photos of a child whose family has not been asked';
export const CHANGE_LATER = 'You can change both at any time in the roster settings.';
export const HOLD_LABEL = 'Hold new photos until checked';
export const HOLD_HINT =
  'If a team has an athlete who must not be published, new photos stay hidden until they are tagged or you confirm that none of these athletes is in them.';
export const YEARLY_LABEL = 'Ask for consent each year';
export const YEARLY_HINT =
  'With the next season, every consent becomes unknown again, and you get a list of families to ask.';
/** The label of the box that switches the hold off. */
export const holdOffBox = (children: number) =>
  children === 1
    ? 'I know that 1 athlete must not be published.'
    : `I know that ${formatCount(children)} athletes must not be published.`;
export const HOLD_BOX_REQUIRED = 'Please check the box that says how many athletes must not be published.';
export const HOLD_NUMBER_CHANGED = 'The number of athletes who must not be published has changed. Please check again.';

/** "3 athletes of this team must not be published. …" */
export function holdText({ children, teams }: { children: number; teams: number }): string {
  const whose = teams === 1 ? 'this team' : 'these teams';
  if (children === 0)
    return `Everyone on ${whose} may be published now. These photos were held before, and stay hidden until you show them.`;
  if (children === 1)
    return `1 athlete of ${whose} must not be published. New photos stay hidden until they are tagged or you say that this athlete is in none of them.`;
  return `${formatCount(children)} athletes of ${whose} must not be published. New photos stay hidden until they are tagged or you say that none of the ${numberWord(children)} is in them.`;
}
export const TAG_NOW = 'Tag now';
export const noneInThese = (photos: number) =>
  photos === 1 ? 'None of them is in this photo' : `None of them is in these ${formatCount(photos)}`;
/** When no one is left who must not be published. */
export const showThese = (photos: number) => (photos === 1 ? 'Show this photo' : `Show these ${formatCount(photos)}`);
export const heldReleased = (photos: number) =>
  counted(photos, 'photo is no longer held.', 'photos are no longer held.');

export const ATHLETE_NOT_FOUND = 'This athlete cannot be found.';
export const PHOTO_NOT_FOUND = 'This photo is no longer in the gallery.';
export const NOT_HIDDEN_BY_CONSENT = 'No consent hides this photo.';
export const MIN_REASON = 10;
export const MAX_REASON = 500;
export const REASON_TOO_SHORT = `Please say why in at least ${MIN_REASON} characters, for example “Maya is seen from behind”.`;
const REASON_TOO_LONG = `At most ${MAX_REASON} characters, please.`;
export const SHOW_NEVERTHELESS = 'Show anyway';
export const SHOW_QUESTION =
  'The family or the club does not want this child to be published. Show this one photo anyway? It is hidden again as soon as the family changes its answer.';
export const SHOWN_NEVERTHELESS = 'Visitors can see this photo now, although a consent would hide it.';
export const HIDE_AGAIN = 'Hide again';

const MODE_EXPECTED = 'Choose numbers, private or off.';
const UNKNOWN_EXPECTED = 'Choose show, family or hide.';
const yesOrNo = z.optional(z.boolean({ error: 'Must be true or false.' }));

export const settingsAnswer = z.object({
  mode: z.enum(MODES),
  unknown_consent: z.enum(UNKNOWN_CONSENTS),
  consent_yearly: z.boolean(),
  hold_new_photos: z.boolean(),
  /** False while no one has chosen yet. */
  chosen: z.boolean(),
  /** How many athletes of the roster must not be published: the number to confirm before the hold is switched off. */
  not_published: z.number(),
});
export type ConsentSettings = z.infer<typeof settingsAnswer>;
export const settingsBody = z.strictObject({
  settings: z.strictObject({
    mode: z.optional(z.enum(MODES, { error: MODE_EXPECTED })),
    unknown_consent: z.optional(z.enum(UNKNOWN_CONSENTS, { error: UNKNOWN_EXPECTED })),
    consent_yearly: yesOrNo,
    hold_new_photos: yesOrNo,
  }),
  /** The confirmed number; needed only to switch the hold off. */
  not_published: z.optional(z.number({ error: HOLD_BOX_REQUIRED }).check(z.int(HOLD_BOX_REQUIRED))),
});
export type SettingsBody = z.infer<typeof settingsBody>;
export const changedSettings = z.extend(settingsAnswer, { hidden: z.number(), shown: z.number() });

export const holdAnswer = z.object({
  /** How many athletes of the gallery's teams must not be published. */
  athletes: z.number(),
  /** How many photos are held. */
  photos: z.number(),
  /** The position of the last counted photo, sent back to confirm that none of them is in these. Null without photos. */
  through: z.nullable(z.string()),
  /** The text of the banner; null when no photo is held. */
  text: z.nullable(z.string()),
});
export type HoldAnswer = z.infer<typeof holdAnswer>;
const THROUGH_EXPECTED = 'Send the position of the last photo that you checked.';
export const noneBody = z.strictObject({
  through: z.string({ error: THROUGH_EXPECTED }).check(z.regex(/^\d{1,17}$/, THROUGH_EXPECTED)),
});
export const noneAnswer = z.object({ released: z.number(), shown: z.number() });

export const exceptionBody = z.strictObject({
  reason: z
    .string({ error: REASON_TOO_SHORT })
    .check(tidy(), z.minLength(MIN_REASON, REASON_TOO_SHORT), z.maxLength(MAX_REASON, REASON_TOO_LONG)),
});
export const exceptionAnswer = z.object({
  /** False if another cause still hides it. */
  shown: z.boolean(),
});

export const withdrawnSales = z.object({
  sales: z.array(
    z.object({
      order_id: z.number(),
      /** Null, like the gallery, when a pass lost photos. */
      photo_id: z.nullable(z.number()),
      gallery_id: z.nullable(z.number()),
      /** "All photos of number 10"; null for a single photo. */
      pass: z.nullable(z.string()),
      /** How many photos of this sale were withdrawn. */
      photos: z.number(),
      /** Of the photo, or of the whole pass. */
      price: z.number(),
      sold_at: z.string(),
    }),
  ),
});
export type WithdrawnSales = z.infer<typeof withdrawnSales>;
export const SALES_SHOWN = 100;
/** "All photos of number 10: 3 photos less" */
export const withdrawnOfPass = (pass: string, photos: number) =>
  `${pass}: ${counted(photos, 'fewer photo', 'fewer photos')}`;
