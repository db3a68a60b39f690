/** How long a login lasts. */

/** A session ends this long after it started, used or not; so does its cookie. */
export const SESSION_DAYS = 30;
