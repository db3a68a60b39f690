/** Sentences of the frame that are in more than one place. */

/** What a signed-in stranger reads where a link of another site led them into someone else's pages. */
export const OTHER_ACCOUNT =
  'You are logged in with an account that does not belong to this organization. Log out to switch accounts.';
