/** The address of a new parent organization, and the problems found before its form is sent. */
import { newOrganizationBody } from '#src/features/office/new-org.contract.ts';
import { bareErrors } from '#src/shared/form-errors.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { slugOf } from '#src/shared/slug.ts';
import { errorsOf } from '#src/shared/validators.ts';

export type NewOrgValues = typeof BLANK_ORG;

export const BLANK_ORG = {
  name: '',
  /** Key of an upload; empty without a logo. */
  logo_url: '',
  contact_email: '',
  contact_name: '',
  domain_name: '',
  password: '',
};

/** The host label made from a name: its slug, without dots. */
export function suggestedHostLabel(name: string): string {
  return slugOf(name).replace(/[.-]+/g, '-').replace(/^-|-$/g, '');
}

/** The contact's names: the last word is the last name. Without a contact, the organization's name is used. */
export function personOf(contactName: string, organizationName: string): { firstName: string; lastName: string } {
  const words = (contactName.trim() || organizationName.trim()).split(/\s+/);
  const lastName = words.length > 1 ? (words.pop() ?? '') : '';
  return { firstName: words.join(' ').slice(0, 100), lastName: lastName.slice(0, 100) };
}

/** By field; empty if it may be sent. The server knows the common passwords. */
export function problemsOfNewOrg(values: NewOrgValues, passwordMin: number): FieldErrors {
  const body = newOrganizationBody({ minimum: passwordMin, isCommon: () => false });
  return bareErrors(errorsOf(body.safeParse(newOrgPayload(values)).error));
}

/** The body of the call; blank fields are left out. */
export function newOrgPayload({ password, ...organization }: NewOrgValues) {
  const filled = Object.entries(organization).filter(([, value]) => value.trim() !== '');
  return { organization: Object.fromEntries(filled), password };
}
