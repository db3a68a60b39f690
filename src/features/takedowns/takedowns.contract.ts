/** "Ask to hide this photo": requests and decisions; schemas and texts. */
import * as z from 'zod/mini';
import { YES_OR_NO } from '#src/features/galleries/galleries.contract.ts';
import { countUpTo } from '#src/shared/paging.ts';
import { idSchema, INVALID_EMAIL, isEmail, optionalText, requiredText } from '#src/shared/validators.ts';

export const TAKEDOWNS_TITLE = 'Requests to hide photos';
export const ASK_TO_HIDE = 'Ask to hide this photo';
export const REASON_REQUIRED = 'Please say why the photo should be hidden.';
export const CONTACT_REQUIRED = 'Please enter an email address so that we can reply.';
export const GUARDIAN_LABEL = 'I am the child’s parent or guardian, or the person in the picture.';
/** The same for every request, whether it is the first one or a repeated one. */
export const TAKEDOWN_THANKS =
  'Thank you. We sent your request to the people who run this gallery. They will reply by email.';
export const DECISION_REQUIRED = 'Please choose hide, keep or delete.';
const MODE_REQUIRED = 'Please choose what happens first.';
export const ALREADY_DECIDED = 'This request was already decided.';
export const REQUEST_NOT_FOUND = 'This request cannot be found.';
export const PHOTO_IS_GONE = 'The photo has been removed. You can only answer with Delete.';

/** What the page says when a form without JavaScript was refused. */
export const FORM_PROBLEMS = {
  incomplete: `${REASON_REQUIRED} ${CONTACT_REQUIRED}`,
  wait: 'Too many requests. Please try again in an hour.',
  gone: 'This photo is no longer shown.',
} as const;
export type FormProblem = keyof typeof FORM_PROBLEMS;

export const MAX_REASON = 2_000;
export const MAX_NOTE = 1_000;
export const MAX_CONTACT = 254;

/** How long personal data of a request is kept after the decision. */
export const FORGET_AFTER_DAYS = 90;

export const takedownBody = z.strictObject({
  reason: requiredText(MAX_REASON, REASON_REQUIRED),
  contact: requiredText(MAX_CONTACT, CONTACT_REQUIRED).check(z.refine(isEmail, { error: INVALID_EMAIL })),
  guardian: z._default(z.boolean({ error: YES_OR_NO }), false),
});
export type TakedownRequest = z.infer<typeof takedownBody>;

export const takedownThanks = z.object({ message: z.string() });

const TAKEDOWN_STATES = ['open', 'hidden', 'kept', 'deleted'] as const;
export type TakedownState = (typeof TAKEDOWN_STATES)[number];
const DECISIONS = ['hide', 'keep', 'delete'] as const;
export type Decision = (typeof DECISIONS)[number];
const TAKEDOWN_MODES = ['hide_first', 'review'] as const;
export type TakedownMode = (typeof TAKEDOWN_MODES)[number];

export const decisionBody = z.strictObject({
  decision: z.enum(DECISIONS, { error: DECISION_REQUIRED }),
  /** Part of the email to the person who asked. */
  note: z._default(optionalText(MAX_NOTE), ''),
});
export type DecisionBody = z.infer<typeof decisionBody>;

export const modeBody = z.strictObject({ mode: z.enum(TAKEDOWN_MODES, { error: MODE_REQUIRED }) });
export const modeAnswer = z.object({ mode: z.enum(TAKEDOWN_MODES) });

export const TAKEDOWNS_PER_PAGE = 20;
const MAX_TAKEDOWNS_PER_PAGE = 100;

export const takedownsQuery = z.object({
  state: z.optional(z.enum(['open', 'decided'], { error: 'Must be open or decided.' })),
  /** `next` of the previous page. */
  after: z.optional(idSchema),
  limit: z.optional(countUpTo(MAX_TAKEDOWNS_PER_PAGE)),
});
export type TakedownsQuery = z.infer<typeof takedownsQuery>;

export const takedownAnswer = z.object({
  id: z.number(),
  state: z.enum(TAKEDOWN_STATES),
  organization_id: z.number(),
  gallery: z.object({ id: z.number(), name: z.string(), affiliate: z.string() }),
  photo: z.object({
    id: z.number(),
    name: z.string(),
    /** For members; null when the picture is gone. `&size=` may follow. */
    image_url: z.nullable(z.string()),
    width: z.nullable(z.number()),
    height: z.nullable(z.number()),
    show_in_gallery: z.boolean(),
    removed: z.boolean(),
    sales_count: z.number(),
  }),
  /** Null once they were deleted. */
  reason: z.nullable(z.string()),
  contact: z.nullable(z.string()),
  guardian: z.boolean(),
  /** The photo was hidden as soon as the request came. */
  hidden_first: z.boolean(),
  asked_at: z.string(),
  decided_at: z.nullable(z.string()),
  decided_by: z.nullable(z.string()),
  note: z.string(),
});
export type TakedownAnswer = z.infer<typeof takedownAnswer>;

/** Newest first. */
export const takedownsPage = z.object({
  takedowns: z.array(takedownAnswer),
  next: z.nullable(z.number()),
  /** Counted up to 100. */
  open: z.number(),
  mode: z.enum(TAKEDOWN_MODES),
});
export type TakedownsPage = z.infer<typeof takedownsPage>;
