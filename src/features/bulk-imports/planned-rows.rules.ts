/** What an import will do with each row, once everything was looked up. */
import { COLUMNS, type Cells } from '#src/features/bulk-imports/csv-columns.rules.ts';
import { hasLetterOrDigit, ORG_NAME_MAX } from '#src/features/sign-up/sign-up.contract.ts';
import { PASSWORD_MAX_CHARACTERS } from '#src/features/accounts/accounts.contract.ts';
import { PASSWORD_TOO_COMMON, type PasswordPolicy } from '#src/features/sign-in/passwords.contract.ts';
import * as words from '#src/features/bulk-imports/bulk-imports.contract.ts';
import { domainNameProblems } from '#src/shared/domain-name.ts';
import { slugOf } from '#src/shared/slug.ts';
import { hasVisibleText, isEmail } from '#src/shared/validators.ts';

export type PlannedRow = {
  row: number;
  /** `created` is still to be done. */
  result: 'created' | 'skipped' | 'failed';
  messages: string[];
  /** Without the password. */
  cells: Cells;
  password: string | null;
  /** Recognizes the row in a later file. */
  mac: Buffer;
  organizationId: number | null;
  /** What an earlier import made of it. */
  made: { madeId: number; madeUserId: number | null } | null;
};

/** What an earlier import made of a row, by the row's mark. */
export type MadeRows = ReadonlyMap<string, { madeId: number; madeUserId: number | null }>;

/** Rows to be made that say exactly what a row before them says. */
export function equalRowsOf(planned: readonly PlannedRow[]): number[] {
  const seen = new Set<string>();
  const equal: number[] = [];
  for (const { row, result, cells, password } of planned) {
    if (result === 'failed') continue;
    const text = JSON.stringify([cells, password]);
    if (result === 'created' && seen.has(text)) equal.push(row);
    seen.add(text);
  }
  return equal;
}

export function withoutPassword({ password: _password, ...cells }: Cells): Cells {
  return cells;
}

/** Blank is blank, however many spaces it has. */
export const passwordOf = (cells: Cells): string | null =>
  (cells['password'] ?? '').trim() === '' ? null : (cells['password'] ?? '');

/** An account that a row asks for; without a password its owner is invited to choose one. */
export function accountOf(cells: Cells) {
  const text = (name: string) => cells[name] ?? '';
  return {
    parentName: text('orgname'),
    organizationName: text('newOrgName'),
    // As the sign-up form makes a path of what is typed.
    path: slugOf(text('customPath')),
    firstName: text('firstName'),
    lastName: text('lastName'),
    email: text('email').toLowerCase(),
    taxId: text('tax_id'),
  };
}

const LENGTHS: Record<string, number> = { newOrgName: ORG_NAME_MAX, firstName: 100, lastName: 100, tax_id: 20 };

/** What is wrong with a row on its own. */
export function accountProblems(cells: Cells, policy: PasswordPolicy): string[] {
  const isFilled = (name: string) => hasVisibleText(cells[name] ?? '');
  const problems = COLUMNS.users.required.filter((name) => !isFilled(name)).map(words.isRequired);
  for (const [name, max] of Object.entries(LENGTHS))
    if ((cells[name] ?? '').length > max) problems.push(words.tooLong(name, max));
  if (isFilled('newOrgName') && !hasLetterOrDigit(cells['newOrgName'] ?? ''))
    problems.push(words.isRequired('newOrgName'));
  if (isFilled('customPath'))
    problems.push(...pathProblems(cells['customPath'] ?? '').map((message) => words.ofField('customPath', message)));
  if (isFilled('email') && !isEmail(cells['email'] ?? '')) problems.push(words.INVALID_CSV_EMAIL);
  return [...problems, ...passwordProblems(passwordOf(cells), policy)];
}

/** What becomes a good path on its own is right; of what does not, the sentence is about what was written. */
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
