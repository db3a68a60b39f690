/** The main job: a visitor finds photos, pays with a sandbox card and downloads the originals. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { picturesOf } from '#src/demo/catalog.ts';
import { expectSoundOnBoth } from '#tests/e2e/public-pages.ts';
import { launchBrowser, listenForComplaints, VIEWPORTS } from '#tests/support/browser.ts';
import { galleryAddress } from '#tests/support/site-pages.ts';
import { useRunningSite } from '#tests/support/running-site.ts';

const PICTURES = join(import.meta.dirname, '../../demo/pictures/spring-cup-final');
const site = useRunningSite();
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** A fresh visitor in the gallery of the demo's cup final. */
async function visitCupFinal(viewport: {
  width: number;
  height: number;
}): Promise<{ page: Page; context: BrowserContext; complaints: () => string[] }> {
  const context = await browser.newContext({ viewport, acceptDownloads: true, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const complaints = listenForComplaints(page);
  await page.goto(site.url('/hawks-soccer'));
  await page
    .getByRole('link', { name: /Spring Cup Final/ })
    .first()
    .click();
  await page.getByRole('heading', { name: 'Spring Cup Final', level: 1 }).waitFor();
  return { page, context, complaints };
}

async function addByName(page: Page, name: string): Promise<void> {
  await page
    .getByRole('link', { name: new RegExp(name) })
    .first()
    .click();
  await page.getByRole('button', { name: 'Add to Cart' }).click();
  await page.getByRole('button', { name: 'Remove From Cart' }).waitFor();
  await page.getByRole('link', { name: 'Close' }).click();
}

async function fillBuyer(page: Page, email: string): Promise<void> {
  await page.getByLabel('First name').fill('Grace');
  await page.getByLabel('Last name').fill('Okafor');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Confirm email').fill(email);
}

async function fillCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiry').fill('1234');
  await page.getByLabel('CVC').fill('123');
  await page.getByLabel('Zip').fill('55401');
}

/** Each error disappears from its field and the list as soon as it is corrected, then the list; the focus stays. */
async function expectErrorsToLeave(page: Page): Promise<void> {
  const list = page.getByRole('alert').filter({ hasText: 'Please correct the following error(s):' });
  await page.getByLabel('First name').fill('Grace');
  await expect.poll(() => page.getByText('First name is required.').count()).toBe(0);
  await expect.poll(() => list.getByText('Last name is required.').count()).toBe(1);
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('first_name');
  await page.getByLabel('First name').fill('');
  await page.getByText('First name is required.').first().waitFor();
  await fillBuyer(page, 'grace@families.test');
  await fillCard(page, '4242');
  await expect.poll(() => list.count()).toBe(0);
  await expect.poll(() => page.locator('[aria-invalid=true]').count()).toBe(0);
}

/** Above the card number, which is marked, visible and focused; it disappears with the first change of the card. */
async function expectDeclineAtTheCard(page: Page): Promise<void> {
  const alert = page.getByRole('region', { name: 'Payment' }).getByRole('alert');
  await alert.getByText('Your card was declined.').waitFor();
  await alert.getByText('Nothing was charged.').waitFor();
  const number = page.getByLabel('Card number');
  await expect
    .poll(() => number.evaluate((input) => [document.activeElement === input, input.getAttribute('aria-invalid')]))
    .toEqual([true, 'true']);
  for (const seen of [alert, number]) {
    const isInView = () =>
      seen.evaluate((element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        const hit = document.elementFromPoint(left + width / 2, top + height / 2);
        return element.contains(hit);
      });
    await expect.poll(isInView).toBe(true);
  }
  await expect.poll(() => page.getByText('Please correct the following error(s):').count()).toBe(0);
  await number.fill('4');
  await expect.poll(() => page.getByText('Your card was declined.').count()).toBe(0);
}

describe('a visitor on a phone', () => {
  test('buys two photos with a donation and downloads both as they were uploaded', async () => {
    const { page, context, complaints } = await visitCupFinal(VIEWPORTS.phone);
    const [first, second] = picturesOf('spring-cup-final').filter((picture) =>
      ['Huddle', 'Coach Explains'].includes(picture.name),
    );
    if (!first || !second) throw new Error('the demo lost its pictures');
    await addByName(page, first.name);
    await addByName(page, second.name);
    await page.getByRole('link', { name: 'Review & Get' }).click();
    await page.getByRole('heading', { name: 'Review your photos' }).waitFor();
    await page.getByText('$10.00', { exact: true }).waitFor();
    await expectSoundOnBoth(page);

    await page.getByRole('button', { name: /Get Download/ }).click();
    for (const message of [
      'First name is required.',
      'Last name is required.',
      'Email is required.',
      'Confirm email is required.',
      'Zip is required.',
    ]) {
      await page.getByRole('alert').getByText(message).first().waitFor();
    }
    await expectErrorsToLeave(page);

    await fillBuyer(page, 'grace@families.test');
    await page.getByText('$5.00', { exact: true }).click();
    await fillCard(page, '4000000000000002');
    await page.getByRole('button', { name: 'Get Download $13.00' }).click();
    await expectDeclineAtTheCard(page);
    await fillCard(page, '4242424242424242');
    await page.getByRole('button', { name: 'Get Download $13.00' }).click();

    await page.getByRole('heading', { name: 'Order Confirmation' }).waitFor();
    await page.getByText('Your images are ready for download!').waitFor();
    expect(page.url()).toMatch(/\/hawks-soccer\/order\/[\w-]{22,}$/);
    await page.getByText('$13.00').first().waitFor();
    await expectSoundOnBoth(page);
    for (const picture of [first, second]) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: `Download ${picture.name}` }).click(),
      ]);
      const taken = await readFile(await download.path());
      // The demo's pictures have no GPS, so the sold copy is the file itself.
      expect(taken.equals(await readFile(join(PICTURES, picture.file)))).toBe(true);
    }
    // A declined card is status 402, which the browser logs as a failed request.
    expect(complaints().filter((line) => !line.includes('402'))).toEqual([]);
    await expect.poll(() => page.evaluate(() => localStorage.getItem('cartItems'))).toMatch(/^(\[\]|null)$/);
    await context.close();
  });
});

test('buying from a link takes at most seven taps besides the form until both photos are on the phone', async () => {
  const context = await browser.newContext({
    viewport: VIEWPORTS.phone,
    hasTouch: true,
    isMobile: true,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.addInitScript(() => {
    const handed: string[] = [];
    const share = async ({ files }: { files: File[] }) => void handed.push(...files.map((file) => file.name));
    Object.assign(navigator, { canShare: () => true, share });
    Object.assign(window, { handed });
  });
  let taps = 0;
  const tap = async (target: Locator): Promise<void> => {
    taps++;
    await target.tap();
  };
  const link = await galleryAddress(site.url('/hawks-soccer'), 'Spring Cup Final');
  await page.goto(link);
  const add = page.getByRole('button', { name: /\badd .+ to cart/i });
  await tap(add.first());
  await page.getByText('1 photo', { exact: false }).first().waitFor();
  await tap(add.first());
  await tap(page.getByRole('link', { name: 'Review & Get' }));
  await fillBuyer(page, 'grandmother@families.test');
  await fillCard(page, '4242424242424242');
  await tap(page.getByRole('button', { name: 'Get Download $8.00' }));
  await tap(page.getByRole('button', { name: 'Save all 2 to my phone' }));
  await page.getByText('Done. All 2 photos went to the place you chose.').waitFor();
  await expect.poll(() => page.evaluate(() => (window as unknown as { handed: string[] }).handed.length)).toBe(2);
  // One tap is for the phone's own sheet ("Save 2 Images"), and one for a slow network.
  expect(taps).toBeLessThanOrEqual(5);
  await context.close();
});

test('a free photo needs no card and is available immediately', async () => {
  const context = await browser.newContext({ viewport: VIEWPORTS.phone, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(site.url('/hawks-soccer'));
  await page
    .getByRole('link', { name: /Fan Photos/ })
    .first()
    .click();
  await page.getByRole('heading', { name: 'Fan Photos', level: 1 }).waitFor();
  const [picture] = picturesOf('fan-photos');
  await addByName(page, picture?.name ?? '');
  await page.getByRole('link', { name: 'Review & Get' }).click();
  await fillBuyer(page, 'free@families.test');
  await page.getByRole('button', { name: 'Get Download $0.00' }).waitFor();
  await expect.poll(() => page.getByLabel('Card number').count()).toBe(0);
  await page.getByRole('button', { name: 'Get Download $0.00' }).click();
  await page.getByText('Your image is ready to download!').waitFor();
  await context.close();
});

test('a wallet pays with one click, and fills the form', async () => {
  const { page, context, complaints } = await visitCupFinal(VIEWPORTS.phone);
  await addByName(page, 'Huddle');
  await page.getByRole('link', { name: 'Review & Get' }).click();
  await page.getByRole('button', { name: 'Test wallet' }).click();
  await page.getByRole('heading', { name: 'Your photo is ready, Wanda' }).waitFor();
  await page.getByText('Receipt', { exact: true }).click();
  await page.getByText('wanda@example.com').first().waitFor();
  await page.getByText('Visa ending in 4242').waitFor();
  expect(complaints()).toEqual([]);
  await context.close();
});

test('an invented order address opens nothing', async () => {
  const response = await fetch(`http://127.0.0.1:${site.port}/maple-street-pto/order/AAAAAAAAAAAAAAAAAAAAAA`);
  expect(response.status).toBe(404);
});
