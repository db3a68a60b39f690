/** Emails about new photos: schemas and texts (athletes specification B.4, B.8). */
import * as z from 'zod/mini';
import { numberText } from '#src/features/photos/photos.contract.ts';
import { idSchema, INVALID_EMAIL, isEmail, requiredText } from '#src/shared/validators.ts';

export const EMAIL_REQUIRED = 'Please enter your email address.';
const WATCH_WHOM = 'Send either child, or team_id and number.';
export const YOUR_EMAIL = 'Your email';
export const WATCH_HINT =
  'The first email has a button to confirm. After that you get at most one a day, each with a link to stop.';
export const TELL_ME = 'Tell me';
export const UNDO = 'Undo';
export const CONFIRM_TITLE = 'We will tell you';
export const STOP_TITLE = 'Emails about new photos';
export const STOP_BUTTON = 'Stop these emails';
export const LINK_UNKNOWN = 'This link is no longer valid. Please ask again on the photo page.';

/** The same for every address. `whom`: "number 10". */
export const watchRequested = (whom: string): string =>
  `We sent you an email. Press its button, and we will tell you about new photos of ${whom}, at most once a day.`;
export const watchConfirmed = (whom: string): string =>
  `We will tell you about new photos of ${whom}, at most once a day.`;
export const watchStopped = (whom: string): string => `You will get no more emails about ${whom}.`;
export const allStopped = (organization: string): string =>
  `You will get no more emails about new photos of ${organization}.`;

/** Of one address below one parent. */
export const MAX_OPEN_WATCHES = 20;
/** From us to one address, for all watches together. */
export const EMAILS_AN_HOUR = 5;
/** Of one sender. */
export const ASKED_AN_HOUR = 30;
export const PENDING_DAYS = 7;
export const STOPPED_DAYS = 60;
/** How long a gallery must be quiet before anyone is notified. */
export const QUIET_HOURS = 2;
/** An address gets at most one email about new photos of an organization in this time. */
export const EMAIL_EVERY_HOURS = 24;
/** Older tags are no longer new. */
export const NEW_DAYS = 7;

export const watchBody = z
  .strictObject({
    email: requiredText(254, EMAIL_REQUIRED).check(z.refine(isEmail, { error: INVALID_EMAIL })),
    /** A child that is open in this browser. */
    child: z.optional(idSchema),
    team_id: z.optional(idSchema),
    number: z.optional(numberText),
  })
  .check(
    z.refine(
      ({ child, team_id, number }) =>
        child === undefined
          ? team_id !== undefined && number !== undefined
          : team_id === undefined && number === undefined,
      { error: WATCH_WHOM, path: ['child'] },
    ),
  );
export type WatchBody = z.output<typeof watchBody>;

export const watchAnswer = z.object({ message: z.string() });
