/** The public gallery: viewing, searching, loading more, and the password form of a locked one. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hydrated, launchBrowser } from '#tests/support/browser.ts';
import { shifts } from '#tests/support/page-measures.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { multiplyPhoto, rowsOf } from '#tests/support/site-database.ts';
import { ownGallery } from '#tests/e2e/own-gallery.ts';
import { BOTH, WIDE, PHONE, expectSound, expectSoundOnBoth, visiting } from '#tests/e2e/public-pages.ts';
import { galleryAddress, photoIdsOf, read } from '#tests/support/site-pages.ts';

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

/**
 * A layout shift of 0.00. Chromium counts three pixels when a loading picture removes its alt text, and the icon of a
 * button in whose middle parsing paused; neither is visible. One tile that moved counts 0.04 and more.
 */
const NOTHING_SEEN = 0.005;

describe('a gallery', () => {
  test.each(BOTH)('shows its owner, the price of a photo and the progress of its goal %s', async (_where, options) => {
    await visiting(browser, cup, options, async (page) => {
      await page.getByRole('heading', { level: 1, name: 'Spring Cup Final' }).waitFor();
      await page.getByText('Photos by Rosa Delgado').waitFor();
      await page.getByText(`${cupIds.length} photos`).waitFor();
      await page.getByRole('progressbar', { name: 'Fundraising goal' }).waitFor();
      await expect.poll(() => page.getByText('New goals for the under-10s').count()).toBe(1);
      await expectSound(page);
    });
  });

  test('that was cached for everyone runs its scripts, and is revalidated by the browser', async () => {
    await visiting(browser, cup, PHONE, async (page) => {
      // One request to learn its dependencies, one to cache it; the next comes from the cache if nothing has changed.
      await page.reload();
      const again = await page.reload();
      expect(String(again?.headers()['content-security-policy'])).toContain("'sha256-");
      await hydrated(page);
      await page
        .getByRole('button', { name: /Add .* to cart/ })
        .first()
        .click();
      await page.getByText('1 photo').first().waitFor();
    });
  });

  test.each(BOTH)('does not shift while it loads %s', async (_where, options) => {
    await visiting(browser, cup, options, async (page) => {
      await page.waitForLoadState('networkidle');
      await expect.poll(() => shifts(page)).toBeLessThan(NOTHING_SEEN);
    });
  });

  test('loads ten photos, and ten more near its end, until all are there', async () => {
    await visiting(browser, cup, { ...WIDE, viewport: { width: 600, height: 500 } }, async (page) => {
      await expect.poll(() => tiles(page).count()).toBe(10);
      const counts = new Set<number>();
      while ((await tiles(page).count()) < cupIds.length) {
        await page.mouse.wheel(0, 4_000);
        await page.waitForTimeout(100);
        counts.add(await tiles(page).count());
      }
      expect([...counts].every((count) => count % 10 === 0 || count === cupIds.length)).toBe(true);
      await expect.poll(() => page.getByRole('link', { name: 'Show more' }).count()).toBe(0);
      // Not even the footer jumps: it appears when the list is complete.
      await page.getByRole('contentinfo').waitFor();
      await expect.poll(() => shifts(page)).toBeLessThan(NOTHING_SEEN);
    });
  });

  test('without JavaScript continues with a link', async () => {
    const { text: html } = await read(cup);
    const next = /href="([^"]*after=[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
    expect(html.match(/class="photo-tile"/g)?.length).toBe(10);
    const { text: later } = await read(new URL(next ?? '', cup));
    expect(later).toContain(`/photo/${cupIds[10]}`);
    expect(later).not.toContain(`/photo/${cupIds[9]}"`);
  });

  test('scrolls to the photo that photoIndex names, however far down it is', async () => {
    const last = cupIds.length - 1;
    await visiting(browser, `${cup}?photoIndex=${last}`, PHONE, async (page) => {
      await page.waitForFunction((index) => {
        const box = document.getElementById(`photo-${index}`)?.getBoundingClientRect();
        return box !== undefined && box.top >= 0 && box.bottom <= window.innerHeight;
      }, last);
      await expect.poll(() => tiles(page).count()).toBe(cupIds.length);
    });
  });

  test('finds photos by keyword while the visitor types, and shows all again afterwards', async () => {
    await visiting(browser, cup, WIDE, async (page) => {
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
      await page.getByText('No photos match “no such thing”').waitFor();
      await expectSound(page);
      await page.getByRole('button', { name: 'Clear search' }).click();
      await page.waitForFunction(() => document.querySelectorAll('.photo-tile').length >= 10);
      expect(page.url()).not.toContain('search=');
    });
  });

  test('keeps a like, also after a reload', async () => {
    await visiting(browser, cup, WIDE, async (page) => {
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

  test('shows its owner no navigation bar with publicView, and links keep it', async () => {
    await visiting(browser, cup, WIDE, async (page) => {
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
    'that is missing leads to the 404 page: %s',
    async (path) => {
      const arrival = await read(site.url(path));
      expect([arrival.status, arrival.location]).toEqual([302, '/404']);
      const answer = await read(site.url('/404'));
      expect(answer.status).toBe(404);
      expect(answer.text).toContain('This page cannot be found.');
    },
  );

  test('is not found under another club’s name', async () => {
    expect((await read(cup.replace('hawks-soccer', 'tides-swim'))).location).toBe('/404');
  });
});

describe('a gallery on a phone', () => {
  test('shows exactly the photos of a number with one tap, wherever it is scrolled', async () => {
    await visiting(browser, cup, PHONE, async (page) => {
      await page.evaluate(() => window.scrollTo(0, 900));
      const seven = page.getByRole('link', { name: /^7 ?, photos: \d+$/ });
      const count = Number((await seven.textContent())?.split(' ')[1]);
      await seven.tap();
      await page.getByText(`${count} photos with “7”`).waitFor();
      await expect.poll(() => tiles(page).count()).toBe(count);
      for (const alt of await tiles(page)
        .getByRole('img')
        .evaluateAll((all) => all.map((image) => (image as HTMLImageElement).alt)))
        expect(alt).toMatch(/[ :]7(,|$)/);
      await expect.poll(() => seven.getAttribute('aria-current')).toBe('true');
      await expectSound(page);
      await seven.tap();
      await expect.poll(() => page.url()).not.toContain('search=');
    });
  });

  test('shows the price once, and has vote and cart at the edge of every tile, also with large text', async () => {
    await visiting(browser, cup, PHONE, async (page) => {
      await page.getByText('$4.00 each').waitFor();
      await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
      // The last row is hidden until it is full.
      const found = await page.locator('.photo-tile:not([data-waiting])').evaluateAll((all) =>
        all.map((tile) => {
          tile.scrollIntoView({ block: 'center' });
          const { x, y, width, height } = tile.getBoundingClientRect();
          const buttons = [...tile.querySelectorAll('button')].filter((button) => button.checkVisibility());
          return {
            middle: document.elementFromPoint(x + width / 2, y + height / 2)?.tagName,
            names: buttons.map((button) => button.getAttribute('data-key')).join(' '),
            isLargeEnough: buttons.every((button) => button.offsetWidth >= 44 && button.offsetHeight >= 44),
          };
        }),
      );
      expect(found.length).toBeGreaterThanOrEqual(8);
      for (const tile of found) expect(tile).toEqual({ middle: 'IMG', names: 'v c', isLargeEnough: true });
      await expectSound(page);
    });
  });

  test('keeps a tap made before the script runs', async () => {
    const context = await browser.newContext(PHONE);
    const page = await context.newPage();
    await page.route(/\/assets\/.*\.js$/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      await route.continue();
    });
    await page.goto(cup, { waitUntil: 'commit' });
    const add = page.getByRole('button', { name: /to cart$/ }).nth(1);
    const name = (await add.getAttribute('aria-label'))?.replace(/^.*Add (.*) to cart$/, '$1');
    await add.tap();
    await page.getByRole('button', { name: `In cart. Remove ${name}` }).waitFor();
    await page.getByRole('complementary', { name: 'Cart' }).getByText('1 photo').waitFor();
    await context.close();
  });

  test('restores its scroll position, from another page and after a reload', async () => {
    await visiting(browser, cup, PHONE, async (page) => {
      while ((await tiles(page).count()) < cupIds.length) {
        await page.mouse.wheel(0, 3_000);
        await page.waitForTimeout(100);
      }
      await page.evaluate(() => window.scrollTo(0, 1_900));
      await page.waitForTimeout(200);
      // The browser moves by one line if its fallback font was used because ours came too late.
      const isThere = async () => Math.abs((await page.evaluate(() => window.scrollY)) - 1_900) < 40;
      expect(await isThere()).toBe(true);
      await page.evaluate(() => document.querySelector<HTMLAnchorElement>('a[href="/hawks-soccer"]')?.click());
      await page.getByRole('link', { name: 'Spring Cup Final' }).waitFor();
      await page.goBack();
      await expect.poll(isThere).toBe(true);
      await expect.poll(() => tiles(page).count()).toBe(cupIds.length);
      await page.reload();
      await expect.poll(isThere).toBe(true);
    });
  });
});

describe('a gallery of 120 photos, half of them taken at ten and half at eleven', () => {
  let day: string;
  beforeAll(async () => {
    const own = await ownGallery(site.port, 1, 'Long Day');
    await multiplyPhoto(site, own.photoIds[0] ?? 0, 119);
    day = own.at(`/gallery/${own.galleryId}`);
    const ids = await photoIdsOf(day);
    await rowsOf(
      site,
      `update photos set exif = jsonb_build_object('takenAt', case when id = any($2) then '2026-05-16T10:05:00' else '2026-05-16T11:05:00' end)
        where gallery_id = $1`,
      [own.galleryId, ids.slice(0, 60)],
    );
  });

  test.each(BOTH)('is divided into sections by time, and the jump bar leads to one %s', async (_where, options) => {
    await visiting(browser, day, options, async (page) => {
      await page.getByRole('heading', { level: 2, name: '10:00 AM' }).waitFor();
      await expectSound(page);
      const later = page.getByRole('heading', { level: 2, name: '11:00 AM' });
      expect(await later.count()).toBe(0);
      await page.getByRole('combobox', { name: 'Jump to a time' }).selectOption({ label: '11:00 AM (60)' });
      await later.waitFor();
      await expect
        .poll(() => later.evaluate((element) => Math.abs(element.getBoundingClientRect().top)))
        .toBeLessThan(200);
      await expect
        .poll(() => page.locator('#photo-60').evaluate((tile) => tile.getBoundingClientRect().top < innerHeight))
        .toBe(true);
    });
  });
});

describe('by keyboard', () => {
  test('one link skips all photos to the footer, however many are still to be loaded', async () => {
    await visiting(browser, cup, WIDE, async (page) => {
      await page.getByRole('link', { name: 'Skip past the photos' }).focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('after-photos');
      await page.keyboard.press('Tab');
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.closest('footer, main')?.tagName))
        .toBe('FOOTER');
    });
  });

  test('the photos are one tab stop; arrows move, letters act', async () => {
    await visiting(browser, cup, WIDE, async (page) => {
      await page.waitForLoadState('networkidle');
      const stops = () =>
        page
          .locator('.photo-grid :is(a, button)')
          .evaluateAll((all) => all.filter((each) => (each as HTMLElement).tabIndex === 0).length);
      await expect.poll(stops).toBe(1);
      await page.getByRole('link', { name: 'Skip past the photos' }).focus();
      await page.keyboard.press('Tab');
      const at = () => page.evaluate(() => document.activeElement?.closest('li')?.id);
      expect(await at()).toBe('photo-0');
      // The code for keys is loaded with the first key press.
      await page.keyboard.press('ArrowRight');
      await expect.poll(at).toBe('photo-1');
      await page.keyboard.press('ArrowDown');
      const below = await at();
      expect(Number(below?.split('-')[1])).toBeGreaterThan(2);
      await page.keyboard.press('c');
      await page.locator(`#${below} .tile-cart[data-on]`).waitFor();
      await page.keyboard.press('c');
      await page.locator(`#${below} .tile-cart:not([data-on])`).waitFor();
      await page.keyboard.press('ArrowUp');
      expect(await at()).toMatch(/^photo-[012]$/);
      await expect.poll(stops).toBe(1);
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/photo\/\d+/);
    });
  });
});

describe('favorites', () => {
  test('are the photos that this browser likes, can be added to the cart together, and open for others by a link', async () => {
    await visiting(browser, cup, PHONE, async (page) => {
      await page.waitForLoadState('networkidle');
      // As the photo's own page leaves them.
      await page.evaluate((ids) => localStorage.setItem('likedItems', JSON.stringify(ids)), [cupIds[3], cupIds[7]]);
      await page.reload();
      await page.getByRole('link', { name: 'Favorites' }).tap();
      await page.getByText('2 photos · $4.00 each').waitFor();
      await page.getByRole('heading', { name: 'Favorites', level: 1 }).waitFor();
      await expectSound(page);
      await page.getByRole('button', { name: 'Add all 2 to the cart' }).tap();
      await page.getByRole('complementary', { name: 'Cart' }).getByText('2 photos').waitFor();
      await page.getByRole('button', { name: 'All are in the cart' }).waitFor();
      const sent = await read(page.url());
      expect(sent.status).toBe(200);
      // The one that was liked last comes first.
      const order = [cupIds[7], cupIds[3]].map((id) => sent.text.indexOf(`/photo/${id}`));
      expect(order[0]).toBeGreaterThan(0);
      expect(order[1]).toBeGreaterThan(order[0] ?? 0);
      expect(sent.text).toContain('noindex');
      expect(sent.text).toContain('Photos picked for you</h1>');
    });
  });
});

describe('a locked gallery', () => {
  test('has nothing about its photos in the page', async () => {
    const { text: html } = await read(portraits);
    expect(html).toContain('Password required to view this Gallery.');
    expect(html).toContain('noindex');
    expect(html).not.toContain('gallery_photos/');
    expect(html).not.toContain('goalkeeper');
  });

  test('opens only with the right password', async () => {
    await visiting(browser, portraits, { ...PHONE, allowed: /status of 401/ }, async (page) => {
      await expectSoundOnBoth(page);
      const open = page.getByRole('button', { name: 'Open gallery' });
      await open.click();
      await page.getByText('Password is required.').first().waitFor();
      await page.getByLabel('Password').fill('striker');
      await open.click();
      await page.getByText('That password is not correct.').first().waitFor();
      await expectSoundOnBoth(page);
      await page.getByLabel('Password').fill('goalkeeper');
      await page.keyboard.press('Enter');
      await tiles(page).first().waitFor();
      await page.reload();
      await tiles(page).first().waitFor();
    });
  });

  test('asks for the password at the address of a photo, too', async () => {
    await visiting(browser, portraits, WIDE, async (page) => {
      await page.getByLabel('Password').fill('goalkeeper');
      await page.keyboard.press('Enter');
      const photo = await tiles(page).first().getByRole('link').getAttribute('href');
      const { text: html } = await read(new URL(photo ?? '', portraits));
      expect(html).toContain('Password required to view this Gallery.');
      expect(html).not.toContain('gallery_photos/');
    });
  });
});
