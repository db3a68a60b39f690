/** Visitors of a gallery search for a number: its photos, all of them for one price, and emails about new ones. */
import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownFamily, type OwnFamily } from '#tests/e2e/own-family.ts';
import { expectSound, expectSoundOnBoth, PHONE, visiting } from '#tests/e2e/public-pages.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { shareGoods } from '#tests/support/second-try.ts';
import { sentEmails } from '#tests/support/sent-emails.ts';
import { galleryAddress, read } from '#tests/support/site-pages.ts';

const site = useRunningSite();
let browser: Browser;
let own: OwnFamily;
beforeAll(async () => {
  browser = await launchBrowser();
});
shareGoods(async () => {
  own = await ownFamily(site.port);
});
afterAll(() => browser?.close());

const gallery = (search = '') => own.at(`/gallery/${own.galleryId}${search}`);
const photos = (page: Page) => page.getByRole('list', { name: 'Photos', exact: true }).getByRole('link');
async function search(page: Page, number: string): Promise<void> {
  const field = page.getByRole('searchbox', { name: 'Find a number' });
  await field.fill(number);
  await field.press('Enter');
}

test('a number is searched, and all its photos are put into the cart', async () => {
  await visiting(browser, gallery(), PHONE, async (page) => {
    expect(await page.getByRole('searchbox', { name: 'Find a number' }).getAttribute('inputmode')).toBe('numeric');
    await page.getByRole('link', { name: /^Hawks 10/ }).waitFor();
    await search(page, '10');
    await page.getByText('3 photos with “10”').waitFor();
    await page.getByText('All 3 photos of number 10 for $5.00').waitFor();
    await expect.poll(() => photos(page).count()).toBe(3);
    await expectSoundOnBoth(page);
    await page.getByRole('button', { name: 'Add to cart: All 3 photos of number 10 for $5.00' }).click();
    const cart = page.getByRole('complementary', { name: 'Cart' });
    await cart.getByText('1 pass, 5 dollars').waitFor();
    await page
      .getByRole('button', { name: /^\$2\.00\. Add .* to cart$/ })
      .first()
      .click();
    await cart.getByText('1 photo, 1 pass, 7 dollars').waitFor();
    await cart.getByText('Checkout subtracts the photos in your pass.').waitFor();
    await page.getByRole('link', { name: 'Review & Get' }).click();
    await page.getByText('All photos of number 10 $5.00').waitFor();
    await page.getByRole('button', { name: 'Get Download $5.00' }).waitFor();
    expect(await page.content()).not.toMatch(/Maya|Rivera/);
  });
});

test('without scripts the photos of a number follow their count: the offers need scripts', async () => {
  await visiting(browser, gallery('?search=10'), { ...PHONE, javaScriptEnabled: false }, async (page) => {
    const count = await page.getByText('3 photos with “10”').boundingBox();
    const first = await photos(page).first().boundingBox();
    expect((first?.y ?? 0) - (count?.y ?? 0) - (count?.height ?? 0)).toBeLessThan(20);
    expect(await page.getByText('Tell me about new photos').isVisible()).toBe(false);
  });
});

test('while a number is searched, no row is shown that its other photos will change', async () => {
  const cup = await galleryAddress(site.url('/hawks-soccer'), 'Spring Cup Final');
  await visiting(browser, cup, PHONE, async (page) => {
    await page.evaluate(() => window.scrollTo(0, 900));
    await expect.poll(() => photos(page).count()).toBeGreaterThan(10);
    const answer = Promise.withResolvers<void>();
    await page.route(/gallery_photos\?.*keyword=10/, async (route) => {
      await answer.promise;
      await route.continue();
    });
    await page.getByRole('link', { name: /^10 ?, photos: / }).tap();
    await page.getByText('Searching...').waitFor();
    await expect.poll(() => page.locator('.photo-tile[data-waiting]').count()).toBeGreaterThan(0);
    answer.resolve();
    await page.getByText(/^\d+ photos with “10”$/).waitFor();
  });
});

test('a visitor who finds no photo of a number gets an email about the first one, and may stop and undo', async () => {
  const email = `watch-${randomUUID().slice(0, 8)}@families.test`;
  let link = '';
  await visiting(browser, gallery(), PHONE, async (page) => {
    await search(page, '44');
    await page.getByRole('heading', { name: 'No photo of number 44 here yet.' }).waitFor();
    // With its team first, too; a word that is not a team is a keyword.
    await search(page, 'Hawks 44');
    await page.getByRole('heading', { name: 'No photo of number 44 of Hawks U12 here yet.' }).waitFor();
    await page.getByRole('button', { name: 'Tell me when there is one' }).waitFor();
    await expectSound(page);
    await search(page, 'goal 44');
    await page.getByRole('heading', { name: 'No photos match “goal 44”' }).waitFor();
    await search(page, '44');
    await page.getByRole('heading', { name: 'No photo of number 44 here yet.' }).waitFor();
    await expectSound(page);
    await page.getByRole('button', { name: 'Tell me when there is one' }).click();
    const dialog = page.getByRole('dialog', { name: 'Tell me when there is one' });
    await dialog.getByText('at most one a day, each with a link to stop').waitFor();
    await dialog.getByLabel('Team').selectOption('Tides U9');
    await expectSound(page);
    await dialog.getByRole('button', { name: 'Tell me', exact: true }).click();
    await dialog.getByText('Please enter your email address.').waitFor();
    await dialog.getByLabel('Your email').fill(email);
    await dialog.getByRole('button', { name: 'Tell me', exact: true }).click();
    await dialog
      .getByText(
        'We sent you an email. Press its button, and we will tell you about new photos of number 44, at most once a day.',
      )
      .waitFor();
    await expectSound(page);
    const sentEmail = async () =>
      (await sentEmails(site.dataDir, email, 'New photos of number 44 of Tides U9: please confirm'))[0] ?? '';
    await expect.poll(sentEmail, { timeout: 30_000 }).toContain('/w/confirm?key=');
    link = /http:\S+\/w\/confirm\?key=[\w-]{43}/.exec(await sentEmail())?.[0] ?? '';
  });
  await visiting(browser, link, PHONE, async (page) => {
    await page.getByText('We will tell you about new photos of number 44, at most once a day.').waitFor();
    await expectSound(page);
    await page.getByRole('link', { name: 'Stop these emails' }).click();
    await page.getByRole('button', { name: 'Stop these emails' }).waitFor();
    await expectSound(page);
    await page.getByRole('button', { name: 'Stop these emails' }).click();
    await page.getByText('You will get no more emails about number 44 of Tides U9.').waitFor();
    await expectSound(page);
    await page.getByRole('link', { name: 'Undo' }).click();
    await page.getByText('We will tell you about new photos of number 44, at most once a day.').waitFor();
  });
});

test('an email’s link that is too old says so', async () => {
  const old = (what: string) => site.url(`/w/${what}?key=${'A'.repeat(43)}`, 'www');
  const sentence = 'This link is no longer valid. Please ask again on the photo page.';
  await visiting(browser, old('confirm'), { ...PHONE, allowed: /status of 404/ }, async (page) => {
    await page.getByText(sentence).waitFor();
    await expectSound(page);
  });
  const { status, text: html } = await read(old('stop'));
  expect([status, html.includes(sentence)]).toEqual([404, true]);
});
