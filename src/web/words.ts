/** Sentences of the frame that are in more than one place. */

/** Shown to a signed-in user whom a link on another site led into another organization's pages. */
export const OTHER_ACCOUNT =
  'You are logged in with an account that does not belong to this organization. Log out to switch accounts.';
