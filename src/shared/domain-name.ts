/** What may be the path or host label of an organization (specification P§5; rule 14; bad inputs 40-42). */
import { isReservedLabel } from '#src/shared/slug.ts';

export const ONLY_NUMBERS_AND_LETTERS = 'Only Numbers and Letters';
export const NOT_WWW = 'WWW is not a valid choice';
export const ADDRESS_NOT_AVAILABLE = 'This address is not available.';
/** Parents live on hosts of their own, and a host's label has no dots. */
export const HOST_LABEL_ONLY = 'Use letters, digits and hyphens only.';
export const DOMAIN_NAME_MAX = 63;

/** Begins and ends with a letter or digit, and never two dots in a row. */
const LABEL = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/;

/** Every problem of a filled domain name, in the contract's words; empty when it may be used. */
export function domainNameProblems(value: string): string[] {
  const name = value.trim().toLowerCase();
  const problems = [
    ...(/^[a-z0-9.-]*$/.test(name) ? [] : [ONLY_NUMBERS_AND_LETTERS]),
    ...(name.includes('www') ? [NOT_WWW] : []),
  ];
  if (problems.length > 0) return problems;
  const isFine = LABEL.test(name) && !name.includes('..') && name.length <= DOMAIN_NAME_MAX && !isReservedLabel(name);
  return isFine ? [] : [ADDRESS_NOT_AVAILABLE];
}

/** The same for a parent, whose domain name is a host's label. */
export function hostLabelProblems(value: string): string[] {
  const name = value.trim().toLowerCase();
  const problems = domainNameProblems(name);
  if (problems.length > 0) return problems;
  if (name.includes('.')) return [HOST_LABEL_ONLY];
  // What looks like a number is read as an id by `GET /api/v1/organizations/{id}`.
  return /^\d+$/.test(name) ? [ADDRESS_NOT_AVAILABLE] : [];
}
