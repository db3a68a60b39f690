/**
 * The path of an organization, made from its name (specification A§5): lower case, accents
 * and apostrophes removed, đ to d, words joined by hyphens.
 */
export function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('đ', 'd')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/['’‘`]/g, '')
    .replace(/[^a-z0-9.]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, 63)
    .replace(/[-.]+$/, '');
}

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
]);

/** Whether a label may not be a `domain_name`, because the site answers there. */
export function isReservedLabel(label: string): boolean {
  const lower = label.toLowerCase();
  return RESERVED.has(lower) || lower.startsWith('_') || lower.startsWith('xn--');
}
