/** Valid paths and host labels of organizations (specification P§5; rule 14; bad inputs 40-42). */

export const ONLY_NUMBERS_AND_LETTERS = 'Only Numbers and Letters';
export const NOT_WWW = 'WWW is not a valid choice';
export const ADDRESS_NOT_AVAILABLE = 'This address is not available.';
/** Parents live on hosts of their own, and a host's label has no dots. */
const HOST_LABEL_INVALID = 'Use letters, digits and hyphens only.';
const DOMAIN_NAME_MAX = 63;

/** Begins and ends with a letter or digit, and never two dots in a row. */
const LABEL = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/;

/** First path labels that belong to the site itself (rule 14). */
const RESERVED = new Set([
  'www',
  'staging',
  'test',
  'localhost',
  'admin',
  'api',
  'assets',
  'storage',
  'sandbox',
  'healthz',
  'readyz',
  'metrics',
  'why',
  'support',
  'customerlicense',
  'user-agreement',
  'privacy',
  'terms-of-use',
  'pricing',
  'contact',
  'talk-to-expert',
  'login',
  'forgot-password',
  'update-password',
  'choose-password',
  'confirm-email',
  'change-email',
  'logout',
  'sign-up',
  'signup',
  'password',
  'users',
  '404',
  '503',
  'contributor',
  'new-org',
  'admin-report',
  'robots.txt',
  'sitemap.xml',
  'sitemap-pages.xml',
  'sitemap-galleries.xml',
  'favicon.ico',
  'find-my-order',
  'w',
]);

/** Whether a label is reserved as a `domain_name`, because the site answers there. */
export function isReservedLabel(label: string): boolean {
  const lower = label.toLowerCase();
  return RESERVED.has(lower) || lower.startsWith('_') || lower.startsWith('xn--');
}

/** Every problem of a non-empty domain name, in the contract's words; empty if it is valid. */
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
  if (name.includes('.')) return [HOST_LABEL_INVALID];
  // A number would be read as an id by `GET /api/v1/organizations/{id}`.
  return /^\d+$/.test(name) ? [ADDRESS_NOT_AVAILABLE] : [];
}
