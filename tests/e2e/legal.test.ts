/** The legal pages carry the specification's facts in plain words (P§2.1; decision 42). */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { BOTH, DESK, expectSound, visiting } from '#tests/e2e/public-pages.ts';

const site = useRunningSite();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** Address, heading, and facts that must stand on it. */
const PAGES: readonly [string, string, readonly (string | RegExp)[]][] = [
  [
    '/customerlicense',
    'Customer License',
    [
      'The license fee',
      /After payment you download the full photo with the watermark removed/,
      'Permitted uses',
      /personal, non-commercial use/,
    ],
  ],
  [
    '/user-agreement',
    'User and Contributor Agreement',
    [
      'Effective January 1, 2019',
      'Storage allotment',
      /platform fee is taken from the license fee/,
      /within 30 days/,
      /capped at two times the amounts paid/,
      /law of the State of Colorado/,
      'Anyone with the invite link can upload',
    ],
  ],
  ['/privacy', 'Privacy Policy', ['Last modified January 1, 2019', /Nobody under 13/]],
  [
    '/terms-of-use',
    'Terms of Use',
    [/13 or older/, /a parent or guardian acts for you/, /located in the United States/],
  ],
];
const ADDRESSES = PAGES.map(([path]) => path);

describe('a legal page', () => {
  test.each(PAGES)(
    '%s is called “%s”, says what it must, and is sound on desk and phone',
    async (path, title, words) => {
      for (const [, options] of BOTH)
        await visiting(browser, site.url(path, 'www'), options, async (page) => {
          expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(title);
          const main = page.getByRole('main');
          for (const said of words)
            await expect.poll(() => main.getByText(said).count(), { message: String(said) }).toBeGreaterThan(0);
          expect(await page.title()).toMatch(/Sideline/);
          expect(await page.locator('meta[name="description"]').getAttribute('content')).toMatch(/.{30,}/);
          expect(await page.locator('link[rel="canonical"]').getAttribute('href')).toBe(site.url(path, 'www'));
          await expectSound(page);
        });
    },
  );

  test.each(ADDRESSES)('%s has a table of contents that leads to each section', async (path) => {
    await visiting(browser, site.url(path, 'www'), DESK, async (page) => {
      const links = page.getByRole('navigation', { name: 'On this page' }).getByRole('link');
      expect(await links.count()).toBe(await page.getByRole('article').getByRole('heading', { level: 2 }).count());
      await links.last().click();
      await expect
        .poll(() => page.getByRole('article').getByRole('heading', { level: 2 }).last().isVisible())
        .toBe(true);
      expect(new URL(page.url()).hash).not.toBe('');
      expect(await page.getByText('Template: have a lawyer review before use').count()).toBe(0);
    });
  });

  test('tells platform admins alone that legal pages are a template', async () => {
    const note = 'Template: have a lawyer review before use';
    await visiting(browser, site.url('/login', 'www'), DESK, async (page) => {
      await page.getByLabel('Email').fill('admin@sideline.test');
      await page.getByLabel('Password').fill('sideline-demo');
      await page.getByRole('button', { name: 'Login' }).click();
      await page.waitForURL((address) => address.pathname !== '/login');
      for (const path of ADDRESSES) {
        await page.goto(site.url(path, 'www'));
        await page.getByText(note).waitFor();
      }
      await expectSound(page);
    });
  });
});
