/** Shapes and words of looking through contributions: the owner's review, and a contributor's own photos. */
import * as z from 'zod/mini';
import { contributorAnswer } from '#src/features/galleries/galleries.contract.ts';
import { idSchema } from '#src/shared/validators.ts';

export const DECISION_UNKNOWN = 'Choose approve, reject or wait.';
export const NOTHING_CHOSEN = 'Choose photos, or the person who sent them.';
export const MAX_DECIDED_AT_ONCE = 500;
export const WAITING_PER_PAGE = 60;
export const OWN_PER_PAGE = 60;

export const WITHDRAW_TITLE = 'Withdraw photo?';
export const WITHDRAW_QUESTION = 'The team will no longer have this photo. This cannot be undone.';
export const WITHDRAWN = 'Your photo is withdrawn.';
export const WITHDRAWN_SOLD = 'Your photo is withdrawn and hidden. People who already bought it keep their copies.';
export const OWN_PHOTO_GONE = 'This photo no longer exists.';

/** What each state of one's own photo reads. */
export const OWN_STATES = {
  processing: 'Being prepared',
  failed: 'Couldn’t be processed',
  waiting: 'Waiting for the team',
  shown: 'In the gallery',
  not_chosen: 'Not chosen',
  withdrawn: 'Withdrawn',
} as const;

export const ownPhoto = z.object({
  id: z.number(),
  name: z.string(),
  state: z.enum(['processing', 'failed', 'waiting', 'shown', 'not_chosen', 'withdrawn']),
  /** Why it failed. */
  problem: z.nullable(z.string()),
  /** Our own address, for the person who sent the photo only; null when there is nothing to see. `&size=` may follow. */
  image_url: z.nullable(z.string()),
  width: z.nullable(z.number()),
  height: z.nullable(z.number()),
  /** Base64. */
  thumbhash: z.nullable(z.string()),
  may_withdraw: z.boolean(),
});
export type OwnPhoto = z.infer<typeof ownPhoto>;
export const ownPhotosPage = z.object({ photos: z.array(ownPhoto), next: z.nullable(z.string()) });
export type OwnPhotosPage = z.infer<typeof ownPhotosPage>;

export const withdrawnAnswer = z.object({
  /** False when it was sold: it is hidden for good, and buyers keep it. */
  removed: z.boolean(),
  message: z.string(),
});
export type WithdrawnAnswer = z.infer<typeof withdrawnAnswer>;

export const waitingPhoto = z.object({
  id: z.number(),
  contributor_id: z.number(),
  name: z.string(),
  /** Clean, for members. `&size=` may follow. */
  image_url: z.string(),
  width: z.nullable(z.number()),
  height: z.nullable(z.number()),
  thumbhash: z.nullable(z.string()),
  status: z.enum(['processing', 'ready']),
  taken_at: z.nullable(z.string()),
  /** A hint, never a decision: the picture is soft. */
  is_blurry: z.boolean(),
  /** A photo of the gallery that looks almost the same; null without one. */
  similar_to: z.nullable(z.object({ id: z.number(), name: z.string(), is_shown: z.boolean() })),
});
export type WaitingPhoto = z.infer<typeof waitingPhoto>;

export const waitingContributor = z.object({
  ...contributorAnswer.shape,
  /** Photos of this contribution that wait. */
  waiting: z.number(),
  sent_at: z.string(),
});
export type WaitingContributor = z.infer<typeof waitingContributor>;

export const waitingPage = z.object({
  photos: z.array(waitingPhoto),
  contributors: z.array(waitingContributor),
  next: z.nullable(z.string()),
  /** Of the whole gallery. */
  total: z.number(),
});
export type WaitingPage = z.infer<typeof waitingPage>;

export const decisionBody = z
  .strictObject({
    decision: z.enum(['approve', 'reject', 'wait'], { error: DECISION_UNKNOWN }),
    ids: z.optional(
      z
        .array(idSchema, { error: NOTHING_CHOSEN })
        .check(
          z.minLength(1, NOTHING_CHOSEN),
          z.maxLength(MAX_DECIDED_AT_ONCE, `Choose at most ${MAX_DECIDED_AT_ONCE} photos at once.`),
        ),
    ),
    contributor_id: z.optional(idSchema),
    /** With `contributor_id`: the newest contribution that was seen. What arrived after it goes on waiting. */
    up_to: z.optional(idSchema),
  })
  .check(
    z.refine(({ ids, contributor_id }) => (ids === undefined) !== (contributor_id === undefined), {
      error: NOTHING_CHOSEN,
      path: ['ids'],
    }),
  );
export type DecisionBody = z.infer<typeof decisionBody>;
export const decidedAnswer = z.object({ ids: z.array(z.number()) });
