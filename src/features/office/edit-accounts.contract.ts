/** Words of Edit Accounts (specification A§2, "Edit Accounts"). */
export const EDIT_ACCOUNTS_TITLE = 'Edit Accounts';
export const SEARCH_ACCOUNTS = 'Search by name, email or ID';
export const DELETE_ACCOUNT = 'Delete';

/** Headings in their order; the last column, Action, sorts nothing. */
export const ACCOUNT_HEADINGS = [
  ['id', 'ID'],
  ['organization', 'Organization'],
  ['first_name', 'First Name'],
  ['last_name', 'Last Name'],
  ['email', 'Email'],
] as const;
