/** What the New Organization form says (specification A§2, 5; rule 14). Without schemas, for the page. */
export const NEW_ORG_TITLE = 'New Organization';
export const NEW_ORG_NAME_REQUIRED = 'Name required.';
export const NEW_ORG_EMAIL_REQUIRED = 'Email required.';
export const NEW_ORG_PASSWORD_REQUIRED = 'Password required.';
export const EMAIL_HAS_ACCOUNT = 'This email already belongs to an account.';
export const CREATE = 'Create Organization';
export const CREATING = 'Creating...';
export const START_OVER = 'Start over';
