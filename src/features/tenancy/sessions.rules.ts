/** How long a log-in lasts. */

/** A session ends this long after it began, used or not; so does its cookie. */
export const SESSION_DAYS = 30;
