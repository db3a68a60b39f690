/**
 * A browser that forbids cookies and storage: visitors look at photos, fill a cart that lasts as long as the page, and
 * reach the form.
 */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import { PHONE, visiting } from '#tests/e2e/public-pages.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';

const site = useRunningSite();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

/**
 * As Chromium behaves with "Block all cookies": storage throws, and no cookie can be written or read. Cookies of
 * responses are dropped below.
 */
function forbid(): void {
  const refuse = () => {
    throw new DOMException('Access is denied for this document.', 'SecurityError');
  };
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
    Object.defineProperty(window, name, { get: refuse });
  Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set: () => {} });
}

test('a visitor without storage finds a photo and reaches the checkout', async () => {
  // The router's script for scroll positions logs that it has no storage; nothing else does.
  const options = { ...PHONE, allowed: /Access is denied for this document/ };
  await visiting(browser, 'about:blank', options, async (page) => {
    await page.addInitScript(forbid);
    await page.goto(site.url('/hawks-soccer'));
    await page
      .getByRole('link', { name: /Spring Cup Final/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'Spring Cup Final', level: 1 }).waitFor();
    await page.context().clearCookies();
    await page
      .getByRole('link', { name: /Huddle/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Add to Cart' }).click();
    await page.getByRole('button', { name: 'Remove From Cart' }).waitFor();
    await page.getByRole('link', { name: 'Close' }).click();
    await page.context().clearCookies();
    await page.getByRole('link', { name: 'Review & Get' }).click();
    await page.getByLabel('First name').waitFor();
    await page.getByRole('button', { name: /^Get Download \$/ }).waitFor();
  });
});
