/** A row of a CSV of accounts: the account it describes, and the problems of the row. */
import { PASSWORD_MAX_CHARACTERS } from '#src/features/accounts/accounts.contract.ts';
import * as words from '#src/features/bulk-imports/bulk-imports.contract.ts';
import { COLUMNS, type Cells, type Column } from '#src/features/bulk-imports/csv-columns.rules.ts';
import { PASSWORD_TOO_COMMON, type PasswordPolicy } from '#src/features/sign-in/passwords.contract.ts';
import { hasLetterOrDigit, ORG_NAME_MAX } from '#src/features/sign-up/sign-up.contract.ts';
import { domainNameProblems } from '#src/shared/domain-name.ts';
import { slugOf } from '#src/shared/slug.ts';
import { hasVisibleText, isEmail } from '#src/shared/validators.ts';

/** Any number of spaces counts as blank. */
export function passwordOf({ password = '' }: Cells): string | null {
  return password.trim() === '' ? null : password;
}

/** The account that a row describes; without a password its owner is invited to choose one. */
export function accountOf(cells: Cells) {
  const text = (name: Column<'users'>) => cells[name] ?? '';
  return {
    parentName: text('orgname'),
    organizationName: text('newOrgName'),
    // Converted the same way as in the sign-up form.
    path: slugOf(text('customPath')),
    firstName: text('firstName'),
    lastName: text('lastName'),
    email: text('email').toLowerCase(),
    taxId: text('tax_id'),
  };
}

/** Columns whose values are checked in another way. */
type Checked = 'orgname' | 'customPath' | 'email' | 'password';
const LENGTHS: Record<Exclude<Column<'users'>, Checked>, number> = {
  newOrgName: ORG_NAME_MAX,
  firstName: 100,
  lastName: 100,
  tax_id: 20,
};

/** Problems that a row has on its own. */
export function accountProblems(cells: Cells, policy: PasswordPolicy): string[] {
  const isFilled = (name: string) => hasVisibleText(cells[name] ?? '');
  const problems = COLUMNS.users.required.filter((name) => !isFilled(name)).map(words.fieldRequired);
  for (const [name, max] of Object.entries(LENGTHS))
    if ((cells[name] ?? '').length > max) problems.push(words.tooLong(name, max));
  if (isFilled('newOrgName') && !hasLetterOrDigit(cells['newOrgName'] ?? ''))
    problems.push(words.fieldRequired('newOrgName'));
  if (isFilled('customPath'))
    problems.push(...pathProblems(cells['customPath'] ?? '').map((message) => words.ofField('customPath', message)));
  if (isFilled('email') && !isEmail(cells['email'] ?? '')) problems.push(words.INVALID_CSV_EMAIL);
  return [...problems, ...passwordProblems(passwordOf(cells), policy)];
}

/** A text that converts to a valid path is fine; otherwise the message is about the text as written. */
function pathProblems(written: string): string[] {
  const path = slugOf(written);
  return domainNameProblems(path === '' ? written : path);
}

function passwordProblems(password: string | null, policy: PasswordPolicy): string[] {
  if (password === null) return [];
  const minimum = Math.max(words.CSV_PASSWORD_MIN, policy.minimum);
  if (password.length < minimum) return [words.csvPasswordTooShort(minimum)];
  if (password.length > PASSWORD_MAX_CHARACTERS) return [words.tooLong('password', PASSWORD_MAX_CHARACTERS)];
  return policy.isCommon(password) ? [PASSWORD_TOO_COMMON] : [];
}
