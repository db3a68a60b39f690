/** Tagging, finding and correcting photos in the editor: the panel, filters, search, failed photos, small tiles. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asOwnerOf, ownGallery, type OwnGallery } from '#tests/e2e/own-gallery.ts';
import { WIDE, expectSound, PHONE } from '#tests/e2e/public-pages.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { shareGoods } from '#tests/support/second-try.ts';
import { multiplyPhoto, rowsOf } from '#tests/support/site-database.ts';

const site = useRunningSite();
let browser: Browser;
let gallery: OwnGallery;
beforeAll(async () => {
  browser = await launchBrowser();
});
shareGoods(async () => {
  gallery = await ownGallery(site.port, 4);
});
afterAll(() => browser?.close());

async function editing(
  options: Parameters<typeof asOwnerOf>[2],
  work: (page: Page) => Promise<void>,
  own = gallery,
): Promise<void> {
  await asOwnerOf(own, browser, options, async (page) => {
    await page.goto(own.at(`/gallery/${own.galleryId}/edit`));
    await tiles(page).first().waitFor();
    await work(page);
  });
}

type Photo = { id: number; name: string; keywords: { name: string }[] };
const photos = async (own = gallery) =>
  (await own.call<{ photos: Photo[] }>('GET', `/api/v1/galleries/${own.galleryId}/gallery_photos?limit=100`)).photos;
const wordsOf = async (own: OwnGallery) =>
  (await photos(own)).map(({ keywords }) => keywords.map(({ name }) => name).join(' '));
const withoutWords = () =>
  rowsOf(site, 'delete from photo_keywords where gallery_id = $1', [gallery.galleryId]).then(() => undefined);

const tiles = (page: Page) => page.getByRole('list', { name: 'Photos', exact: true }).locator('> li');
const panel = (page: Page) => page.getByRole('dialog', { name: 'Edit photo' });
const field = (page: Page) => panel(page).getByLabel('Add keywords');
const hasFocus = (page: Page) => field(page).evaluate((input) => input === document.activeElement);
const openFirst = (page: Page) =>
  page
    .getByRole('button', { name: /^Edit field-/ })
    .first()
    .click();

describe('tagging in the panel', () => {
  test('takes four key presses for each of 8 photos, and the field keeps the focus', async () => {
    const untagged = await ownGallery(site.port, 4);
    await multiplyPhoto(site, untagged.photoIds[0] ?? 0, 4);
    const work = async (page: Page) => {
      await page.evaluate(() => {
        const counted = window as unknown as { actions: number };
        counted.actions = 0;
        for (const kind of ['keydown', 'pointerdown'])
          document.addEventListener(kind, () => (counted.actions += 1), { capture: true });
      });
      const actions = () => page.evaluate(() => (window as unknown as { actions: number }).actions);
      await openFirst(page);
      await expect.poll(() => hasFocus(page)).toBe(true);
      const begun = await actions();
      for (let place = 1; place <= 8; place += 1) {
        await page.keyboard.type(String(9 + place));
        await page.keyboard.press('Enter');
        await page.keyboard.press('Enter');
        if (place < 8)
          await panel(page)
            .getByText(`${place + 1} of 8`)
            .waitFor();
      }
      expect((await actions()) - begun).toBe(8 * 4);
      expect(await hasFocus(page)).toBe(true);
      await expect.poll(() => wordsOf(untagged)).toEqual(Array.from({ length: 8 }, (_, at) => String(10 + at)));
      await expectSound(page);
      // The last ones take one key press each.
      await page.keyboard.press('PageUp');
      await panel(page).getByText('7 of 8').waitFor();
      await panel(page).getByRole('button', { name: 'Add 17', exact: true }).click();
      await panel(page).getByRole('button', { name: 'Delete keyword 17' }).waitFor();
      await page.keyboard.press('Escape');
      await panel(page).waitFor({ state: 'detached' });
    };
    await editing(WIDE, work, untagged);
  }, 120_000);

  test('fills a phone, saves what was typed before the next photo opens, and shows errors', async () => {
    await editing(PHONE, async (page) => {
      const total = (await photos()).length;
      await openFirst(page);
      await panel(page).getByText(`1 of ${total}`).waitFor();
      const box = await panel(page).boundingBox();
      expect([box?.x, box?.width, (box?.height ?? 0) >= 840]).toEqual([0, 390, true]);
      await expectSound(page);
      // With the keyboard open a photo shrinks to its stage and covers nothing.
      await page.setViewportSize({ width: 390, height: 480 });
      const picture = panel(page).locator('img:visible');
      const bottom = async () => ((await picture.boundingBox())?.y ?? 0) + ((await picture.boundingBox())?.height ?? 0);
      const words = async () => (await panel(page).getByText('Keywords', { exact: true }).boundingBox())?.y ?? 0;
      await expect.poll(async () => (await bottom()) <= (await words())).toBe(true);
      await page.setViewportSize({ width: 390, height: 844 });
      await panel(page).getByLabel('Price of this photo').fill('abc');
      await panel(page).getByRole('button', { name: 'Next photo' }).tap();
      await panel(page).getByText('A photo’s price must be from $0 to $10,000').first().waitFor();
      await panel(page).getByText(`1 of ${total}`).waitFor();
      await panel(page).getByLabel('Price of this photo').fill('6.50');
      await panel(page).getByRole('button', { name: 'Next photo' }).tap();
      await panel(page).getByText(`2 of ${total}`).waitFor();
      await panel(page).getByRole('button', { name: 'Previous photo' }).tap();
      await expect.poll(() => panel(page).getByLabel('Price of this photo').inputValue()).toBe('6.50');
      await panel(page).getByRole('button', { name: 'Close' }).tap();
      await panel(page).waitFor({ state: 'detached' });
    });
  });
});

describe('the list of photos', () => {
  test('finds photos without keywords until they have one, by keyword, by file name, and by time', async () => {
    await withoutWords();
    await editing(WIDE, async (page) => {
      const total = (await photos()).length;
      const filter = page.getByLabel('Filter photos');
      await filter.selectOption({ label: `Without keywords (${total})` });
      await openFirst(page);
      await page.keyboard.type('Mía');
      await page.keyboard.press('Enter');
      // The photo stays where it is until the panel closes; the count is updated immediately.
      await filter.locator('option', { hasText: `Without keywords (${total - 1})` }).waitFor({ state: 'attached' });
      await panel(page).getByText(`1 of ${total}`).waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => page.getByRole('list', { name: 'Keywords' }).count()).toBe(0);
      await filter.selectOption('onlyShowInGallery');
      await page.getByRole('list', { name: 'Keywords' }).getByText('Mía').waitFor();
      await page.getByLabel('Search photos').fill('mia');
      await expect.poll(() => tiles(page).count()).toBe(1);
      await page.getByLabel('Search photos').fill('field-2');
      await page
        .getByRole('button', { name: /^(Edit|Actions for) field-2$/ })
        .first()
        .waitFor();
      await page.getByLabel('Search photos').fill('nobody');
      await page.getByText('Nothing found for “nobody”').waitFor();
      await page.getByRole('button', { name: 'Clear search' }).last().click();
      await expect.poll(() => tiles(page).count()).toBeGreaterThan(2);
      await page.getByLabel('Sort photos').selectOption('Oldest first');
      await page.locator('[aria-busy=false]').first().waitFor();
      await expectSound(page);
    });
  });
});

test('members see clean pictures, and the watermark on request', async () => {
  await editing(WIDE, async (page) => {
    const sources = () =>
      tiles(page)
        .locator('img')
        .evaluateAll((all) => all.map((img) => img.getAttribute('src') ?? ''));
    await expect.poll(async () => (await sources()).every((source) => source.includes('adminview=true'))).toBe(true);
    await page.getByLabel('See as visitor').check();
    await expect.poll(async () => (await sources()).some((source) => source.includes('adminview'))).toBe(false);
  });
});

test('a selection that was given keywords stays, with a message, until it is cleared', async () => {
  await withoutWords();
  await editing(WIDE, async (page) => {
    await page.getByRole('button', { name: 'Select all' }).click();
    const bar = page.getByRole('region', { name: 'Chosen photos' });
    const total = (await photos()).length;
    await bar.getByText(`${total} photos selected`).waitFor();
    await bar.getByRole('button', { name: 'Keywords' }).click();
    await page.getByRole('dialog', { name: 'Add keywords' }).getByRole('textbox').fill('7, 12, left, right');
    await page.keyboard.press('Enter');
    await bar.getByText(`Keywords added to ${total} photos.`).waitFor();
    await bar.getByText(`${total} photos selected`).waitFor();
    await tiles(page).first().getByText('+1').waitFor();
    await bar.getByRole('button', { name: 'Clear selection' }).click();
    await bar.waitFor({ state: 'detached' });
  });
});

test('on a phone every tile has its actions, there is one navigation at the bottom, and photos start in the upper half', async () => {
  await editing(PHONE, async (page) => {
    const top = (await tiles(page).first().boundingBox())?.y ?? 999;
    expect(top).toBeLessThan(420);
    await expect.poll(() => page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(false);
    await page.getByRole('group', { name: 'Parts of the gallery' }).getByRole('button', { name: 'Settings' }).waitFor();
    // The search has its own space next to the button, and the choices are not cut off.
    const search = await page.getByLabel('Search photos').boundingBox();
    const all = await page.getByRole('button', { name: 'Select all' }).boundingBox();
    expect((search?.x ?? 0) + (search?.width ?? 0)).toBeLessThanOrEqual(all?.x ?? 0);
    expect(search?.width).toBeGreaterThan(140);
    expect((await page.getByLabel('Sort photos').boundingBox())?.width).toBeGreaterThan(140);
    // A search without results moves none of them.
    await page.getByLabel('Search photos').fill('nobody');
    await page.getByText('Nothing found for “nobody”').waitFor();
    expect(await page.getByLabel('Search photos').boundingBox()).toEqual(search);
    expect(await page.getByRole('button', { name: 'Select all' }).boundingBox()).toEqual(all);
    await page.getByRole('button', { name: 'Clear search' }).last().tap();
    await page
      .getByRole('button', { name: /^Actions for field-/ })
      .first()
      .tap();
    const menu = page.getByRole('dialog');
    await menu.getByRole('button', { name: 'Rotate' }).waitFor();
    await expectSound(page);
    await menu.getByRole('button', { name: 'Remove' }).tap();
    await page.getByRole('alertdialog', { name: 'Remove Photo?' }).getByRole('button', { name: 'Cancel' }).tap();
    await page.getByRole('link', { name: 'Dashboard' }).waitFor();
  });
});

test('a failed photo is counted separately, says why, and cannot be sorted; its message does not cover the button', async () => {
  const damaged = await ownGallery(site.port, 4);
  await rowsOf(
    site,
    "update photos set status = 'failed', problem = 'This file is damaged.', original_key = null, original_sha256 = null where id = $1",
    [damaged.photoIds[1]],
  );
  await rowsOf(
    site,
    'update galleries set photo_count = (select count(*) from photos p where p.gallery_id = galleries.id and p.status <> $2 and p.removed_at is null) where id = $1',
    [damaged.galleryId, 'failed'],
  );
  const work = async (page: Page) => {
    const total = (await photos(damaged)).length - 1;
    await page.getByText(`${total} photos`, { exact: true }).waitFor();
    await page
      .getByLabel('Filter photos')
      .locator('option', { hasText: `Show Public (${total})` })
      .waitFor({ state: 'attached' });
    await page.getByText('1 photo could not be processed. Visitors do not see it.').waitFor();
    await page.getByRole('button', { name: 'See why' }).click();
    await page.getByRole('button', { name: /failed: This file is damaged\./ }).click();
    await panel(page).getByText('This file is damaged.').waitFor();
    await expectSound(page);
    await page.keyboard.press('Escape');
    await page.getByLabel('Enable Custom Sort').check();
    await page.getByRole('button', { name: `place 2 of ${total}` }).waitFor();
    // A message at the lower edge does not cover the button there.
    await page.route('**/update_ordering**', (route) =>
      route.fulfill({ status: 422, json: { error: 'Not today.', errors: {} } }),
    );
    await page.getByRole('button', { name: `place 2 of ${total}` }).focus();
    for (const key of ['Space', 'ArrowRight', 'Space']) await page.keyboard.press(key);
    const isFree = (button: Element) => {
      const { x, y, width, height } = button.getBoundingClientRect();
      const isSaid = document.body.textContent.includes('Not today.');
      return isSaid && button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    };
    const stop = page.getByRole('button', { name: 'Disable Custom Sort' });
    await expect.poll(() => stop.evaluate(isFree)).toBe(true);
    await stop.click();
    // It stays while the mouse is on it, and without the button below it moves down to the mouse.
    await page.mouse.move(5, 5);
    await expect.poll(() => page.getByText('Not today.').count()).toBe(0);
  };
  await editing({ ...WIDE, allowed: /422/ }, work, damaged);
});
