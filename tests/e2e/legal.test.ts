/** The legal pages have the specification's facts in plain words (P§2.1; rule 42). */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { PHONE, WIDE, expectSound, expectSoundOnBoth, visiting } from '#tests/e2e/public-pages.ts';
import { ADMIN, tokenOf } from '#tests/e2e/signed-in.ts';
import { read } from '#tests/support/site-pages.ts';

const site = useRunningSite();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** Address, heading, and facts that it must contain. */
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
  ['/privacy', 'Privacy Policy', ['Last modified January 1, 2019', /No one under 13/]],
  [
    '/terms-of-use',
    'Terms of Use',
    [/13 or older/, /a parent or guardian acts for you/, /located in the United States/],
  ],
];
const ADDRESSES = PAGES.map(([path]) => path);

describe('a legal page', () => {
  test.each(PAGES)(
    '%s is titled “%s”, contains what it must, works on desktop and phone, and its contents lead to each section',
    async (path, title, words) => {
      await visiting(browser, site.url(path, 'www'), PHONE, async (page) => {
        await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe(title);
        const main = page.getByRole('main');
        const text = (await main.textContent())?.replaceAll(/\s+/g, ' ') ?? '';
        for (const said of words) expect(text).toMatch(said);
        await expect.poll(() => page.title()).toMatch(/Sideline/);
        await expect.poll(() => page.locator('meta[name="description"]').getAttribute('content')).toMatch(/.{30,}/);
        await expect.poll(() => page.locator('link[rel="canonical"]').getAttribute('href')).toBe(site.url(path, 'www'));
        // One of them on a desktop: they share their screen and differ in their text.
        await (path === '/user-agreement' ? expectSoundOnBoth(page) : expectSound(page));

        const links = page.getByRole('navigation', { name: 'On this page' }).getByRole('link');
        const headings = page.getByRole('article').getByRole('heading', { level: 2 });
        await expect.poll(() => links.count()).toBe(await headings.count());
        await links.last().click();
        const isInWindow = () =>
          headings.last().evaluate((heading) => {
            const { top, bottom } = heading.getBoundingClientRect();
            return top >= 0 && bottom <= window.innerHeight;
          });
        await expect.poll(isInWindow).toBe(true);
        expect(new URL(page.url()).hash).not.toBe('');
      });
    },
  );

  test('tells only platform admins that legal pages are a template', async () => {
    const note = 'Template: have a lawyer review before use';
    const admin = await tokenOf(new URL(site.url('/login', 'www')), ADMIN);
    for (const path of ADDRESSES) {
      const address = site.url(path, 'www');
      expect((await read(address, admin)).text, path).toContain(note);
      expect((await read(address)).text, path).not.toContain(note);
    }
    await visiting(browser, site.url('/privacy', 'www'), { ...WIDE, as: ADMIN }, async (page) => {
      await page.getByText(note).waitFor();
      await expectSound(page);
    });
  });
});
