/** Every page can be read at 200 % text, at 320 px and on a tablet without sideways scrolling (WCAG 2.2, 1.4.4 and 1.4.10). */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { visiting } from '#tests/e2e/public-pages.ts';
import { galleryAddress, photoIdsOf } from '#tests/support/site-pages.ts';
import { ADMIN, COACH, DIRECTOR, SWIMMER, type User } from '#tests/e2e/signed-in.ts';
import { launchBrowser, untilTrue } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';

const site = useRunningSite();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** Who opens which pages; `GALLERY` means the demo's Spring Cup Final, `PHOTO` for its first photo. */
const PAGES: readonly [who: string, user: User | undefined, label: string, paths: readonly string[]][] = [
  [
    'a stranger, on the platform’s own pages',
    undefined,
    'www',
    [
      '/',
      '/why',
      '/pricing',
      '/support',
      '/contact',
      '/talk-to-expert',
      '/login',
      '/sign-up',
      '/sign-up?plan=premium',
      '/forgot-password',
      '/find-my-order',
      '/privacy',
    ],
  ],
  [
    'a family',
    undefined,
    'lakeside',
    ['/', '/hawks-soccer', 'GALLERY', 'GALLERY/photo/PHOTO', 'GALLERY/photo/PHOTO/hide', '/hawks-soccer/checkout'],
  ],
  [
    'a coach',
    COACH,
    'lakeside',
    [
      '/hawks-soccer/dashboard',
      '/hawks-soccer/report',
      '/hawks-soccer/orders',
      '/hawks-soccer/statements',
      '/hawks-soccer/activity',
      '/hawks-soccer/api-tokens',
      '/hawks-soccer/prices',
      '/hawks-soccer/prices/new?start=passes',
      '/hawks-soccer/prices/codes',
      '/hawks-soccer/create-gallery',
      '/hawks-soccer/settings',
      '/hawks-soccer/takedowns',
      '/hawks-soccer/your-data',
      '/users/me',
      'GALLERY/edit',
    ],
  ],
  ['a club of the free tier', SWIMMER, 'lakeside', ['/tides-swim/dashboard', '/tides-swim/upgrade-account']],
  ['a director', DIRECTOR, 'lakeside', ['/lakeside/report', '/lakeside/settings']],
  [
    'a platform admin',
    ADMIN,
    'www',
    [
      '/admin-report',
      '/admin/audit-log',
      '/admin/erasures',
      '/admin/questions',
      '/admin/promo-codes',
      '/admin/organizations',
      '/new-org',
      '/admin/refunds',
      '/admin/pay-outs',
      '/admin/reconciliation',
      '/admin/version',
      '/admin/health',
      '/admin/health?view=jobs',
    ],
  ],
  [
    'a platform admin who sets up accounts',
    ADMIN,
    'lakeside',
    [
      '/lakeside/bulk-users-csv',
      '/lakeside/bulk-gallery-csv',
      '/lakeside/create-bulk-users',
      '/lakeside/create-bulk-gallery',
      '/lakeside/edit-bulk-users',
    ],
  ],
];

/** Whether it scrolls sideways for good: a page that measures itself adapts later on a busy machine. */
const staysTooWide = (page: Page): Promise<boolean> =>
  untilTrue(page, () => document.documentElement.scrollWidth <= document.documentElement.clientWidth).then(
    () => false,
    () => true,
  );

async function waysItScrolls(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const [width, percent] of [
    [390, 200],
    [1280, 200],
    [320, 100],
    [768, 100],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.evaluate((size) => (document.documentElement.style.fontSize = `${size}%`), percent);
    if (await staysTooWide(page)) found.push(`${new URL(page.url()).pathname} at ${width} px and ${percent} % text`);
  }
  return found;
}

describe('no page scrolls sideways for', () => {
  test.each(PAGES)('%s', async (_who, user, label, paths) => {
    const gallery = await galleryAddress(site.url('/hawks-soccer'), 'Spring Cup Final');
    const [photo] = await photoIdsOf(gallery);
    const addresses = paths.map((path) =>
      path.startsWith('GALLERY')
        ? path.replace('GALLERY', gallery).replace('PHOTO', String(photo))
        : site.url(path, label),
    );
    const found: string[] = [];
    await visiting(
      browser,
      addresses[0] ?? '',
      { viewport: { width: 390, height: 800 }, reducedMotion: 'reduce', ...(user && { as: user }) },
      async (page) => {
        for (const address of addresses) {
          if (page.url() !== address) await page.goto(address);
          found.push(...(await waysItScrolls(page)));
        }
      },
    );
    expect(found).toEqual([]);
  });

  test('a coach who opens the filters of a list, with large text on the smallest phone', async () => {
    const orders = site.url('/hawks-soccer/orders');
    await visiting(browser, orders, { viewport: { width: 320, height: 640 }, as: COACH }, async (page) => {
      await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
      await page.getByRole('button', { name: 'Filters' }).click();
      await page.getByLabel('State').waitFor();
      expect(await staysTooWide(page)).toBe(false);
    });
  });

  test('a coach who selects a photo, with large text on the smallest phone: each action can be read', async () => {
    const editor = `${await galleryAddress(site.url('/hawks-soccer'), 'Spring Cup Final')}/edit`;
    await visiting(browser, editor, { viewport: { width: 320, height: 640 }, as: COACH }, async (page) => {
      await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
      await page
        .getByRole('checkbox', { name: /^Select / })
        .first()
        .check();
      const actions = page.getByRole('region', { name: 'Chosen photos' }).getByRole('button');
      await actions.getByText('Move…').waitFor();
      const cut = await actions.evaluateAll((buttons) =>
        buttons.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map((button) => button.textContent),
      );
      expect(cut).toEqual([]);
    });
  });
});
