/** The public gallery: looking, searching, loading on, and the gate before a locked one. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { BOTH, DESK, PHONE, expectSound, galleryAddress, photoIdsOf, read, visiting } from '#tests/e2e/public-pages.ts';

const site = useRunningSite();
let browser: Browser;
let cup: string;
let portraits: string;
let cupIds: number[];
beforeAll(async () => {
  browser = await launchBrowser();
  const home = site.url('/hawks-soccer');
  [cup, portraits] = await Promise.all([
    galleryAddress(home, 'Spring Cup Final'),
    galleryAddress(home, 'Team Portraits'),
  ]);
  cupIds = await photoIdsOf(cup);
});
afterAll(() => browser?.close());

const tiles = (page: Page) => page.getByRole('list', { name: 'Photos' }).locator('> .photo-tile');

/** Sum of all layout shifts so far, those after a key or a press left out. */
const shifts = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
            if (!entry.hadRecentInput) sum += entry.value;
        });
        observer.observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => resolve(sum), 100);
      }),
  );

/**
 * 0.00 of a screen. Chromium counts three pixels where a picture that is still loading gives up the place of its alt text, and
 * the icon of a button in whose middle it paused reading; neither is seen. One tile that moved counts 0.04 and more.
 */
const NOTHING_SEEN = 0.005;

describe('a gallery', () => {
  test.each(BOTH)('tells whose it is, what a photo costs and how far the goal is %s', async (_where, options) => {
    await visiting(browser, cup, options, async (page) => {
      await page.getByRole('heading', { level: 1, name: 'Spring Cup Final' }).waitFor();
      await page.getByText('Photos by Rosa Delgado').waitFor();
      await page.getByText(`${cupIds.length} photos`).waitFor();
      await page.getByRole('progressbar', { name: 'Fundraising goal' }).waitFor();
      await expect.poll(() => page.getByText('New goals for the under-10s').count()).toBe(1);
      await expectSound(page);
    });
  });

  test.each(BOTH)('stands still while it comes %s', async (_where, options) => {
    await visiting(browser, cup, options, async (page) => {
      await page.waitForLoadState('networkidle');
      await expect.poll(() => shifts(page)).toBeLessThan(NOTHING_SEEN);
    });
  });

  test('brings ten photos, and ten more near its end, until all are there', async () => {
    await visiting(browser, cup, { ...DESK, viewport: { width: 600, height: 500 } }, async (page) => {
      await expect.poll(() => tiles(page).count()).toBe(10);
      const counts = new Set<number>();
      while ((await tiles(page).count()) < cupIds.length) {
        await page.mouse.wheel(0, 4_000);
        await page.waitForTimeout(100);
        counts.add(await tiles(page).count());
      }
      expect([...counts].every((count) => count % 10 === 0 || count === cupIds.length)).toBe(true);
      await expect.poll(() => page.getByRole('link', { name: 'Show more' }).count()).toBe(0);
      // Not even the footer jumps: it comes when the list is whole.
      await page.getByRole('contentinfo').waitFor();
      await expect.poll(() => shifts(page)).toBeLessThan(NOTHING_SEEN);
    });
  });

  test('without a script leads on by a link', async () => {
    const { text: html } = await read(cup);
    const next = /href="([^"]*after=[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
    expect(html.match(/class="photo-tile"/g)?.length).toBe(10);
    const { text: later } = await read(new URL(next ?? '', cup));
    expect(later).toContain(`/photo/${cupIds[10]}`);
    expect(later).not.toContain(`/photo/${cupIds[9]}"`);
  });

  test('goes to the photo that photoIndex names, however far it is', async () => {
    const last = cupIds.length - 1;
    await visiting(browser, `${cup}?photoIndex=${last}`, PHONE, async (page) => {
      await page.waitForFunction((index) => {
        const box = document.getElementById(`photo-${index}`)?.getBoundingClientRect();
        return box !== undefined && box.top >= 0 && box.bottom <= window.innerHeight;
      }, last);
      await expect.poll(() => tiles(page).count()).toBe(cupIds.length);
    });
  });

  test('finds photos by keyword while somebody types, and brings all back', async () => {
    await visiting(browser, cup, DESK, async (page) => {
      const search = page.getByRole('searchbox', { name: 'Search photos by keyword' });
      await search.fill('GOAL');
      await page.getByText(/^\d+ photos? with “GOAL”$/).waitFor();
      const found = await tiles(page).count();
      expect(found).toBeGreaterThan(0);
      expect(found).toBeLessThan(cupIds.length);
      for (const alt of await tiles(page)
        .getByRole('img')
        .evaluateAll((all) => all.map((image) => (image as HTMLImageElement).alt)))
        expect(alt.toLowerCase()).toContain('goal');
      await search.fill('no such thing');
      await page.getByText('No photo has “no such thing”').waitFor();
      await expectSound(page);
      await page.getByRole('button', { name: 'Clear search' }).click();
      await page.waitForFunction(() => document.querySelectorAll('.photo-tile').length >= 10);
      expect(page.url()).not.toContain('search=');
    });
  });

  test('keeps a like, also after the page comes anew', async () => {
    await visiting(browser, cup, DESK, async (page) => {
      const heart = tiles(page)
        .first()
        .getByRole('button', { name: /^Like / });
      const before = Number(/(\d+) likes?$/.exec((await heart.getAttribute('aria-label')) ?? '')?.[1]);
      await heart.focus();
      const answered = page.waitForResponse(/add_like$/);
      await page.keyboard.press('Enter');
      expect((await answered).status()).toBe(200);
      await expect.poll(() => heart.getAttribute('aria-pressed')).toBe('true');
      await expect.poll(() => heart.getAttribute('aria-label')).toMatch(new RegExp(`, ${before + 1} likes?$`));
      await page.reload();
      await page.waitForFunction(() => document.querySelector('.photo-tile button[aria-pressed="true"]') !== null);
    });
  });

  test('shows its owner no bar with publicView, and the way on keeps it', async () => {
    await visiting(browser, cup, DESK, async (page) => {
      const status = await page.evaluate(async () => {
        const body = JSON.stringify({ user: { email: 'coach@hawks.test', password: 'sideline-demo' } });
        return (await fetch('/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body }))
          .status;
      });
      expect(status).toBe(200);
      await page.reload();
      await page.getByRole('banner').waitFor();
      await page.goto(`${cup}?publicView=true`);
      await tiles(page).first().waitFor();
      await expect.poll(() => page.getByRole('banner').count()).toBe(0);
      await expect.poll(() => tiles(page).first().getByRole('link').getAttribute('href')).toContain('publicView=true');
    });
  });

  test.each(['/hawks-soccer/gallery/1', '/hawks-soccer/gallery/abc', '/hawks-soccer/gallery/0'])(
    'that is missing leads to the page that says so: %s',
    async (path) => {
      const arrival = await read(site.url(path));
      expect([arrival.status, arrival.location]).toEqual([302, '/404']);
      const answer = await read(site.url('/404'));
      expect(answer.status).toBe(404);
      expect(answer.text).toContain('This page cannot be found.');
    },
  );

  test('is not found below another club’s name', async () => {
    expect((await read(cup.replace('hawks-soccer', 'tides-swim'))).location).toBe('/404');
  });
});

describe('a locked gallery', () => {
  test('carries nothing of its photos in the page', async () => {
    const { text: html } = await read(portraits);
    expect(html).toContain('Password required to view this Gallery.');
    expect(html).toContain('noindex');
    expect(html).not.toContain('gallery_photos/');
    expect(html).not.toContain('goalkeeper');
  });

  test.each(BOTH)('opens to the right word only %s', async (_where, options) => {
    await visiting(browser, portraits, { ...options, allowed: /status of 401/ }, async (page) => {
      await expectSound(page);
      const open = page.getByRole('button', { name: 'Open gallery' });
      await open.click();
      await page.getByText('Password is required.').first().waitFor();
      await page.getByLabel('Password').fill('striker');
      await open.click();
      await page.getByText('That password is not correct.').first().waitFor();
      await expectSound(page);
      await page.getByLabel('Password').fill('goalkeeper');
      await page.keyboard.press('Enter');
      await tiles(page).first().waitFor();
      await page.reload();
      await tiles(page).first().waitFor();
    });
  });

  test('asks for the word at the address of a photo, too', async () => {
    await visiting(browser, portraits, DESK, async (page) => {
      await page.getByLabel('Password').fill('goalkeeper');
      await page.keyboard.press('Enter');
      const photo = await tiles(page).first().getByRole('link').getAttribute('href');
      const { text: html } = await read(new URL(photo ?? '', portraits));
      expect(html).toContain('Password required to view this Gallery.');
      expect(html).not.toContain('gallery_photos/');
    });
  });
});
