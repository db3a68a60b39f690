/** People ask that their own account be deleted: texts (decision record 0180). */
export const DELETE_ACCOUNT = 'Delete your account';
/** So long a platform admin waits: a person whose session was stolen reads the email and withdraws the request. */
export const WAIT_DAYS = 3;
/** The law gives a month (GDPR article 12). */
export const DONE_WITHIN_DAYS = 30;
export const WHAT_IS_ERASED =
  'We erase your name, email address and password, your access to organizations, and your name and address on orders. We keep orders, payments and statements without your name, because books and tax records require them. Photos that you added to galleries stay.';
export const WHAT_COMES_NEXT = `You have ${WAIT_DAYS} days to change your mind. We delete the account within ${DONE_WITHIN_DAYS} days, and email you. If you are the only administrator of an organization, or pay for its plan, let someone else do that first.`;
export const CONFIRM_ADDRESS_FIRST =
  'Please confirm your email address first, with the link that we emailed to it. Otherwise we could erase the data of someone else.';
export const DELETION_ASKED = 'We emailed you what happens next.';
export const ACCOUNT_STAYS = 'Your account stays.';
