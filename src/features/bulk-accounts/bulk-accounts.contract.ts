/** Texts of the bulk account forms (specification A§2, 5, 8). */

export const ALL_MUST_AGREE = 'All forms must agree to the Terms of Service.';
export const PARENT_REQUIRED = 'Parent Organization is required for all forms.';
export const NEW_ORG_NAME_REQUIRED = 'New Organization Name is required for all forms.';
export const ERROR_SAVING_USER = 'Error saving user';
export const ACCOUNTS_CREATED = 'Accounts Created Successfully!';
export const CREATE_ACCOUNTS = 'Create Accounts';
export const LEAVE_ACCOUNTS_QUESTION =
  'Some of these accounts have not been created yet. Their passwords will be lost.';
export const DRAFT_WITHOUT = 'Passwords aren’t kept. Please enter them again.';
export const creatingAccount = (place: number, total: number) => `Creating ${place} of ${total}...`;
/** After a run that created only some of them. */
export const someCreated = (created: number, total: number) =>
  `${created} of ${total} accounts ${created === 1 ? 'was' : 'were'} created. Fix the remaining rows and click “${CREATE_ACCOUNTS}” again.`;

/** The limit of forms per page; more need a file. */
export const MAX_FORMS = 50;
