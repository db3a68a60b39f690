/** The address of a new parent organization, and what can be seen to be wrong before its form is sent. */
import {
  NEW_ORG_EMAIL_REQUIRED,
  NEW_ORG_NAME_REQUIRED,
  NEW_ORG_PASSWORD_REQUIRED,
} from '#src/features/office/new-org-words.contract.ts';
import { minimumChars } from '#src/features/sign-in/passwords.contract.ts';
import { hostLabelProblems } from '#src/shared/domain-name.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { slugOf } from '#src/shared/slug.ts';
import { INVALID_EMAIL, isEmail } from '#src/shared/validators.ts';

export type NewOrgValues = {
  name: string;
  /** Key of an upload; empty without a logo. */
  logo_url: string;
  contact_email: string;
  contact_name: string;
  domain_name: string;
  password: string;
};

export const BLANK_ORG: NewOrgValues = {
  name: '',
  logo_url: '',
  contact_email: '',
  contact_name: '',
  domain_name: '',
  password: '',
};

/** The host label that a name becomes on its own: its slug, without dots. */
export function hostLabelOf(name: string): string {
  return slugOf(name).replace(/[.-]+/g, '-').replace(/^-|-$/g, '');
}

/** The contact as a person: the last word is the family name. An organization without a contact lends its own name. */
export function personOf(contactName: string, organizationName: string): { firstName: string; lastName: string } {
  const words = (contactName.trim() || organizationName.trim()).split(/\s+/);
  const lastName = words.length > 1 ? (words.pop() ?? '') : '';
  return { firstName: words.join(' ').slice(0, 100), lastName: lastName.slice(0, 100) };
}

/** By field; empty when it may be sent. */
export function problemsOfNewOrg(values: NewOrgValues, passwordMin: number): FieldErrors {
  const errors: FieldErrors = {};
  const email = values.contact_email.trim();
  const label = values.domain_name.trim();
  if (values.name.trim() === '') errors['name'] = [NEW_ORG_NAME_REQUIRED];
  if (email === '') errors['contact_email'] = [NEW_ORG_EMAIL_REQUIRED];
  else if (!isEmail(email)) errors['contact_email'] = [INVALID_EMAIL];
  if (label !== '' && hostLabelProblems(label).length > 0) errors['domain_name'] = hostLabelProblems(label);
  if (values.password.trim() === '') errors['password'] = [NEW_ORG_PASSWORD_REQUIRED];
  else if (values.password.length < passwordMin) errors['password'] = [minimumChars(passwordMin)];
  return errors;
}

/** What the call takes; what is blank stays away. */
export function newOrgPayload({ password, ...organization }: NewOrgValues) {
  const filled = Object.entries(organization).filter(([, value]) => value.trim() !== '');
  return { organization: Object.fromEntries(filled), password };
}
