/** The editor's grid: filters, custom order by mouse, finger and keyboard, bulk edits, thousands of photos. */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownGallery, signInAs, type OwnGallery } from '#tests/e2e/own-gallery.ts';
import { WIDE, expectSound, PHONE } from '#tests/e2e/public-pages.ts';
import { launchBrowser, listenForComplaints } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { watchFor } from '#tests/support/page-measures.ts';
import { multiplyPhoto } from '#tests/support/site-database.ts';
import { shareGoods } from '#tests/support/second-try.ts';

const site = useRunningSite();
let browser: Browser;
let gallery: OwnGallery;
beforeAll(async () => {
  browser = await launchBrowser();
});
shareGoods(async () => {
  gallery = await ownGallery(site.port, 6);
});
afterAll(() => browser?.close());

type Options = Parameters<Browser['newContext']>[0] & { allowed?: RegExp };

/** The editor of the gallery, logged in; no errors are allowed except those in `allowed`. */
async function editing(
  { allowed, ...options }: Options,
  work: (page: Page) => Promise<void>,
  own = gallery,
): Promise<void> {
  const context = await browser.newContext(options);
  try {
    const page = await context.newPage();
    const complaints = listenForComplaints(page);
    await signInAs(page, own);
    await page.goto(own.at(`/gallery/${own.galleryId}/edit`));
    await work(page);
    expect(complaints().filter((line) => !allowed?.test(line))).toEqual([]);
  } finally {
    await context.close();
  }
}

type Photo = {
  id: number;
  name: string;
  show_in_gallery: boolean;
  price_override: number | null;
  image_url: string;
  keywords: { name: string }[];
};
async function photos(): Promise<Photo[]> {
  const answer = await gallery.call<{ photos: Photo[] }>(
    'GET',
    `/api/v1/galleries/${gallery.galleryId}/gallery_photos?limit=100`,
  );
  return answer.photos;
}
/** As the page shows them: without file extensions. */
const saidNameOf = ({ name }: Photo) => name.replace(/\.jpg$/, '');
const names = async () => (await photos()).map(saidNameOf);
const moved = <Item>(items: readonly Item[], from: number, to: number) =>
  items.toSpliced(from, 1).toSpliced(to, 0, items[from] as Item);

const tiles = (page: Page) => page.getByRole('list', { name: 'Photos', exact: true }).locator('> li');
const inOrder = (page: Page) => page.getByRole('list', { name: 'Photos in order' }).getByRole('listitem');
const filter = (page: Page) => page.getByLabel('Filter photos');
const chosen = (page: Page) => page.getByRole('region', { name: 'Chosen photos' });
const movers = (page: Page) => inOrder(page).getByRole('button');

async function startSorting(page: Page): Promise<void> {
  await page.getByLabel('Enable Custom Sort').check();
  await movers(page).nth(5).waitFor();
}

async function middleOf(locator: Locator, share = 0.5): Promise<{ x: number; y: number }> {
  const box = await locator.boundingBox();
  if (!box) throw new Error('it is not on the page');
  return { x: box.x + box.width * share, y: box.y + box.height / 2 };
}

describe('filters', () => {
  test('show public photos first; a hidden one leaves the list after its overlay, and is found among the others', async () => {
    const untagged = (await photos()).filter(({ keywords }) => keywords.length === 0).length;
    await editing(WIDE, async (page) => {
      await expect
        .poll(() => filter(page).locator('option').allTextContents())
        .toEqual(['Show All (6)', 'Show Public (6)', 'Show Non-Public (0)', `Without keywords (${untagged})`]);
      await expect.poll(() => filter(page).inputValue()).toBe('onlyShowInGallery');
      const [, second = ''] = await names();
      const began = Date.now();
      const wasCovered = await watchFor(page, `Updating ${second}`);
      await page.getByRole('button', { name: `Hide ${second}`, exact: true }).click();
      await expect.poll(wasCovered).toBe(true);
      await page.getByRole('button', { name: `Hide ${second}`, exact: true }).waitFor({ state: 'detached' });
      expect(Date.now() - began).toBeGreaterThanOrEqual(1_000);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('button', { name: `Hide ${second}`, exact: true }).click();
      await page.getByRole('button', { name: `Hide ${second}`, exact: true }).waitFor({ state: 'detached' });
      await filter(page).selectOption({ label: 'Show Non-Public (1)' });
      await page.getByRole('button', { name: `Show ${second} in the gallery` }).waitFor();
      await expect.poll(() => tiles(page).count()).toBe(1);
      await expectSound(page);
      await page.getByRole('button', { name: `Show ${second} in the gallery` }).click();
      await page.getByText('No hidden photos').waitFor();
      await page.getByRole('button', { name: 'Show Public' }).click();
      await expect.poll(() => tiles(page).count()).toBe(6);
    });
  });
});

describe('custom sort', () => {
  test('by keyboard: a photo is picked up, moved and dropped; Escape puts it back; the first one stays', async () => {
    await editing(WIDE, async (page) => {
      const before = await names();
      await filter(page).selectOption('default');
      await startSorting(page);
      // Only what visitors see can be ordered.
      await expect.poll(() => filter(page).inputValue()).toBe('onlyShowInGallery');
      await expect.poll(() => filter(page).isDisabled()).toBe(true);
      await expectSound(page);
      await movers(page).nth(0).focus();
      await page.keyboard.press('Space');
      await page.getByText('The first photo stays first.').waitFor();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Space');
      await page.getByText(`${before[2]} picked up at position 3 of 6`).waitFor();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      await page.getByText('Place 5 of 6.').waitFor();
      await page.keyboard.press('Escape');
      await page.getByText(`${before[2]} is back where it was.`).waitFor();
      await expect.poll(() => names()).toEqual(before);
      await page.keyboard.press('Enter');
      await page.keyboard.press('Home');
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await page.getByText(`${before[2]} dropped at position 6 of 6.`).waitFor();
      await expect.poll(names).toEqual(moved(before, 2, 5));
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
        .toBe(`Move ${before[2]}, place 6 of 6`);
      await page.getByRole('button', { name: 'Disable Custom Sort' }).click();
      await tiles(page).nth(5).waitFor();
      await expect.poll(() => page.getByLabel('Enable Custom Sort').isChecked()).toBe(false);
    });
  });

  test('by mouse, before or after another photo, and by position number', async () => {
    await editing(WIDE, async (page) => {
      const before = await names();
      await startSorting(page);
      const [from, to] = [await middleOf(movers(page).nth(1)), await middleOf(movers(page).nth(3), 0.9)];
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(from.x + 20, from.y, { steps: 4 });
      await page.mouse.move(to.x, to.y, { steps: 8 });
      await page.mouse.up();
      await expect.poll(names).toEqual(moved(before, 1, 3));
      // Nothing can be moved before the first one.
      const now = await names();
      const [last, first] = [await middleOf(movers(page).nth(5)), await middleOf(movers(page).nth(0), 0.1)];
      await page.mouse.move(last.x, last.y);
      await page.mouse.down();
      await page.mouse.move(last.x + 20, last.y, { steps: 4 });
      await page.mouse.move(first.x, first.y, { steps: 8 });
      await page.mouse.up();
      await expect.poll(names).toEqual(moved(now, 5, 1));

      const third = (await names())[2] ?? '';
      await page.getByRole('button', { name: `Move ${third}, place 3 of 6` }).click();
      const dialog = page.getByRole('dialog', { name: 'Move to position…' });
      await dialog.getByLabel('Place').fill('1');
      await dialog.getByRole('button', { name: 'Move photo' }).click();
      await dialog.getByText('The first photo stays first.').waitFor();
      await dialog.getByLabel('Place').fill('seven');
      await dialog.getByRole('button', { name: 'Move photo' }).click();
      await dialog.getByText('Choose a position from 2 to 6.').waitFor();
      const order = await names();
      await dialog.getByLabel('Place').fill('5');
      await dialog.getByRole('button', { name: 'Move photo' }).click();
      await expect.poll(names).toEqual(moved(order, 2, 4));
    });
  });

  test('by finger: press and hold, then move; a tap asks for a position', async () => {
    await editing(PHONE, async (page) => {
      const before = await names();
      await startSorting(page);
      await expectSound(page);
      const session = await page.context().newCDPSession(page);
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
        session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
      // Away from the edge of the window, where a drag scrolls.
      await inOrder(page)
        .first()
        .evaluate((tile) => tile.closest('ul')?.scrollIntoView({ block: 'start' }));
      const [from, to] = [await middleOf(movers(page).nth(1)), await middleOf(movers(page).nth(2), 0.9)];
      await touch('touchStart', [from]);
      await page.getByText(`${before[1]} picked up.`).waitFor();
      for (let step = 1; step <= 8; step++)
        await touch('touchMove', [
          { x: from.x + ((to.x - from.x) * step) / 8, y: from.y + ((to.y - from.y) * step) / 8 },
        ]);
      await touch('touchEnd', []);
      await expect.poll(names).toEqual(moved(before, 1, 2));
      await movers(page).nth(1).tap();
      await page.getByRole('dialog', { name: 'Move to position…' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Disable Custom Sort' }).tap();
      await tiles(page).nth(1).waitFor();
    });
  });
});

describe('many photos', () => {
  test('are selected by click, range and keyboard; hidden, priced and given keywords together', async () => {
    await editing(WIDE, async (page) => {
      const all = await names();
      const pick = (index: number) => page.getByRole('checkbox', { name: `Select ${all[index]}`, exact: true });
      await tiles(page).nth(1).hover();
      await pick(1).check();
      await pick(3).click({ modifiers: ['Shift'] });
      await chosen(page).getByText('3 photos selected').waitFor();
      await page.getByRole('button', { name: `Choose ${all[5]}`, exact: true }).click();
      await chosen(page).getByText('4 photos selected').waitFor();
      await expectSound(page);
      await page.keyboard.press('Escape');
      await chosen(page).waitFor({ state: 'detached' });

      // By keys alone.
      await page.getByRole('button', { name: `Edit ${all[0]}`, exact: true }).focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Space');
      await page.keyboard.press('Shift+ArrowRight');
      await chosen(page).getByText('2 photos selected').waitFor();
      await chosen(page).getByRole('button', { name: 'Price' }).click();
      const price = page.getByRole('dialog', { name: 'Set price' });
      // The text field has the focus, not the close button.
      await expect
        .poll(() => price.getByLabel('Price of 2 photos').evaluate((field) => field === document.activeElement))
        .toBe(true);
      await price.getByLabel('Price of 2 photos').fill('lots');
      await price.getByRole('button', { name: 'Save price' }).click();
      await price.getByText('A photo’s price must be from $0 to $10,000').waitFor();
      await price.getByLabel('Price of 2 photos').fill('3.50');
      await price.getByRole('button', { name: 'Save price' }).click();
      await page.getByText('2 photos repriced.').first().waitFor();
      expect((await photos()).map((photo) => photo.price_override)).toEqual([null, 3.5, 3.5, null, null, null]);
      await expect.poll(() => tiles(page).getByText('$3.50').count()).toBe(2);

      // They stay selected until they are cleared.
      await chosen(page).getByText('2 photos repriced.').waitFor();
      await chosen(page).getByRole('button', { name: 'Clear selection' }).click();
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
        .toBe(`Edit ${all[2]}`);
      await page.keyboard.press('Control+a');
      await chosen(page).getByText('6 photos selected').waitFor();
      await chosen(page).getByRole('button', { name: 'Keywords' }).click();
      const words = page.getByRole('dialog', { name: 'Add keywords' });
      await words.getByRole('button', { name: 'Add keywords' }).click();
      await words.getByText('A keyword is required.').waitFor();
      await words.getByLabel('Keywords for 6 photos').fill('autumn, meet');
      await words.getByRole('button', { name: 'Add keywords' }).click();
      await page.getByText('Keywords added to 6 photos.').first().waitFor();
      expect((await photos()).every((photo) => photo.keywords.length === 2)).toBe(true);

      await page.getByRole('button', { name: 'Select all' }).click();
      await chosen(page).getByRole('button', { name: 'Hide' }).click();
      await page.getByText('No public photos').waitFor();
      // Undone, they are selected again.
      await page.getByRole('button', { name: 'Undo' }).click();
      await chosen(page).getByText('6 photos selected').waitFor();
      expect((await photos()).every((photo) => photo.show_in_gallery)).toBe(true);
      await chosen(page).getByRole('button', { name: 'Hide' }).click();
      await page.getByText('No public photos').waitFor();
      await page.getByRole('button', { name: 'Show Non-Public' }).click();
      await page.getByRole('button', { name: 'Select all' }).click();
      await chosen(page).getByRole('button', { name: 'Show' }).click();
      await page.getByText('No hidden photos').waitFor();
      expect((await photos()).every((photo) => photo.show_in_gallery)).toBe(true);
    });
  });

  test('are selected on a phone by checkboxes and rotated there and back; the question says how many would be removed', async () => {
    await editing(PHONE, async (page) => {
      const all = await names();
      for (const index of [0, 1]) await page.getByRole('checkbox', { name: `Select ${all[index]}`, exact: true }).tap();
      await chosen(page).getByText('2 photos selected').waitFor();
      await expectSound(page);
      await chosen(page).getByRole('button', { name: 'Price' }).tap();
      await page.getByRole('button', { name: 'Save price' }).tap();
      // In the bar alone: below it a message would cover its buttons.
      await chosen(page).getByText('2 photos repriced.').waitFor();
      expect(await page.locator('.toasts').innerText()).toBe('');
      const addresses = async () => (await photos()).map((photo) => photo.image_url);
      const before = await addresses();
      await chosen(page).getByRole('button', { name: 'Rotate' }).tap();
      await chosen(page).getByText('2 photos rotated.').waitFor();
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Rotate');
      await chosen(page).getByRole('button', { name: 'Undo' }).tap();
      await chosen(page).getByText('2 photos rotated back.').waitFor();
      await expect.poll(async () => (await addresses()).slice(2)).toEqual(before.slice(2));
      await chosen(page).getByRole('button', { name: 'Delete' }).tap();
      const question = page.getByRole('alertdialog', { name: 'Remove 2 photos?' });
      await question.getByText('Are you sure you want to remove these 2 photos? This cannot be undone.').waitFor();
      await question.getByRole('button', { name: 'Cancel' }).tap();
      await expect.poll(() => names()).toEqual(all);
    });
  });
});

test('a photo is rotated behind a modal, and keeps its file; a failure is reported', async () => {
  await editing({ ...WIDE, allowed: /500/ }, async (page) => {
    // A photo as wide as this one has space for all buttons.
    const find = async () => (await photos()).find((photo) => saidNameOf(photo) === 'field-3');
    const [before, name] = [await find(), 'field-3'];
    const modal = page.getByRole('alertdialog', { name: 'Rotating' });
    const wasBlocked = await watchFor(page, 'Rotating');
    await page.getByRole('button', { name: `Rotate ${name}`, exact: true }).click();
    await expect.poll(wasBlocked).toBe(true);
    await modal.waitFor({ state: 'detached' });
    await expect.poll(async () => (await find())?.image_url).not.toBe(before?.image_url);
    const after = await find();
    await expect
      .poll(() => page.locator(`[data-photo="${after?.id}"] img`).getAttribute('src'))
      .toContain(after?.image_url ?? '-');

    await page.getByRole('button', { name: `Edit ${name}`, exact: true }).click();
    const details = page.getByRole('dialog', { name: 'Edit photo' });
    await expectSound(page);
    const [original] = await Promise.all([
      page.waitForEvent('download'),
      details.getByRole('link', { name: 'Download original' }).click(),
    ]);
    expect(new URL(original.url()).searchParams.get('adminview')).toBe('true');
    const [clean] = await Promise.all([
      page.waitForEvent('download'),
      details.getByRole('button', { name: 'Download clean' }).click(),
    ]);
    expect(clean.suggestedFilename()).toMatch(/ clean\.jpg$/);
    await page.route('**/rotate', (route) => route.fulfill({ status: 500, json: { error: 'x', errors: {} } }));
    await details.getByRole('button', { name: 'Rotate' }).click();
    await page.getByText('Error rotating image. Please contact support.').waitFor();
    await modal.waitFor({ state: 'detached' });
  });
});

test('of thousands of photos only those near the window are in the page, and every position is final', async () => {
  const large = await ownGallery(site.port, 6);
  await multiplyPhoto(site, large.photoIds[0] ?? 0, 3_000);
  const work = async (page: Page) => {
    await filter(page).locator('option', { hasText: 'Show Public (3,006)' }).waitFor({ state: 'attached' });
    const height = () => page.evaluate(() => document.documentElement.scrollHeight);
    await expect.poll(height).toBeGreaterThan(50_000);
    const honest = await height();
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await page.getByRole('button', { name: 'Edit Copy 3000', exact: true }).waitFor();
    expect(Math.abs((await height()) - honest)).toBeLessThan(honest * 0.1);
    await expect.poll(() => tiles(page).count()).toBeLessThan(120);
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight / 2));
    await page
      .getByRole('button', { name: /^Edit Copy 15\d\d$/ })
      .first()
      .waitFor();
    await expect.poll(() => tiles(page).count()).toBeLessThan(120);
    // By keys, which arrive before the photos that they lead to.
    await page.evaluate(() => window.scrollTo(0, 0));
    await page
      .getByRole('button', { name: /^Edit field-/ })
      .first()
      .focus();
    for (const key of ['End', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Edit Copy 2998');
    await page.getByRole('button', { name: 'Select all' }).click();
    await chosen(page).getByText('3,006 photos selected').waitFor();
  };
  await editing(WIDE, work, large);
});
