/** The bulk account forms as plain data: input, problems, and payload (specification A§3, 5, 7, 8). */
import type { PasswordPolicy } from '#src/features/sign-in/passwords.contract.ts';
import { ACCOUNT_TAKEN, firstStep, zipText } from '#src/features/sign-up/sign-up.contract.ts';
import * as words from '#src/features/bulk-accounts/bulk-accounts.contract.ts';
import {
  organizationChoice,
  type OrganizationChoice,
} from '#src/features/organization-picker/organization-choices.contract.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { slugOf } from '#src/shared/slug.ts';
import { errorsOf, REQUIRED } from '#src/shared/validators.ts';
import { readFormDrafts, writeFormDrafts } from '#src/shared/form-drafts.ts';

export type AccountForm = ReturnType<typeof blankForm>;
export type AccountValues = Omit<AccountForm, 'key'>;

/** Fields in the order of their problems, with their labels. */
export const FIELD_LABELS = {
  parent: 'Parent Organization',
  newOrgName: 'New Organization Name',
  customPath: 'Custom path',
  firstName: 'First name',
  lastName: 'Last name',
  email: 'Email',
  password: 'Password',
  zip: 'Zip',
  agreeToTerms: 'Terms of Service',
} as const;

/**
 * Card fields are left out: these accounts are on the free tier (rule 23). The key identifies the form permanently,
 * also for the server, so that sending it again creates nothing twice.
 */
export function blankForm(key: string, parent: OrganizationChoice | null) {
  return {
    key,
    parent,
    newOrgName: '',
    customPath: '',
    /** The path was typed, so it no longer follows the name. */
    isPathByHand: false,
    firstName: '',
    lastName: '',
    email: '',
    password: '',
    zip: '',
    agreeToTerms: false,
  };
}

/** Whether it has any input. */
export function hasInput(form: AccountForm): boolean {
  const { newOrgName, customPath, firstName, lastName, email, password, zip, agreeToTerms } = form;
  return (
    agreeToTerms || [newOrgName, customPath, firstName, lastName, email, password, zip].some((text) => text !== '')
  );
}

/** The form with some fields changed; the path follows the name until someone types it. */
export function changed(form: AccountForm, change: Partial<AccountValues>): AccountForm {
  const next = { ...form, ...change };
  if (change.customPath !== undefined) next.isPathByHand = change.customPath !== '';
  if (change.newOrgName !== undefined && !next.isPathByHand) next.customPath = slugOf(change.newOrgName);
  return next;
}

/** Names of the sign-up call's fields that differ in this form. */
const FORM_FIELDS: Record<string, keyof typeof FIELD_LABELS> = {
  first_name: 'firstName',
  last_name: 'lastName',
  org_name: 'newOrgName',
  affiliateOrg: 'newOrgName',
  affiliate_name: 'customPath',
  affiliateName: 'customPath',
  domain_name: 'customPath',
  org: 'parent',
};
const formField = (name: string) => FORM_FIELDS[name] ?? name;

/** Problems of one form by field; every field is required (specification A§5). The server knows the common passwords. */
export function problemsOf(form: AccountForm, passwordMin: number): FieldErrors {
  const policy: PasswordPolicy = { minimum: passwordMin, isCommon: () => false };
  const errors: FieldErrors = {};
  const add = (field: string, message: string) => {
    const messages = (errors[field] ??= []);
    if (!messages.includes(message)) messages.push(message);
  };
  const typed = {
    first_name: form.firstName,
    last_name: form.lastName,
    email: form.email,
    password: form.password,
    org_name: form.newOrgName,
    affiliate_name: form.customPath,
  };
  if (form.parent === null) add('parent', REQUIRED);
  for (const [field, messages] of Object.entries(errorsOf(firstStep(policy).safeParse(typed).error)))
    for (const message of messages) add(formField(field), message);
  if (form.zip.trim() === '') add('zip', REQUIRED);
  for (const issue of zipText.safeParse(form.zip).error?.issues ?? []) add('zip', issue.message);
  if (!form.agreeToTerms) add('agreeToTerms', REQUIRED);
  return errors;
}

/** Messages about all forms together, in the specification's words (A§5). */
export function sharedProblems(forms: readonly AccountForm[]): string[] {
  return [
    ...(forms.every(({ agreeToTerms }) => agreeToTerms) ? [] : [words.ALL_MUST_AGREE]),
    ...(forms.every(({ parent }) => parent !== null) ? [] : [words.PARENT_REQUIRED]),
    ...(forms.every(({ newOrgName }) => newOrgName.trim() !== '') ? [] : [words.NEW_ORG_NAME_REQUIRED]),
  ];
}

/** If empty, reported for all forms together and not again for each. */
const SHARED: readonly string[] = ['parent', 'newOrgName', 'agreeToTerms'];

/**
 * The problems of one form for the list above all forms: empty fields in one line, everything else by field. `place`
 * counts from 1; null if there is only one form.
 */
export function problemLines(errors: FieldErrors, place: number | null): string[] {
  const fields = Object.entries(FIELD_LABELS).map(([field, label]) => ({
    field,
    label,
    messages: errors[field] ?? [],
  }));
  const empty = fields.filter(({ field, messages }) => messages.includes(REQUIRED) && !SHARED.includes(field));
  const lines = [
    ...(empty.length === 0 ? [] : [`${empty.map(({ label }) => label).join(', ')}: ${REQUIRED}`]),
    ...fields.flatMap(({ label, messages }) =>
      messages.filter((message) => message !== REQUIRED).map((message) => `${label}: ${message}`),
    ),
  ];
  return lines.map((line) => numbered(line, place));
}

export function numbered(message: string, place: number | null): string {
  return place === null ? message : `Account ${place}: ${message}`;
}

/** The body of `POST /signup/`: free tier, created for someone else. */
export function payloadOf(form: AccountForm) {
  const { parent } = form;
  return {
    user: {
      first_name: form.firstName,
      last_name: form.lastName,
      email: form.email,
      password: form.password,
      zip: form.zip,
    },
    affiliateInfo: { affiliateOrg: form.newOrgName, affiliateName: form.customPath, domain_name: form.customPath },
    promoCode: '',
    org: parent && {
      id: parent.id,
      name: parent.name,
      domain_name: parent.domain_name,
      parent_org: parent.parent_organization_id,
    },
    freeTier: true,
    bulk_upload: true,
    agreeToTerms: form.agreeToTerms,
    client_key: form.key,
  };
}

type Refusal = { status: number; error: string; errors: FieldErrors; body: Record<string, unknown> };

/** Prefixes that a sign-up library puts before the actual message. */
const RECORD_INVALID = /^\s*(?:(?:#<)?(?:ActiveRecord::)?Record\s?Invalid:?\s*|Validation failed:\s*)+/i;

/** The exception's message without technical prefixes. */
export function cleanedException(text: string): string {
  const inner = text.trimStart().startsWith('#<') ? text.replace(/>\s*$/, '') : text;
  return inner.replace(RECORD_INVALID, '').trim();
}

/**
 * Why an account was not created (specification A§8): the exception's message, or each field's as "{field} {message}",
 * or that it is taken; anything else is "Error saving user" with the reason.
 */
export function refusalOf({ status, error, errors, body }: Refusal): { errors: FieldErrors; messages: string[] } {
  const exception = typeof body['exception'] === 'string' ? cleanedException(body['exception']) : '';
  if (exception !== '') return { errors: {}, messages: [exception] };
  const fields = Object.entries(errors).filter(([, messages]) => messages.length > 0);
  if (fields.length > 0)
    return {
      errors: byFormField(errors),
      messages: [...new Set(fields.flatMap(([field, all]) => all.map((message) => `${field} ${message}`)))],
    };
  if (status === 422) return { errors: {}, messages: [error === '' ? ACCOUNT_TAKEN : error] };
  return { errors: {}, messages: [words.ERROR_SAVING_USER, ...(error === '' ? [] : [error])] };
}

/** The server's problems by the form's own fields. */
function byFormField(errors: FieldErrors): FieldErrors {
  const atForm: FieldErrors = {};
  for (const [field, messages] of Object.entries(errors)) {
    const name = formField(field.replace(/^.*\./, ''));
    atForm[name] = [...new Set([...(atForm[name] ?? []), ...messages])];
  }
  return atForm;
}

/** Whether the next form would fail the same way: offline, no session, no permission. */
export function stopsTheRun({ status }: { status: number }): boolean {
  return status === 0 || status === 401 || status === 403;
}

/** Null if there is nothing worth keeping. */
export function draftOf(userId: number, forms: readonly AccountForm[]): string | null {
  if (!forms.some(hasInput)) return null;
  const withoutPasswords = forms.map((form) => ({ ...form, password: '' }));
  return writeFormDrafts(userId, withoutPasswords);
}

const TEXTS = ['newOrgName', 'customPath', 'firstName', 'lastName', 'email', 'zip'] as const;

/** The forms of this user; null for anything else in the storage. */
export function readDraft(text: string | null, userId: number): AccountForm[] | null {
  return readFormDrafts(text, { userId, atMost: words.MAX_FORMS, readForm });
}

function readForm(value: Record<string, unknown>): AccountForm | null {
  if (typeof value['key'] !== 'string') return null;
  const parent = organizationChoice.safeParse(value['parent']);
  const form = blankForm(value['key'], parent.success ? parent.data : null);
  for (const name of TEXTS) {
    const typed = value[name];
    if (typeof typed === 'string') form[name] = typed;
  }
  form.isPathByHand = value['isPathByHand'] === true;
  form.agreeToTerms = value['agreeToTerms'] === true;
  return form;
}
