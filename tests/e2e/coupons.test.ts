/** An owner makes a code, sees what it costs, changes it and ends it. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FREE_NEEDS_LIMIT } from '#src/features/coupons/coupon-editing.contract.ts';
import { asOwnerOf, ownGallery, type OwnGallery } from '#tests/e2e/own-gallery.ts';
import { expectSoundOnBoth, PHONE } from '#tests/e2e/public-pages.ts';
import { hydrated, launchBrowser } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { shareGoods } from '#tests/support/second-try.ts';

const site = useRunningSite();
let browser: Browser;
let own: OwnGallery;
beforeAll(async () => {
  browser = await launchBrowser();
});
shareGoods(async () => {
  own = await ownGallery(site.port, 0);
});
afterAll(() => browser?.close());

test('an owner makes, changes and ends a code on a phone', async () => {
  const code = 'TEAMPHONE';
  await asOwnerOf(own, browser, { ...PHONE, allowed: /422/ }, async (page) => {
    await page.goto(own.at('/prices/codes'));
    await page.getByRole('heading', { name: 'Prices', level: 1 }).waitFor();
    await hydrated(page);
    await expectSoundOnBoth(page);
    await page.getByRole('button', { name: 'Create a code' }).click();
    const form = page.getByRole('dialog', { name: 'Create a code' });
    await form.getByLabel('What is it worth?').selectOption('Photos free');
    await form.getByLabel(/^Photos/).fill('2');
    await form.getByLabel('Code', { exact: true }).fill(code.toLowerCase());
    await form.getByRole('button', { name: 'Create code' }).click();
    await form.getByText(FREE_NEEDS_LIMIT).waitFor();
    await form.getByLabel('Orders in total').fill('25');
    await form.locator('summary').filter({ hasText: 'Only for some galleries' }).click();
    await form.getByRole('checkbox').first().check();
    await expectSoundOnBoth(page);
    await form.getByRole('button', { name: 'Create code' }).click();
    const card = page.getByRole('list', { name: 'Codes' }).getByRole('listitem').filter({ hasText: code });
    await card.getByText('2 photos free').waitFor();
    await card.getByText('With this code 2 photos cost nothing.').waitFor();
    await card.getByText('0 of 25').waitFor();
    await card.getByText('1 gallery').waitFor();
    await card.getByRole('button', { name: `Change ${code}` }).click();
    const changes = page.getByRole('dialog', { name: `Change ${code}` });
    await expect.poll(() => changes.getByLabel('Orders in total').inputValue()).toBe('25');
    await changes.getByLabel('What is it worth?').selectOption('A percentage off');
    await changes.getByLabel(/^Percent/).fill('20%');
    await changes.getByLabel('Minimum order').fill('20');
    await changes.getByRole('button', { name: 'Save' }).click();
    await card.getByText('20% off').waitFor();
    await page.reload();
    await hydrated(page);
    await card.getByText(/orders of \$20\.00 or more/).waitFor();
    await card.getByRole('button', { name: `End ${code}` }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'End code' }).click();
    await card.getByText('Ended', { exact: true }).waitFor();
    await expectSoundOnBoth(page);
  });
});
