/** The owner's main job in a real browser: create a gallery, drop camera files onto it, watch them upload, price them, show them. */
import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tileAction } from '#tests/e2e/own-gallery.ts';
import { WIDE, PHONE } from '#tests/e2e/public-pages.ts';
import { COACH, openAs, SWIMMER, type User } from '#tests/e2e/signed-in.ts';
import { checkAxe, launchBrowser, listenForComplaints, scrollsSideways } from '#tests/support/browser.ts';
import { HEIC_HELP, ONLY_JPEG_NOT_HEIC } from '#src/features/uploads/uploads.contract.ts';
import { COUNTER_RESET_MS } from '#src/features/uploads/upload-tray.contract.ts';
import { useRunningSite } from '#tests/support/running-site.ts';

const site = useRunningSite();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
});

/** A page of a logged-in user; no errors are allowed until the work is over, except those in `expected`. */
async function asOwner(
  options: BrowserContextOptions & { as?: User; club?: string; expected?: RegExp },
  work: (page: Page) => Promise<void>,
): Promise<void> {
  const { as = COACH, club = 'hawks-soccer', expected, ...contextOptions } = options;
  const context = await browser.newContext({ ...contextOptions, permissions: ['clipboard-read', 'clipboard-write'] });
  try {
    const page = await context.newPage();
    const complaints = listenForComplaints(page);
    await openAs(page, as, site.url(`/${club}/dashboard`));
    await work(page);
    expect(complaints().filter((line) => !expected?.test(line))).toEqual([]);
  } finally {
    await context.close();
  }
}

type Picked = { name: string; mimeType: string; buffer: Buffer };

/** A JPEG in one color, different from every other one. */
async function photo(name: string, hue: number, size = { width: 1200, height: 800 }): Promise<Picked> {
  const noise = Buffer.from(randomUUID());
  const buffer = await sharp({
    create: { ...size, channels: 3, background: { r: 40 + hue * 30, g: 120, b: 200 - hue * 25 } },
  })
    .jpeg({ quality: 80 })
    .withExif({ IFD0: { ImageDescription: noise.toString() } })
    .toBuffer();
  return { name, mimeType: 'image/jpeg', buffer };
}

/** Files dropped onto the page, as from the desktop. */
async function drop(page: Page, files: readonly Picked[]): Promise<void> {
  const transfer = await page.evaluateHandle(
    (sent) => {
      const data = new DataTransfer();
      for (const { name, mimeType, base64 } of sent)
        data.items.add(
          new File([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))], name, {
            type: mimeType,
            lastModified: 1,
          }),
        );
      return data;
    },
    files.map(({ name, mimeType, buffer }) => ({ name, mimeType, base64: buffer.toString('base64') })),
  );
  for (const type of ['dragenter', 'dragover', 'drop'])
    await page.dispatchEvent('main', type, { dataTransfer: transfer });
}

const tiles = (page: Page) => page.getByRole('list', { name: 'Photos', exact: true }).locator('> li');
const uploads = (page: Page) => page.getByRole('region', { name: 'Uploads' });

/** Whether a message leaves the buttons of the tray free. */
async function isAbove(message: Locator, tray: Locator): Promise<boolean> {
  const [upper, lower] = await Promise.all([message.boundingBox(), tray.boundingBox()]);
  return upper !== null && lower !== null && upper.y + upper.height <= lower.y;
}

async function openNewGallery(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Create New Gallery' }).click();
  await page.getByRole('heading', { name: 'Create Gallery' }).waitFor();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
}

async function saveNew(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Save Gallery' }).click();
  await page.waitForURL(/\/gallery\/\d+\/edit$/);
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}

describe('an owner', () => {
  test.each([
    ['on a desktop', WIDE],
    ['on a phone', PHONE],
  ])(
    '%s creates a gallery, drops photos, watches them upload, prices one, and visitors see them',
    async (where, options) => {
      await asOwner(options, async (page) => {
        const name = `Home Opener ${where}`;
        await openNewGallery(page, name);
        await saveNew(page, name);
        await drop(
          page,
          await Promise.all([
            photo('kick.jpg', 1),
            photo('save.jpg', 2),
            photo('goal.jpg', 3, { width: 800, height: 1200 }),
          ]),
        );
        await uploads(page).getByRole('heading', { name: '3 photos are in' }).waitFor();
        await expect.poll(() => isAbove(page.getByText('Upload Successful'), uploads(page))).toBe(true);
        await expect.poll(() => tiles(page).locator('img').count()).toBe(3);
        // Longer than the counter is shown (specification A§9): the end is still shown and announced.
        await page.waitForTimeout(COUNTER_RESET_MS + 500);
        await uploads(page).getByRole('heading', { name: '3 photos are in' }).waitFor();
        await page.getByRole('status').getByText('3 photos are in', { exact: true }).waitFor();
        expect(await checkAxe(page)).toEqual([]);
        expect(await scrollsSideways(page)).toBe(false);
        await uploads(page).getByRole('link', { name: 'Share gallery' }).click();
        await page.getByRole('button', { name: 'Copy link' }).waitFor();
        await uploads(page).waitFor({ state: 'detached' });
        await page.goBack();
        await page.getByText('3 photos', { exact: true }).waitFor();

        await page.getByRole('button', { name: 'Edit goal' }).click();
        const dialog = page.getByRole('dialog', { name: 'Edit photo' });
        await dialog.getByLabel('Price of this photo').fill('abc');
        await dialog.getByRole('button', { name: 'Save' }).click();
        await dialog.getByRole('alert').getByText('A photo’s price must be from $0 to $10,000').waitFor();
        await dialog.getByLabel('Price of this photo').fill('7.50');
        await dialog.getByLabel('Add keywords').fill('23, goal');
        await dialog.getByRole('button', { name: 'Add', exact: true }).click();
        await dialog.getByRole('button', { name: 'Delete keyword 23' }).waitFor();
        expect(await checkAxe(page)).toEqual([]);
        await dialog.getByRole('button', { name: 'Save' }).click();
        await tiles(page).getByText('$7.50').waitFor({ state: 'attached' });
        await dialog.getByRole('button', { name: 'Close' }).click();
        await dialog.waitFor({ state: 'detached' });
        await tileAction(page, 'kick', 'Hide');
        // It leaves the list of public photos, which is shown first.
        await page.getByRole('button', { name: 'Edit kick' }).waitFor({ state: 'detached' });
        await page.getByLabel('Filter photos').selectOption({ label: 'Show All (3)' });
        await tiles(page).getByText('Hidden').waitFor();
        expect(await scrollsSideways(page)).toBe(false);
        expect(await checkAxe(page)).toEqual([]);

        const visitor = await (await browser.newContext(options)).newPage();
        await visitor.goto(page.url().replace(/\/edit$/, ''));
        await expect
          .poll(() => visitor.getByRole('list', { name: 'Photos', exact: true }).getByRole('img').count())
          .toBe(2);
        await visitor.getByRole('img', { name: /goal/ }).waitFor();
        await visitor.context().close();
      });
    },
  );

  test('a user who drops photos before the gallery is saved sees what is missing, and loses nothing', async () => {
    await asOwner(WIDE, async (page) => {
      await page.getByRole('link', { name: 'Create New Gallery' }).click();
      await page.getByRole('switch', { name: 'Password required' }).check();
      await page.getByRole('textbox', { name: 'Price per photo' }).fill('');
      await drop(page, [await photo('early.jpg', 4)]);
      const problems = page.getByRole('alert');
      await expect
        .poll(() => problems.getByRole('listitem').allTextContents())
        .toEqual(['Gallery name required.', 'Price per photo required.', 'Password is required.']);
      await problems.getByText('Please correct the following error(s):').waitFor();
      await page.getByText('1 photo is waiting.').waitFor();
      expect(await checkAxe(page)).toEqual([]);
      await page.getByRole('textbox', { name: 'Name' }).fill('Early Birds');
      await page.getByRole('textbox', { name: 'Price per photo' }).fill('3');
      await page.getByRole('textbox', { name: 'Password', exact: true }).fill('nest');
      await saveNew(page, 'Early Birds');
      await expect.poll(() => tiles(page).locator('img').count()).toBe(1);
      await page.getByRole('button', { name: 'Settings' }).click();
      await expect.poll(() => page.getByRole('textbox', { name: 'Password', exact: true }).inputValue()).toBe('nest');
    });
  });

  test('sees for each file why it cannot be uploaded', async () => {
    await asOwner(WIDE, async (page) => {
      await openNewGallery(page, 'Refusals');
      await saveNew(page, 'Refusals');
      const large = Buffer.alloc(10_485_761);
      const twin = await photo('twin.jpg', 5);
      await drop(page, [
        { name: 'IMG_1.HEIC', mimeType: 'image/heic', buffer: Buffer.from('\0\0\0\x18ftypheic') },
        { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('x') },
        { name: 'huge.jpg', mimeType: 'image/jpeg', buffer: large },
        { name: 'renamed.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('GIF89a is what this is') },
        twin,
        twin,
      ]);
      await uploads(page).getByRole('heading', { name: '1 photo is in' }).waitFor();
      await uploads(page).getByText('4 not uploaded. Show the files to see why.').waitFor();
      await uploads(page).getByText('1 already here, skipped').waitFor();
      await uploads(page).getByText(HEIC_HELP).waitFor();
      expect(await uploads(page).getByRole('listitem').count()).toBe(0);
      await uploads(page).getByRole('button', { name: 'Show files' }).click();
      const rowOf = (name: string) => uploads(page).getByRole('listitem').filter({ hasText: name });
      await rowOf('IMG_1.HEIC').getByText(ONLY_JPEG_NOT_HEIC).waitFor();
      await rowOf('logo.png').getByText('Only JPEG images can be uploaded.').waitFor();
      await rowOf('huge.jpg').getByText('This image is larger than 10 MB.').waitFor();
      await rowOf('renamed.jpg').getByText('Only JPEG images can be uploaded.').waitFor();
      await rowOf('twin.jpg').getByText('You uploaded this photo a moment ago.').waitFor();
      expect(await checkAxe(page)).toEqual([]);
      await page.getByRole('button', { name: 'Upload again: twin.jpg' }).click();
      await expect.poll(() => tiles(page).locator('img').count()).toBe(2);
      await page.getByRole('button', { name: 'Close uploads' }).click();
      await uploads(page).waitFor({ state: 'detached' });
    });
  });

  test('sees in the grid why a photo failed, and removes it', async () => {
    await asOwner(WIDE, async (page) => {
      await openNewGallery(page, 'Damaged');
      await saveNew(page, 'Damaged');
      const whole = await photo('cut.jpg', 6);
      // A valid JPEG header, and a photo that is cut off.
      await drop(page, [{ ...whole, buffer: whole.buffer.subarray(0, whole.buffer.length >> 1) }]);
      // It is not among the public photos; the editor says so and links to it.
      await page.getByRole('button', { name: 'See why' }).click();
      const tile = tiles(page).filter({ hasText: 'cut' });
      await tile.getByRole('button', { name: 'Remove cut' }).click();
      await page
        .getByRole('alertdialog', { name: 'Remove Photo?' })
        .getByText('Are you sure you want to remove this photo? This cannot be undone.')
        .waitFor();
      await page.getByRole('button', { name: 'Remove photo' }).click();
      await page.getByText('0 photos').waitFor();
    });
  });

  test('keeps uploading during navigation, retries after the connection broke, and can stop it', async () => {
    await asOwner({ ...WIDE, expected: /Failed to load resource/ }, async (page) => {
      await openNewGallery(page, 'Moving About');
      await saveNew(page, 'Moving About');
      const address = page.url();
      let broken = 0;
      await page.route('**/storage', (route) => (broken++ < 2 ? route.abort('connectionreset') : route.continue()));
      await drop(page, await Promise.all(Array.from({ length: 6 }, (_, index) => photo(`lap-${index}.jpg`, index))));
      await page.getByRole('link', { name: 'Dashboard' }).first().click();
      await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
      await uploads(page).getByRole('heading', { name: '6 photos are in' }).waitFor();
      expect(broken).toBeGreaterThan(6);
      await page.unroute('**/storage');
      await page.goto(address);
      await expect.poll(() => tiles(page).locator('img').count()).toBe(6);

      await page.route('**/storage', () => undefined);
      await drop(page, [await photo('never.jpg', 7)]);
      await uploads(page).getByRole('button', { name: 'Cancel uploads' }).click();
      await page
        .getByRole('alertdialog', { name: 'Cancel uploads?' })
        .getByRole('button', { name: 'Cancel uploads' })
        .click();
      await uploads(page).waitFor({ state: 'detached' });
      await expect.poll(() => tiles(page).count()).toBe(6);
    });
  });

  test('is asked before leaving unsaved settings, and sees the result of saving', async () => {
    await asOwner(WIDE, async (page) => {
      await openNewGallery(page, 'Settled');
      await saveNew(page, 'Settled');
      await page.getByRole('button', { name: 'Settings' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Settled Twice');
      await page.getByRole('link', { name: 'Dashboard' }).first().click();
      const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
      await question.getByRole('button', { name: 'Stay' }).click();
      await page.getByRole('textbox', { name: 'Target goal' }).fill('250');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('button', { name: 'Success' }).waitFor();
      await page.getByRole('button', { name: 'Success' }).waitFor({ state: 'detached' });
      await page.getByRole('heading', { name: 'Settled Twice', level: 1 }).waitFor();
      await page.getByRole('link', { name: 'Dashboard' }).first().click();
      await page.getByRole('heading', { name: 'Settled Twice' }).waitFor();
    });
  });

  test('finds, shares and deletes a gallery on the dashboard', async () => {
    await asOwner(WIDE, async (page) => {
      await openNewGallery(page, 'Short Lived');
      await saveNew(page, 'Short Lived');
      await page.getByRole('link', { name: 'Dashboard' }).first().click();
      await page.getByRole('searchbox', { name: 'Search galleries by name' }).fill('short liv');
      await page.getByRole('status').getByText('1 gallery for “short liv”').waitFor();
      await page.getByRole('button', { name: 'Copy link to Short Lived' }).click();
      await page.getByText('URL Copied').waitFor();
      await expect
        .poll(() => page.evaluate(() => navigator.clipboard.readText()))
        .toMatch(/\/hawks-soccer\/gallery\/\d+$/);
      expect(await checkAxe(page)).toEqual([]);
      await page.getByRole('button', { name: 'Delete Short Lived' }).click();
      const question = page.getByRole('alertdialog', { name: 'Delete “Short Lived”?' });
      await question.getByText('Are you sure you want to delete this gallery? This cannot be undone.').waitFor();
      await question.getByRole('button', { name: 'Delete gallery' }).click();
      await page.getByText('No galleries match “short liv”').waitFor();
    });
  });
});

describe('the dashboard', () => {
  test('of a free club with a gallery says why there is no second one', async () => {
    await asOwner({ ...PHONE, as: SWIMMER, club: 'tides-swim' }, async (page) => {
      // Once, below the numbers and the galleries.
      const notice = page.getByText('Please Upgrade to have more than 1 active gallery.');
      await notice.waitFor();
      await expect.poll(() => notice.count()).toBe(1);
      await expect.poll(() => page.getByRole('main').getByRole('link', { name: 'Upgrade' }).count()).toBe(1);
      const top = async (place: Locator) => (await place.boundingBox())?.y ?? 0;
      expect(await top(notice)).toBeGreaterThan(await top(page.getByRole('list', { name: 'Galleries' })));
      // Its text is on one line.
      const head = page.getByRole('heading', { name: 'Last 30 days' });
      expect(await head.evaluate((element) => element.getClientRects().length && element.scrollHeight)).toBeLessThan(
        48,
      );
      await expect.poll(() => page.getByRole('link', { name: /New Gallery/ }).count()).toBe(0);
      expect(await scrollsSideways(page)).toBe(false);
      expect(await checkAxe(page)).toEqual([]);
      await page.getByRole('main').getByRole('link', { name: 'Upgrade' }).click();
      await page.getByText('89 dollars per year').waitFor();
    });
  });

  test('of a club with more tiles than fit a phone is as wide as the phone', async () => {
    await asOwner(PHONE, async (page) => {
      const tile = page.getByRole('list', { name: 'Galleries' }).getByRole('listitem').nth(3);
      await tile.waitFor();
      expect(await scrollsSideways(page)).toBe(false);
      // Tiles far below are not rendered: they may keep their own height there, never a width.
      await expect
        .poll(() => tile.evaluate((element) => getComputedStyle(element).containIntrinsicWidth))
        .toMatch(/none$/);
    });
  });

  test('of a club without galleries says what to do next, with one button, and shows no zeros', async () => {
    await asOwner({ ...PHONE, as: { ...COACH, email: 'pto@maple.test' }, club: 'maple-street-pto' }, async (page) => {
      await page.getByRole('heading', { name: 'Three steps to your first sale' }).waitFor();
      await expect.poll(() => page.locator('[aria-current=step]').innerText()).toContain('Create a gallery');
      await page.getByText('No sales yet. They appear here.').waitFor();
      await expect
        .poll(() => page.getByRole('link', { name: 'your page' }).getAttribute('href'))
        .toBe('/maple-street-pto');
      expect(await page.getByText('none before either').count()).toBe(0);
      await expect.poll(() => page.getByRole('link', { name: 'Create New Gallery' }).count()).toBe(1);
      await expect.poll(() => page.getByRole('link', { name: 'View Reports' }).count()).toBe(1);
      expect(await checkAxe(page)).toEqual([]);
    });
  });
});
