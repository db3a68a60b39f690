/** A photo at its own address: turning, swiping, closing, and what a phone has to load for it. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { BOTH, DESK, PHONE, expectSound, galleryAddress, photoIdsOf, read, visiting } from '#tests/e2e/public-pages.ts';

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
/** The address changes a moment before the stage: only then do its arrows lead on from the new photo. */
async function arriveAt(page: Page, index: number): Promise<void> {
  await page.waitForFunction((id) => window.location.pathname.endsWith(`/photo/${id}`), ids.at(index));
  await expectPosition(page, (index < 0 ? ids.length + index : index) + 1);
}
const expectPosition = (page: Page, position: number) =>
  dialog(page).getByText(`${position} / ${ids.length}`, { exact: true }).waitFor();

describe('a photo', () => {
  test.each(BOTH)('stands at its own address, with its place, its price and a way back %s', async (_where, options) => {
    await visiting(browser, photoAt(12), options, async (page) => {
      await expectPosition(page, 13);
      await dialog(page).getByText('$4.00').waitFor();
      await expectSound(page);
      await page.getByRole('link', { name: 'Close' }).click();
      await page.waitForFunction(() => window.location.search === '?photoIndex=12');
      await page.waitForFunction(() => {
        const box = document.getElementById('photo-12')?.getBoundingClientRect();
        return box !== undefined && box.top >= 0 && box.bottom <= window.innerHeight;
      });
    });
  });

  test('with a name longer than a phone is wide stays within it', async () => {
    await visiting(browser, photoAt(12), PHONE, async (page) => {
      await expectPosition(page, 13);
      const name = dialog(page)
        .getByText(`13 / ${ids.length}`, { exact: true })
        .locator('xpath=following-sibling::*[1]');
      await name.evaluate((element) => {
        element.textContent = 'second half, the goal by number nine '.repeat(6);
      });
      const width = page.viewportSize()?.width;
      await expect.poll(() => page.locator('.lightbox-stage').boundingBox()).toMatchObject({ x: 0, width });
    });
  });

  test('without a script is a page with plain links', async () => {
    const { text: html } = await read(photoAt(0));
    expect(html).toContain(`1 / ${ids.length}`.replace(' / ', '<!-- --> / <!-- -->'));
    expect(html).toContain(`/photo/${ids.at(1)}`);
    expect(html).toContain(`/photo/${ids.at(-1)}`);
    expect(html).toContain('photoIndex=0');
  });

  test('opens from its tile, turns by keys round the end, closes by Escape, and the focus is on its tile', async () => {
    await visiting(browser, cup, DESK, async (page) => {
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

  test('keeps the focus inside while it is open', async () => {
    await visiting(browser, photoAt(3), DESK, async (page) => {
      for (let presses = 0; presses < 15; presses += 1) {
        await page.keyboard.press('Tab');
        // The browser's own bar may have it between two rounds; no element of the page behind ever has.
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

  test('turns by its halves', async () => {
    await visiting(browser, photoAt(3), DESK, async (page) => {
      const stage = await page.locator('.lightbox-stage').boundingBox();
      if (!stage) throw new Error('there is no stage');
      await page.mouse.click(stage.x + stage.width * 0.75, stage.y + stage.height / 3);
      await arriveAt(page, 4);
      await page.mouse.click(stage.x + stage.width * 0.25, stage.y + stage.height / 3);
      await arriveAt(page, 3);
    });
  });

  test('turns by a swipe', async () => {
    await visiting(browser, photoAt(3), PHONE, async (page) => {
      const devtools = await page.context().newCDPSession(page);
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
        devtools.send('Input.dispatchTouchEvent', { type, touchPoints: x === undefined ? [] : [{ x, y: 400 }] });
      await touch('touchStart', 320);
      for (const x of [260, 180, 90]) await touch('touchMove', x);
      await touch('touchEnd');
      await arriveAt(page, 4);
    });
  });

  test('goes into the cart and out again from here', async () => {
    await visiting(browser, photoAt(5), PHONE, async (page) => {
      await page.getByRole('button', { name: 'Add to Cart' }).tap();
      await page.getByRole('button', { name: 'Remove From Cart' }).tap();
      await page.getByRole('button', { name: 'Add to Cart' }).tap();
      await page.getByRole('link', { name: 'Close' }).tap();
      await page.getByRole('complementary', { name: 'Cart' }).getByText('1 photo').waitFor();
      await expect.poll(() => page.locator('#photo-5').getAttribute('data-chosen')).toBe('true');
    });
  });

  test.each(['1', 'abc'])('that is not in the gallery cannot be found: %s', async (id) => {
    expect((await read(`${cup}/photo/${id}`)).location).toBe('/404');
  });
});

describe('a phone of 412 px at 1.75 points a pixel loads', () => {
  const phone = { ...PHONE, viewport: { width: 412, height: 915 }, deviceScaleFactor: 1.75 };

  /** Bytes of pictures as they came over the wire. */
  async function pictureBytes(page: Page, which: (url: string) => boolean): Promise<number[]> {
    const entries = await page.evaluate(() =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).map(({ name, encodedBodySize }) => ({
        name,
        encodedBodySize,
      })),
    );
    return entries
      .filter(({ name }) => /gallery_photos\/\d+/.test(name) && which(name))
      .map(({ encodedBodySize }) => encodedBodySize);
  }

  test('at most 500 kB for the first ten photos', async () => {
    await visiting(browser, cup, phone, async (page) => {
      const ten = ids.slice(0, 10);
      await page.evaluate(async () => {
        for (const tile of [...document.querySelectorAll('.photo-tile img')].slice(0, 10)) {
          tile.scrollIntoView();
          await (tile as HTMLImageElement).decode();
        }
      });
      const bytes = await pictureBytes(page, (url) => ten.some((id) => url.includes(`/${id}?`)));
      expect(bytes.length).toBeGreaterThanOrEqual(10);
      expect(bytes.every((size) => size > 1_000)).toBe(true);
      expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(500_000);
    });
  });

  test('at most 400 kB for a photo of its own', async () => {
    await visiting(browser, photoAt(1), phone, async (page) => {
      const shown = await page.locator('.lightbox-photo img').evaluate(async (image: HTMLImageElement) => {
        await image.decode();
        return image.currentSrc;
      });
      const [bytes] = await pictureBytes(page, (url) => url === shown);
      expect(bytes).toBeGreaterThan(1_000);
      expect(bytes).toBeLessThanOrEqual(400_000);
    });
  });
});
