/**
 * Ways to unlock a gallery other than typing its password into a page with JavaScript: a form, an owner's link, a phone
 * without JavaScript.
 */
import { get } from 'node:http';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { WIDE, PHONE, expectSound, visiting } from '#tests/e2e/public-pages.ts';
import { callSite } from '#tests/e2e/shopping.ts';
import { COACH, tokenOf } from '#tests/e2e/signed-in.ts';
import { galleryAddress, photoIdsOf, read } from '#tests/support/site-pages.ts';

const site = useRunningSite();
let browser: Browser;
let cup: string;
let portraits: string;
beforeAll(async () => {
  browser = await launchBrowser();
  const home = site.url('/hawks-soccer');
  [cup, portraits] = await Promise.all([
    galleryAddress(home, 'Spring Cup Final'),
    galleryAddress(home, 'Team Portraits'),
  ]);
});
afterAll(() => browser?.close());

const tiles = (page: Page) => page.getByRole('list', { name: 'Photos' }).locator('> .photo-tile');

/** Where a link of ours redirects to. */
const leadsTo = ({ host, port, pathname }: URL): Promise<[number | undefined, string | undefined]> =>
  new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: pathname, headers: { host } }, (answer) => {
      answer.resume();
      resolve([answer.statusCode, answer.headers.location]);
    }).on('error', reject);
  });

/** A browser without JavaScript. */
async function reading(address: string, options: BrowserContextOptions, work: (page: Page) => Promise<void>) {
  const context = await browser.newContext({ ...options, javaScriptEnabled: false });
  try {
    const page = await context.newPage();
    await page.goto(address);
    await work(page);
  } finally {
    await context.close();
  }
}

describe('without JavaScript', () => {
  test('a gallery can be viewed, page by page and photo by photo', async () => {
    const ids = await photoIdsOf(cup);
    await reading(cup, PHONE, async (page) => {
      await expect.poll(() => tiles(page).count()).toBe(10);
      await page.getByText('Photos by Rosa Delgado').waitFor();
      await page.getByRole('link', { name: 'Show more' }).click();
      await page.waitForURL(/after=/);
      const link = await tiles(page).first().getByRole('link').getAttribute('href');
      expect(link).toContain(`/photo/${ids[10]}`);
      await page.goto(new URL(`${cup}/photo/${ids[0]}`).href);
      await page.getByText(`1 / ${ids.length}`).waitFor();
      await page.getByRole('link', { name: 'Next photo' }).click();
      await page.getByText(`2 / ${ids.length}`).waitFor();
      await page.getByRole('link', { name: 'Close' }).click();
      await page.waitForURL(/photoIndex=1$/);
      await expect.poll(() => tiles(page).count()).toBe(10);
    });
  });

  test('a search works as a form', async () => {
    await reading(cup, PHONE, async (page) => {
      const search = page.getByRole('searchbox', { name: 'Search photos by keyword' });
      await search.fill('goal');
      await search.press('Enter');
      await page.waitForURL(/search=goal/);
      await expect.poll(() => tiles(page).count()).toBeGreaterThan(0);
    });
  });

  test('the password form accepts only the right password, and the gallery stays open', async () => {
    await reading(`${portraits}?publicView=true`, PHONE, async (page) => {
      const open = page.getByRole('button', { name: 'Open gallery' });
      await open.click();
      await page.getByText('Password is required.').first().waitFor();
      await page.getByLabel('Password').fill('striker');
      await open.click();
      await page.getByText('That password is not correct.').first().waitFor();
      await page.getByLabel('Password').fill('goalkeeper');
      await open.click();
      await tiles(page).first().waitFor();
      expect(new URL(page.url()).search).toBe('?publicView=true');
      await page.goto(portraits);
      await tiles(page).first().waitFor();
    });
  });
});

describe('an unlock link', () => {
  /** The key as the gallery's owner sees it. */
  async function keyOfOwner(): Promise<string> {
    const token = await tokenOf(new URL(site.url('/login')), COACH);
    const path = `/api/v1/galleries/${portraits.split('/').at(-1)}/full`;
    const { body } = await callSite<{ unlock_key: string }[]>(site, 'GET', path, { token });
    const key = body[0]?.unlock_key ?? '';
    return key;
  }

  test('unlocks the gallery for the whole visit, and is removed from the address', async () => {
    const key = await keyOfOwner();
    expect(key).toMatch(/^[\w-]{43}$/);
    await visiting(browser, `${portraits}?publicView=true&key=${key}`, PHONE, async (page) => {
      await tiles(page).first().waitFor();
      expect(new URL(page.url()).search).toBe('?publicView=true');
      await page.goto(portraits);
      await tiles(page).first().waitFor();
      // Nothing is left to unlock: the key is only removed.
      await page.goto(`${portraits}?key=${key}`);
      await tiles(page).first().waitFor();
      expect(new URL(page.url()).search).toBe('');
    });
    await reading(`${portraits}?key=${key}`, PHONE, async (page) => {
      await tiles(page).first().waitFor();
    });
  });

  test('that is old leads to the password form, which says so', async () => {
    await visiting(browser, `${portraits}?key=made-up`, PHONE, async (page) => {
      await page.getByText('Password required to view this Gallery.').waitFor();
      await page.getByText('This link no longer opens the gallery.').first().waitFor();
      expect(page.url()).not.toContain('made-up');
      await expectSound(page);
      await page.getByLabel('Password').fill('goalkeeper');
      await page.getByRole('button', { name: 'Open gallery' }).tap();
      await tiles(page).first().waitFor();
    });
  });
});

describe('a photo found by a search', () => {
  test('leads to the next and previous photos found', async () => {
    await visiting(browser, cup, WIDE, async (page) => {
      await page.getByRole('searchbox', { name: 'Search photos by keyword' }).fill('goal');
      await page.getByText(/^\d+ photos? with “goal”$/).waitFor();
      const path = `/api/v1/galleries/${cup.split('/').at(-1)}/gallery_photos?keyword=goal&limit=100`;
      const { text } = await read(new URL(path, cup));
      const ids = (JSON.parse(text) as { photos: { id: number }[] }).photos.map(({ id }) => id);
      expect(ids.length).toBeGreaterThan(1);
      await tiles(page).first().locator('> a').click();
      await page.getByText(`1 / ${ids.length}`).waitFor();
      await page.keyboard.press('ArrowLeft');
      await page.getByText(`${ids.length} / ${ids.length}`).waitFor();
      await page.waitForURL(new RegExp(`/photo/${ids.at(-1)}\\?search=goal`));
      await page.keyboard.press('ArrowRight');
      await page.getByText(`1 / ${ids.length}`).waitFor();
      await page.keyboard.press('ArrowRight');
      await page.getByText(`2 / ${ids.length}`).waitFor();
      await page.waitForURL(new RegExp(`/photo/${ids[1]}\\?search=goal`));
      await page.keyboard.press('Escape');
      await page.getByText(`${ids.length} photos with “goal”`).waitFor();
      expect(new URL(page.url()).searchParams.get('search')).toBe('goal');
    });
  });
});

describe('the row of numbers and names', () => {
  test('does not move a visible chip, and can be skipped by keyboard', async () => {
    const cup = await galleryAddress(site.url('/hawks-soccer'), 'Spring Cup Final');
    await visiting(browser, cup, WIDE, async (page) => {
      const eight = page.getByRole('link', { name: /^8 ?, photos: \d+$/ });
      const before = (await eight.boundingBox())?.x;
      await eight.click();
      await page.getByText(/photos with “8”/).waitFor();
      expect((await eight.boundingBox())?.x).toBe(before);
      await eight.click();
      await expect.poll(() => page.url()).not.toContain('search=');
      await page.getByRole('button', { name: 'Clear search' }).waitFor({ state: 'detached' });

      await page.getByRole('searchbox').focus();
      await page.keyboard.press('Tab');
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the photos');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      await expect.poll(() => page.evaluate(() => document.activeElement?.closest('.photo-tile')?.id)).toBe('photo-0');
    });
  });
});

describe('a sponsor’s banner', () => {
  const hawks = async (): Promise<{ slot: string; impressions: number; clicks: number }[]> => {
    const token = await tokenOf(new URL(site.url('/login')), COACH);
    const club = await callSite<{ id: number }[]>(site, 'GET', '/api/v1/affiliates/hawks-soccer');
    const path = `/api/v1/organizations/${club.body[0]?.id}/sponsors`;
    const { body: rows } = await callSite<{ slot: string; impressions: number; clicks: number }[]>(site, 'GET', path, {
      token,
    });
    return rows;
  };
  const seen = (rows: Awaited<ReturnType<typeof hawks>>, slot: string) =>
    rows.find((row) => row.slot === slot)?.impressions ?? 0;

  test.each([
    ['on a desktop', WIDE, 'tablet', { width: 728, height: 90 }],
    ['on a phone', PHONE, 'mobile', { width: 300, height: 250 }],
  ] as const)(
    'has its size, is counted once for each view, and leads to its link %s',
    async (_where, options, slot, size) => {
      const before = await hawks();
      // A headless browser identifies itself as a robot, and robots are not counted.
      const userAgent =
        'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36';
      await visiting(browser, site.url('/hawks-soccer'), { ...options, userAgent }, async (page) => {
        const banner = page.getByRole('complementary', { name: 'Sponsor' });
        await banner.scrollIntoViewIfNeeded();
        const calls = () =>
          performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/sponsor_views')).length;
        await page.waitForFunction(calls);
        // On phones a visitor sees photos before the ad.
        const first = await page.locator('main a[href*="/gallery/"]').first().boundingBox();
        const top = (await banner.boundingBox())?.y ?? 0;
        expect((first?.y ?? 0) < top).toBe(slot === 'mobile');
        const box = await banner.getByRole('img').boundingBox();
        expect({ width: box?.width, height: box?.height }).toEqual(size);
        const href = await banner.getByRole('link').getAttribute('href');
        await expect
          .poll(() => leadsTo(new URL(href ?? '', page.url())))
          .toEqual([302, 'https://bakehouse.example/menu']);
        await page.getByRole('searchbox', { name: 'Search galleries' }).fill('cup');
        await page.getByRole('heading', { name: '1 gallery for “cup”' }).waitFor();
        await expect.poll(() => page.evaluate(calls)).toBe(1);
      });
      // The owner's page view does not count: only the visitor's view was counted, and only once.
      expect(seen(await hawks(), slot) - seen(before, slot)).toBe(1);
    },
  );
});
