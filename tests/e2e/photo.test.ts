/** A photo at its own address: changing photos, zooming, buying, closing, and what a phone must load for it. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import {
  lightboxPicture,
  msUntilShown,
  pictureBytes,
  seeTiles,
  swipe,
  untilLive,
} from '#tests/support/page-measures.ts';
import { rowsOf } from '#tests/support/site-database.ts';
import { BOTH, WIDE, PHONE, expectSound, visiting } from '#tests/e2e/public-pages.ts';
import { galleryAddress, photoIdsOf, read } from '#tests/support/site-pages.ts';

const site = useRunningSite();
let browser: Browser;
let cup: string;
let ids: number[];
beforeAll(async () => {
  browser = await launchBrowser();
  cup = await galleryAddress(site.url('/hawks-soccer'), 'Spring Cup Final');
  ids = await photoIdsOf(cup);
});
afterAll(() => browser?.close());

const photoAt = (index: number) => `${cup}/photo/${ids.at(index)}`;
const dialog = (page: Page) => page.getByRole('dialog');
async function arriveAt(page: Page, index: number): Promise<void> {
  await page.waitForFunction((id) => window.location.pathname.endsWith(`/photo/${id}`), ids.at(index));
  await expectPosition(page, (index < 0 ? ids.length + index : index) + 1);
}
const expectPosition = (page: Page, position: number) =>
  dialog(page).getByText(`${position} / ${ids.length}`, { exact: true }).waitFor();

describe('a photo', () => {
  test.each(BOTH)('has its own address, with its position, its price and a way back %s', async (_where, options) => {
    await visiting(browser, photoAt(12), options, async (page) => {
      await expectPosition(page, 13);
      await dialog(page).getByRole('button', { name: 'Add to Cart · $4.00' }).waitFor();
      await untilLive(page);
      await expectSound(page);
      await page.getByRole('link', { name: 'Close' }).click();
      await page.waitForFunction(() => window.location.search === '?photoIndex=12');
      await page.waitForFunction(() => {
        const box = document.getElementById('photo-12')?.getBoundingClientRect();
        return box !== undefined && box.top >= 0 && box.bottom <= window.innerHeight;
      });
    });
  });

  test('shows when it was taken', async () => {
    await rowsOf(
      site,
      `update photos set exif = coalesce(exif, '{}') || '{"takenAt":"2026-05-16T14:15:30"}' where id = $1`,
      [ids.at(11)],
    );
    await visiting(browser, photoAt(11), PHONE, async (page) => {
      await expectPosition(page, 12);
      const time = dialog(page).getByText('05.16.2026, 2:15 PM');
      await time.waitFor();
      // Large text does not break it; every button stays within the screen.
      await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
      const lines = () =>
        time.evaluate((element) => {
          const words = document.createRange();
          words.selectNodeContents(element);
          return words.getClientRects().length;
        });
      await expect.poll(lines).toBe(1);
      const width = page.viewportSize()?.width ?? 0;
      for (const name of ['Share this photo', 'Ask to hide this photo', 'Close']) {
        const box = await dialog(page).getByLabel(name, { exact: true }).boundingBox();
        expect((box?.x ?? width) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
      }
      // On the smallest phones the name is on the next line; the position stays on the left.
      await page.setViewportSize({ width: 320, height: 640 });
      await expect.poll(() => page.locator('.lightbox-top p').first().boundingBox()).toMatchObject({ x: 8 });
    });
  });

  test('with a name wider than a phone stays within it', async () => {
    await visiting(browser, photoAt(12), PHONE, async (page) => {
      await expectPosition(page, 13);
      await page
        .locator('.lightbox-top p')
        .last()
        .evaluate((element) => {
          element.textContent = 'second half, the goal by number nine '.repeat(6);
        });
      const width = page.viewportSize()?.width;
      await expect.poll(() => page.locator('.lightbox-stage').boundingBox()).toMatchObject({ x: 0, width });
    });
  });

  test('without JavaScript is a page with plain links', async () => {
    const { text: html } = await read(photoAt(0));
    expect(html).toContain(`1 / ${ids.length}`.replace(' / ', '<!-- --> / <!-- -->'));
    expect(html).toContain(`/photo/${ids.at(1)}`);
    expect(html).toContain(`/photo/${ids.at(-1)}`);
    expect(html).toContain('photoIndex=0');
  });

  test('opens from its tile, changes by keys and wraps around, closes on Escape, and restores the focus to its tile', async () => {
    await visiting(browser, cup, WIDE, async (page) => {
      await page.locator('#photo-1 a').click();
      await expectPosition(page, 2);
      for (const [key, position] of [
        ['ArrowLeft', 1],
        ['ArrowLeft', ids.length],
        ['ArrowRight', 1],
        ['ArrowRight', 2],
        ['ArrowRight', 3],
      ] as const) {
        await page.keyboard.press(key);
        await expectPosition(page, position);
        await arriveAt(page, position - 1);
      }
      await page.keyboard.press('Escape');
      await page.waitForFunction(
        () => window.location.search === '?photoIndex=2' && document.activeElement?.closest('li')?.id === 'photo-2',
      );
      await expect.poll(() => dialog(page).count()).toBe(0);
    });
  });

  test('opened from its gallery and closed leaves the gallery in the history once, with its position', async () => {
    await visiting(browser, site.url('/hawks-soccer'), PHONE, async (page) => {
      await page.getByRole('link', { name: 'Spring Cup Final' }).first().click();
      await page.locator('#photo-1 a').click();
      await expectPosition(page, 2);
      await untilLive(page);
      await page.getByRole('link', { name: 'Close' }).click();
      await page.waitForFunction(() => window.location.search === '?photoIndex=1');
      await expect.poll(() => dialog(page).count()).toBe(0);
      await page.goBack();
      await page.getByRole('heading', { level: 1, name: 'Hawks Soccer Club' }).waitFor();
    });
  });

  test('that was closed does not draw those who come back to the gallery away from where they were', async () => {
    await visiting(browser, cup, PHONE, async (page) => {
      await page.locator('#photo-1 a').tap();
      await untilLive(page);
      await page.getByRole('dialog').getByRole('link', { name: 'Close' }).tap();
      await page.waitForFunction(() => window.location.search === '?photoIndex=1');
      await page.locator('#photo-8').evaluate((tile) => tile.scrollIntoView({ block: 'center' }));
      await page.waitForTimeout(200);
      const left = await page.evaluate(() => window.scrollY);
      // The page is placed first, and what moves it again does so in the next frames.
      const isThere = () =>
        page.evaluate(async (before) => {
          for (let frames = 0; frames < 5; frames += 1) await new Promise(requestAnimationFrame);
          return Math.abs(window.scrollY - before) < 40;
        }, left);
      await page.evaluate(() => document.querySelector<HTMLAnchorElement>('a[href="/hawks-soccer"]')?.click());
      await page.getByRole('link', { name: 'Spring Cup Final' }).waitFor();
      await page.goBack();
      await page.locator('#photo-8').waitFor();
      await expect.poll(isThere).toBe(true);
      await page.reload();
      await expect.poll(isThere).toBe(true);
    });
  });

  test('keeps the focus inside while it is open', async () => {
    await visiting(browser, photoAt(3), WIDE, async (page) => {
      for (let presses = 0; presses < 15; presses += 1) {
        await page.keyboard.press('Tab');
        // The browser's own toolbar may have it between two rounds; no element of the page behind ever has.
        await expect
          .poll(() =>
            page.evaluate(
              () => document.activeElement === document.body || document.activeElement?.closest('dialog') !== null,
            ),
          )
          .toBe(true);
      }
    });
  });

  test('changes by a click on its halves', async () => {
    await visiting(browser, photoAt(3), WIDE, async (page) => {
      const stage = await page.locator('.lightbox-stage').boundingBox();
      if (!stage) throw new Error('there is no stage');
      await page.mouse.click(stage.x + stage.width * 0.75, stage.y + stage.height / 3);
      await arriveAt(page, 4);
      await page.mouse.click(stage.x + stage.width * 0.25, stage.y + stage.height / 3);
      await arriveAt(page, 3);
    });
  });

  test('changes with each of ten key presses before the server could answer, and the address follows', async () => {
    const LATENCY_MS = 2_000;
    await visiting(browser, cup, WIDE, async (page) => {
      await page.locator('#photo-0 a').click();
      await expectPosition(page, 1);
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('Network.enable');
      await devtools.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: LATENCY_MS,
        downloadThroughput: -1,
        uploadThroughput: -1,
      });
      const waits: number[] = [];
      for (let press = 1; press <= 10; press++) {
        const next = { position: `${press + 1} / ${ids.length}` };
        waits.push(await msUntilShown(page, next, () => page.keyboard.press('ArrowRight')));
        await page.waitForTimeout(Math.max(0, 200 - (waits.at(-1) ?? 0)));
      }
      await arriveAt(page, 10);
      // Beside other tests a press may wait for the processor; the benchmark P22 has the limit of 100 ms.
      expect(Math.max(...waits)).toBeLessThan(LATENCY_MS);
    });
  });

  test('opens from the list without a request to the server, as do its neighbors', async () => {
    await visiting(browser, cup, PHONE, async (page) => {
      await page.waitForLoadState('networkidle');
      const asked: string[] = [];
      page.on('request', (request) => {
        const { pathname } = new URL(request.url());
        if (!/^\/assets\/|gallery_photos\/\d+$/.test(pathname)) asked.push(pathname);
      });
      await page.locator('#photo-1 a').tap();
      await untilLive(page);
      await swipe(page, { from: [320, 400], to: [90, 400] });
      await arriveAt(page, 2);
      await swipe(page, { from: [90, 400], to: [320, 400] });
      await arriveAt(page, 1);
      expect(asked.filter((path) => path.endsWith('.data'))).toEqual([]);
    });
  });

  test('goes to the next one at a swipe while the page is too busy to draw it', async () => {
    await visiting(browser, cup, PHONE, async (page) => {
      await page.locator('#photo-1 a').tap();
      await untilLive(page);
      await page.evaluate(() => {
        const work = () => {
          const end = performance.now() + 80;
          while (performance.now() < end);
        };
        window.addEventListener('pointermove', work, { capture: true });
      });
      await swipe(page, { from: [320, 400], to: [90, 400] });
      await arriveAt(page, 2);
      await swipe(page, { from: [90, 400], to: [320, 400] });
      await arriveAt(page, 1);
    });
  });

  test('shows the picture of its tile until the large one is loaded', async () => {
    await visiting(browser, cup, PHONE, async (page) => {
      const tile = page.locator('#photo-0 img');
      await tile.evaluate((image: HTMLImageElement) => image.decode());
      const seen = await tile.evaluate((image: HTMLImageElement) => image.currentSrc);
      let release = () => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      await page.route(/size=(960|1440)/, async (route) => {
        await held;
        await route.continue();
      });
      await page.locator('#photo-0 a').tap();
      await untilLive(page);
      await expect
        .poll(() =>
          page
            .locator('.pswp__img--placeholder')
            .first()
            .evaluate((image: HTMLImageElement) => image.src),
        )
        .toBe(seen);
      release();
      await page.waitForFunction(() =>
        [...document.querySelectorAll<HTMLImageElement>('.pswp__img:not(.pswp__img--placeholder)')].some(
          (image) => image.currentSrc.includes('size=960') && image.naturalWidth > 0,
        ),
      );
    });
  });

  test('zooms in and out by a double tap, and closes by a swipe down', async () => {
    await visiting(browser, cup, PHONE, async (page) => {
      await page.locator('#photo-2 a').tap();
      await untilLive(page);
      const picture = page.locator('.pswp__item[aria-hidden="false"] .pswp__img:not(.pswp__img--placeholder)');
      const width = async () => (await picture.boundingBox())?.width;
      const whole = await width();
      await doubleTap(page);
      await expect.poll(async () => ((await width()) ?? 0) / (whole ?? 1)).toBeCloseTo(2.5, 1);
      await expectPosition(page, 3);
      await doubleTap(page);
      await expect.poll(async () => ((await width()) ?? 0) / (whole ?? 1)).toBeCloseTo(1, 1);
      await swipe(page, { from: [195, 300], to: [195, 560] });
      await expect.poll(() => dialog(page).count()).toBe(0);
      await page.waitForFunction(() => document.activeElement?.closest('li')?.id === 'photo-2');
    });
  });

  test('adds two photos to the cart without being closed, removes one by Undo, and leads to the checkout', async () => {
    await visiting(browser, photoAt(5), PHONE, async (page) => {
      const add = page.getByRole('button', { name: 'Add to Cart · $4.00' });
      await untilLive(page);
      await add.tap();
      await page.getByRole('link', { name: 'Review your cart: 1 photo, $4.00' }).waitFor();
      await swipe(page, { from: [320, 400], to: [90, 400] });
      await arriveAt(page, 6);
      await page.keyboard.press('Tab');
      await add.click();
      await page.getByRole('link', { name: 'Review your cart: 2 photos, $8.00' }).waitFor();
      await page.getByRole('button', { name: /^Added.*Remove From Cart$/ }).click();
      await page.getByRole('link', { name: 'Review your cart: 1 photo, $4.00' }).waitFor();
      await dialog(page).getByRole('button', { name: 'Undo' }).click();
      await expectSound(page);
      await page.getByRole('link', { name: 'Review your cart: 2 photos, $8.00' }).click();
      await page.getByRole('heading', { name: 'Review your photos' }).waitFor();
    });
  });

  test('is closed by Back, and the focus is on the tile of the photo shown last', async () => {
    await visiting(browser, cup, WIDE, async (page) => {
      await page.locator('#photo-4 a').click();
      await expectPosition(page, 5);
      await page.keyboard.press('ArrowRight');
      await arriveAt(page, 5);
      await page.goBack();
      await expect.poll(() => dialog(page).count()).toBe(0);
      await page.waitForFunction(() => document.activeElement?.closest('li')?.id === 'photo-5');
      expect(new URL(page.url()).pathname).toBe(new URL(cup).pathname);
    });
  });

  test('found by a search leads to the next one found', async () => {
    await visiting(browser, `${cup}?search=goal`, WIDE, async (page) => {
      await page.locator('#photo-0 a').click();
      const found = await page.getByText(/^\d+ photos? with “goal”$/).textContent();
      const total = Number.parseInt(found ?? '', 10);
      await dialog(page).getByText(`1 / ${total}`, { exact: true }).waitFor();
      await page.keyboard.press('ArrowLeft');
      await dialog(page).getByText(`${total} / ${total}`, { exact: true }).waitFor();
      await expect
        .poll(async () => (await page.locator('.lightbox-top [role="status"]').textContent())?.toLowerCase())
        .toMatch(/: .*goal/);
    });
  });

  test.each(['1', 'abc'])('that is not in the gallery cannot be found: %s', async (id) => {
    expect((await read(`${cup}/photo/${id}`)).location).toBe('/404');
  });
});

async function doubleTap(page: Page): Promise<void> {
  await page.touchscreen.tap(195, 400);
  await page.touchscreen.tap(195, 400);
}

describe('a phone of 412 px with 1.75 device pixels per px loads', () => {
  const phone = { ...PHONE, viewport: { width: 412, height: 915 }, deviceScaleFactor: 1.75 };

  test('at most 500 kB for the first ten photos', async () => {
    await visiting(browser, cup, phone, async (page) => {
      const ten = ids.slice(0, 10);
      await seeTiles(page, 10);
      const bytes = await pictureBytes(page, (url) => ten.some((id) => url.includes(`/${id}?`)));
      expect(bytes.length).toBeGreaterThanOrEqual(10);
      expect(bytes.every((size) => size > 1_000)).toBe(true);
      expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(500_000);
    });
  });

  test('at most 250 kB for its own photo', async () => {
    await visiting(browser, photoAt(1), phone, async (page) => {
      await untilLive(page);
      const shown = await lightboxPicture(page);
      const [bytes] = await pictureBytes(page, (url) => url === shown);
      expect(bytes).toBeGreaterThan(1_000);
      expect(bytes).toBeLessThanOrEqual(250_000);
      expect(shown).toContain('size=960');
    });
  });
});
