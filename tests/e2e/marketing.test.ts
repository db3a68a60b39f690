/** The marketing pages: what the product is, its prices, its rules and its contact. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, scrollsSideways } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { PHONE, WIDE, expectSoundOnBoth, visiting } from '#tests/e2e/public-pages.ts';
import { read } from '#tests/support/site-pages.ts';

const site = useRunningSite();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** Address, heading, and words that it must contain. */
const PAGES: readonly [string, string, readonly (string | RegExp)[]][] = [
  ['/why', 'The pictures are taken. Let them do some good.', ['Where the money goes', '$12.81']],
  ['/support', 'Support', ['Buying photos', 'Running galleries', 'Adding photos']],
  [
    '/pricing',
    'Start free. Pay when there is more to show.',
    ['$0 forever', '$89 per year', 'Keep up to 100% of donations and photo sales, less card fees', 'Compare the plans'],
  ],
  ['/contact', 'Contact Us', ['hello@sideline.localhost']],
  ['/talk-to-expert', 'Talk to an expert', ['Company name', 'Question']],
];
const LEGAL = ['/customerlicense', '/user-agreement', '/privacy', '/terms-of-use'];
const ADDRESSES = ['/', ...PAGES.map(([path]) => path), ...LEGAL];

describe('every marketing page', () => {
  test.each(PAGES)(
    '%s is titled “%s”, contains what it must, and works on desktop and phone',
    async (path, title, words) => {
      await visiting(browser, site.url(path, 'www'), PHONE, async (page) => {
        await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe(title);
        const main = page.getByRole('main');
        for (const said of words)
          await expect.poll(() => main.getByText(said).count(), { message: String(said) }).toBeGreaterThan(0);
        await expect.poll(() => page.title()).toMatch(/Sideline/);
        await expect.poll(() => page.locator('meta[name="description"]').getAttribute('content')).toMatch(/.{30,}/);
        await expect.poll(() => page.locator('link[rel="canonical"]').getAttribute('href')).toBe(site.url(path, 'www'));
        const card = (await page.locator('meta[property="og:image"]').getAttribute('content')) ?? '';
        expect((await read(card)).status, card).toBe(200);
        await expectSoundOnBoth(page);
      });
    },
  );

  test('fits a phone of 320 pixels, also in dark mode', async () => {
    const narrow = { ...PHONE, viewport: { width: 320, height: 640 }, colorScheme: 'dark' as const };
    await visiting(browser, site.url('/why', 'www'), narrow, async (page) => {
      for (const path of ADDRESSES) {
        await page.goto(site.url(path, 'www'));
        expect(await scrollsSideways(page), path).toBe(false);
      }
    });
  });

  test.each(['www', 'lakeside'])('links only to pages that exist, on the host of %s', async (label) => {
    const seen = new Map<string, number>();
    for (const path of ADDRESSES) {
      const { status, text } = await read(site.url(path, label));
      expect(status, path).toBe(200);
      const ids = new Set([...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id));
      for (const [, href = ''] of text.matchAll(/<a\b[^>]*\shref="([^"]+)"/g)) {
        const target = new URL(href.replaceAll('&amp;', '&'), site.url(path, label));
        if (href.startsWith('#')) expect(ids, `${path} leads to ${href}`).toContain(href.slice(1));
        const isOurs = target.protocol === 'http:' && target.hostname.endsWith('sideline.localhost');
        const address = target.origin + target.pathname;
        if (isOurs && !seen.has(address)) seen.set(address, (await read(address)).status);
      }
    }
    expect(seen.size).toBeGreaterThan(10);
    expect([...seen].filter(([, status]) => status !== 200)).toEqual([]);
  });

  test('can be read without JavaScript', async () => {
    const { text } = await read(site.url('/pricing', 'www'));
    for (const said of ['What does it cost to start?', 'asks for no card', 'Photos per gallery'])
      expect(text).toContain(said);
  });
});

describe('the pricing page', () => {
  test('does not break the names of plans and features on a phone, also at twice the text size', async () => {
    await visiting(browser, site.url('/pricing', 'www'), PHONE, async (page) => {
      const lines = await page
        .getByRole('table')
        .getByRole('columnheader')
        .evaluateAll((all) =>
          all.map((one) => {
            const text = document.createRange();
            text.selectNodeContents(one);
            return text.getClientRects().length;
          }),
        );
      expect(lines).toEqual([1, 1, 1, 1]);
      await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
      const feature = page.getByRole('rowheader', { name: 'Search by keyword' });
      expect((await feature.boundingBox())?.width).toBeGreaterThan(300);
      expect(await scrollsSideways(page)).toBe(false);
    });
  });

  test('opens its answers by keyboard and leads from “Let’s chat” to Contact Us', async () => {
    await visiting(browser, site.url('/pricing', 'www'), WIDE, async (page) => {
      const answer = page.getByText('asks for no card');
      await expect.poll(() => answer.isVisible()).toBe(false);
      await page.getByText('What does it cost to start?').focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => answer.isVisible()).toBe(true);
      const row = page.getByRole('row', { name: /Photos per gallery/ });
      await expect.poll(() => row.getByRole('cell').allInnerTexts()).toEqual(['500', 'Unlimited', 'Unlimited']);
      await page.getByRole('link', { name: "Let's chat" }).last().click();
      await page.getByRole('heading', { level: 1, name: 'Contact Us' }).waitFor();
    });
  });
});

describe('the home of an organization', () => {
  test('names it, shows its banner and leads to Sign Up', async () => {
    await visiting(browser, site.url('/'), WIDE, async (page) => {
      await page.getByText('Every picture you buy supports the teams of Lakeside Youth Sports.').waitFor();
      await expect
        .poll(() => page.getByRole('main').getByRole('link', { name: 'Sign Up' }).getAttribute('href'))
        .toBe('/sign-up');
      const banner = page.getByRole('main').locator('header img').first();
      await expect.poll(() => banner.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(600);
    });
  });
});

describe('the footers', () => {
  test('of the site’s own pages have social links, Privacy, Terms of Use and Contact Us', async () => {
    await visiting(browser, site.url('/', 'www'), WIDE, async (page) => {
      const footer = page.getByRole('contentinfo');
      for (const [name, path] of [
        ['Privacy', '/privacy'],
        ['Terms of Use', '/terms-of-use'],
        ['Contact Us', '/contact'],
      ] as const)
        await expect.poll(() => footer.getByRole('link', { name, exact: true }).getAttribute('href')).toBe(path);
      const share = footer.getByRole('navigation', { name: 'Share this site' });
      await expect.poll(() => share.getByRole('link').count()).toBe(3);
    });
  });

  test('of a club’s pages lead to the product and to a contact', async () => {
    await visiting(browser, site.url('/hawks-soccer'), WIDE, async (page) => {
      const footer = page.getByRole('contentinfo');
      await expect.poll(() => footer.innerText()).toContain('Powered by Sideline');
      await expect
        .poll(() => footer.getByRole('link', { name: 'Sideline' }).getAttribute('href'))
        .toBe(site.url('/', 'www'));
      await expect.poll(() => footer.locator('a[href^="mailto:"]').innerText()).toBe('director@lakeside.test');
    });
  });
});
