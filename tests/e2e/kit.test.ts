/**
 * The design kit in a real browser: checked by axe, used by keyboard, mouse and finger, on a phone and on a desktop.
 */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkAxe, launchBrowser, listenForComplaints, scrollsSideways, VIEWPORTS } from '#tests/support/browser.ts';
import { serveBuiltSpecimens } from '#tests/support/specimens/serve.ts';

let browser: Browser;
let specimens: Awaited<ReturnType<typeof serveBuiltSpecimens>>;
beforeAll(async () => {
  [browser, specimens] = await Promise.all([launchBrowser(), serveBuiltSpecimens()]);
});
afterAll(async () => {
  await browser?.close();
  await specimens?.close();
});

/** Opens a specimen, uses it, and expects no errors. */
async function using(path: string, options: BrowserContextOptions, work: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ viewport: VIEWPORTS.desktop, reducedMotion: 'reduce', ...options });
  try {
    const page = await context.newPage();
    const complaints = listenForComplaints(page);
    await page.goto(specimens.url + path);
    await page.getByRole('main').or(page.getByRole('dialog')).first().waitFor();
    await work(page);
    expect(complaints()).toEqual([]);
  } finally {
    await context.close();
  }
}

const PHONE: BrowserContextOptions = { viewport: VIEWPORTS.phone, hasTouch: true, isMobile: true };

describe('axe finds nothing, and nothing scrolls sideways', () => {
  for (const path of [
    '/',
    '/?accent=%23ffd700',
    '/gallery',
    '/gallery/photo/2',
    '/working',
    '/public',
    '/not-found',
    '/failed',
  ]) {
    test.each([
      ['on a desktop in light', { colorScheme: 'light', viewport: VIEWPORTS.desktop }],
      ['on the smallest phone in dark', { colorScheme: 'dark', viewport: { width: 320, height: 700 } }],
    ] satisfies [string, BrowserContextOptions][])(`of ${path} %s`, async (_where, options) => {
      await using(path, options, async (page) => {
        expect(await scrollsSideways(page)).toBe(false);
        expect(await checkAxe(page)).toEqual([]);
      });
    });
  }
});

describe('the photo grid', () => {
  type Box = { left: number; right: number; top: number; width: number; height: number; ratio: number };
  const boxesOf = (page: Page): Promise<Box[]> =>
    page.evaluate(() =>
      [...document.querySelectorAll('.photo-tile')].map((tile) => {
        const { left, right, top, width, height } = tile.getBoundingClientRect();
        return { left, right, top, width, height, ratio: Number(getComputedStyle(tile).getPropertyValue('--ratio')) };
      }),
    );

  test('has equal rows from edge to edge and crops nothing, from 320 to 2200 px', async () => {
    await using('/gallery', {}, async (page) => {
      for (const width of [320, 390, 419, 420, 599, 600, 820, 1100, 1440, 2200]) {
        await page.setViewportSize({ width, height: 900 });
        await page.reload();
        await page.getByRole('main').waitFor();
        const boxes = await boxesOf(page);
        expect(boxes.length, `${width}`).toBe(23);
        const gutter = width < 420 ? 5 : 20;
        const inner = (await page.evaluate(() => document.documentElement.clientWidth)) - gutter;
        const rows = Map.groupBy(boxes, ({ top }) => Math.round(top));
        const lastTop = Math.max(...rows.keys());
        for (const [top, row] of rows) {
          for (const box of row) expect(Math.abs(box.width / box.height - box.ratio), `${width}`).toBeLessThan(0.02);
          const heights = row.map(({ height }) => height);
          expect(Math.max(...heights) - Math.min(...heights), `${width}`).toBeLessThan(1);
          if (width < 600) expect(row.length, `${width}`).toBeLessThanOrEqual(2);
          const isFull = width >= 600 || row.length === 2 || (row[0]?.ratio ?? 0) >= 1;
          if (top !== lastTop && isFull)
            expect(Math.abs((row.at(-1)?.right ?? 0) - inner), `${width}`).toBeLessThan(1.5);
          for (const [index, box] of row.slice(1).entries())
            expect(Math.abs(box.left - (row[index]?.right ?? 0) - gutter), `${width}`).toBeLessThan(0.6);
        }
      }
    });
  });

  test('shows a placeholder of every photo immediately, and loads only what is near', async () => {
    await using('/gallery?count=120', PHONE, async (page) => {
      const tiles = await page.evaluate(() =>
        [...document.querySelectorAll('.photo-tile')].map((tile) => {
          const image = tile.querySelector('img');
          return {
            placeholder: getComputedStyle(tile).backgroundImage.startsWith('url("data:image/bmp'),
            fetched: image?.currentSrc !== '',
            loading: image?.loading,
          };
        }),
      );
      expect(tiles.every(({ placeholder }) => placeholder)).toBe(true);
      expect(tiles.slice(0, 2).map(({ loading }) => loading)).toEqual(['eager', 'eager']);
      expect(tiles.at(-1)).toMatchObject({ fetched: false, loading: 'lazy' });
    });
  });

  test('shows a check mark on a photo that is added to the cart', async () => {
    await using('/gallery', PHONE, async (page) => {
      const button = page.getByRole('button', { name: 'Add Photo 1 to cart' });
      await button.tap();
      await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true');
      await expect.poll(() => page.locator('#photo-0[data-chosen]').isVisible()).toBe(true);
    });
  });
});

describe('the lightbox', () => {
  const positionOf = (page: Page) => page.locator('.lightbox-top p').first().textContent();
  const isAt = (page: Page, position: string) => page.getByText(position, { exact: true }).waitFor();

  test('opens from the tile, changes photos by arrow keys, wraps around, and restores the focus', async () => {
    await using('/gallery', {}, async (page) => {
      await page.getByRole('link', { name: 'Photo 1', exact: true }).focus();
      await page.keyboard.press('Enter');
      await isAt(page, '1 / 23');
      await page.keyboard.press('ArrowLeft');
      await isAt(page, '23 / 23');
      await page.keyboard.press('ArrowRight');
      await isAt(page, '1 / 23');
      await page.keyboard.press('ArrowRight');
      await isAt(page, '2 / 23');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(new URL(page.url()).pathname).toBe('/gallery');
      await expect.poll(() => page.evaluate(() => document.activeElement?.querySelector('img')?.alt)).toBe('Photo 1');
    });
  });

  test('keeps the focus inside', async () => {
    await using('/gallery/photo/2', {}, async (page) => {
      const names: (string | null)[] = [];
      for (let press = 0; press < 5; press++) {
        await page.keyboard.press('Tab');
        names.push(
          await page.evaluate(
            () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? null,
          ),
        );
      }
      expect(names.slice(0, 5)).toEqual(['Zoom', 'Close', 'Previous photo', 'Next photo', 'Add to Cart $4.00']);
      expect(names).not.toContain('Photo 1');
    });
  });

  test('changes photos by a click on the left or right half', async () => {
    await using('/gallery/photo/2', {}, async (page) => {
      await page.mouse.click(1000, 400);
      await isAt(page, '3 / 23');
      await page.mouse.click(400, 400);
      await isAt(page, '2 / 23');
    });
  });

  test('changes photos by a swipe, not by a small movement', async () => {
    await using('/gallery/photo/2', PHONE, async (page) => {
      await page.locator('dialog[data-live]').waitFor();
      await swipe(page, { from: 300, to: 100 });
      await isAt(page, '3 / 23');
      await swipe(page, { from: 100, to: 300 });
      await isAt(page, '2 / 23');
      await swipe(page, { from: 200, to: 180 });
      await expect.poll(() => positionOf(page)).toBe('2 / 23');
    });
  });

  test.each([VIEWPORTS.phone, VIEWPORTS.tablet, VIEWPORTS.desktop])(
    'shows the whole photo at $width × $height',
    async (viewport) => {
      await using('/gallery/photo/2', { viewport }, async (page) => {
        const stage = await page.locator('.lightbox-stage').boundingBox();
        const photo = await page.locator('.lightbox-photo').boundingBox();
        if (!stage || !photo) throw new Error('nothing is on the stage');
        expect(photo.width / photo.height).toBeCloseTo(2 / 3, 2);
        expect(photo.width).toBeLessThanOrEqual(stage.width + 0.5);
        expect(photo.height).toBeLessThanOrEqual(stage.height + 0.5);
        expect(Math.min(stage.width - photo.width, stage.height - photo.height)).toBeLessThan(1);
      });
    },
  );
});

/** One finger over the middle of the stage. */
async function swipe(page: Page, { from, to }: { from: number; to: number }): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x: number) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y: 420 }] });
  await touch('touchStart', from);
  for (const part of [0.25, 0.5, 0.75, 1]) await touch('touchMove', from + (to - from) * part);
  await touch('touchEnd', to);
  await session.detach();
}

describe('the kit', () => {
  test('shows all problems of a form together and moves the focus there', async () => {
    await using('/', {}, async (page) => {
      await page.getByRole('button', { name: 'Save' }).click();
      const list = page.getByRole('alert');
      await expect.poll(() => list.textContent()).toContain('Please correct the following error(s):');
      await expect
        .poll(() => list.getByRole('listitem').allTextContents())
        .toEqual(['Gallery name required.', 'Price per photo required.']);
      await expect.poll(() => list.evaluate((box) => box === document.activeElement)).toBe(true);
      const name = page.getByLabel('Gallery name');
      await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true');
      await expect
        .poll(() =>
          name.evaluate((input) => document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent),
        )
        .toBe('Gallery name required.');
      expect(await checkAxe(page)).toEqual([]);
    });
  });

  test('closes a dialog on Escape and restores the focus', async () => {
    await using('/', {}, async (page) => {
      const opener = page.getByRole('button', { name: 'Invite contributors' });
      await opener.click();
      const dialog = page.getByRole('dialog', { name: 'Invite contributors' });
      await dialog.getByLabel('Email').fill('ada@example.org');
      expect(await checkAxe(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await expect.poll(() => opener.evaluate((button) => button === document.activeElement)).toBe(true);
    });
  });

  test('closes a dialog when the page outside it is clicked', async () => {
    await using('/', {}, async (page) => {
      await page.getByRole('button', { name: 'Invite contributors' }).click();
      await page.mouse.click(20, 20);
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    });
  });

  test('focuses the safe answer of a question that cannot be undone', async () => {
    await using('/', PHONE, async (page) => {
      await page.getByRole('button', { name: 'Remove photo' }).last().click();
      const question = page.getByRole('alertdialog', { name: 'Remove Photo?' });
      await expect
        .poll(() => question.textContent())
        .toContain('Are you sure you want to remove this photo? This cannot be undone.');
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel');
      expect(await checkAxe(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await question.waitFor({ state: 'detached' });
    });
  });

  test('announces a notice in a live region, and lets it be closed', async () => {
    await using('/', {}, async (page) => {
      await page.getByRole('button', { name: 'Show bad news' }).click();
      const region = page.getByRole('status').filter({ hasText: 'Error rotating image. Please contact support.' });
      await region.getByRole('button', { name: 'Close this message' }).click();
      await expect.poll(() => page.getByText('Error rotating image.').count()).toBe(0);
    });
  });

  test('disables a busy button and says so, and leaves the focus on it', async () => {
    await using('/', {}, async (page) => {
      await page.getByRole('button', { name: 'Get Download $9.00' }).click();
      const busy = page.getByRole('button', { name: 'Submitting...' });
      await expect.poll(() => busy.isDisabled()).toBe(true);
      await page.evaluate(() => new Promise(requestAnimationFrame));
      await expect.poll(() => busy.evaluate((button) => button === document.activeElement)).toBe(true);
    });
  });

  test('clears the search by its button, and keeps the cursor in it', async () => {
    await using('/', {}, async (page) => {
      const search = page.getByRole('searchbox', { name: 'Search galleries' });
      await search.fill('spring');
      await page.getByRole('button', { name: 'Clear search' }).click();
      await expect.poll(() => search.inputValue()).toBe('');
      await expect.poll(() => search.evaluate((input) => input === document.activeElement)).toBe(true);
    });
  });
});
