/** A volunteer starts from a ready-made price sheet, changes it, and sells a gallery with it. */
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BUNDLE_PHOTOS, OFFER_PRICE_INVALID, SHEET_NAME_REQUIRED } from '#src/features/offers/offers.contract.ts';
import { asOwnerOf, ownGallery, type OwnGallery } from '#tests/e2e/own-gallery.ts';
import { expectSoundOnBoth, PHONE } from '#tests/e2e/public-pages.ts';
import { hydrated, launchBrowser } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';

const site = useRunningSite();
let browser: Browser;
let own: OwnGallery;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

test('a volunteer has a price sheet on a gallery on a phone, and sees it on a desktop', async () => {
  own = await ownGallery(site.port, 0);
  await asOwnerOf(own, browser, PHONE, async (page) => {
    await page.goto(own.at('/prices'));
    await page.getByRole('heading', { name: 'Prices', level: 1 }).waitFor();
    await hydrated(page);
    await expectSoundOnBoth(page);
    await page.getByRole('link', { name: 'Start with Bundles and passes' }).click();
    await page.getByRole('heading', { name: 'New price sheet' }).waitFor();
    await page.getByRole('row', { name: '8 $12.50 any 5 for $7.50' }).waitFor();
    await page.getByLabel('Name').fill('');
    await page.getByLabel('Photos').first().fill('1');
    await page.getByLabel('For').first().fill('ten');
    await page.getByRole('button', { name: 'Save price sheet' }).click();
    for (const words of [SHEET_NAME_REQUIRED, BUNDLE_PHOTOS, OFFER_PRICE_INVALID])
      await page.getByText(words).first().waitFor();
    await expectSoundOnBoth(page);
    await page.getByLabel('Name').fill('Autumn prices');
    await page.getByLabel('Photos').first().fill('3');
    await page.getByLabel('For').first().fill('7');
    await page.getByText('“3 for $7.00” costs more than three photos one by one').waitFor({ state: 'hidden' });
    await page.getByLabel('For').first().fill('5');
    await page.getByRole('button', { name: 'Move down: Bundle, place 1' }).click();
    await page.getByRole('button', { name: 'Save price sheet' }).click();
    await page.getByRole('heading', { name: 'Autumn prices', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Use here' }).click();
    await page.getByRole('list', { name: 'Galleries with this price sheet' }).getByText('Autumn Meet').waitFor();
    await expectSoundOnBoth(page);

    await page.goto(own.at(`/gallery/${own.galleryId}/edit?area=settings`));
    await hydrated(page);
    const select = page.getByLabel('Price sheet');
    await select.getByRole('option', { name: 'Autumn prices' }).waitFor({ state: 'attached' });
    expect(await select.locator('option:checked').textContent()).toBe('Autumn prices');
    await expectSoundOnBoth(page);
    await select.selectOption('None');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Everything is saved.').waitFor();

    await page.goto(own.at('/prices'));
    await page.getByRole('link', { name: /Autumn prices/ }).waitFor();
    await page.getByText('any 5 for $7.50 · 3 for $5.00 · The whole gallery for $20.00').waitFor();
    await page.getByText('Used by no gallery').waitFor();
    await expectSoundOnBoth(page);

    await page.getByRole('link', { name: 'New price sheet' }).click();
    await page.getByRole('link', { name: 'Simple' }).click();
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Simple');
  });
});

/** Five taps and no typing take far less than two minutes. */
const TAPS = 5;
const TWO_MINUTES_MS = 120_000;

test('from the dashboard to a ready-made sheet on a gallery with five taps on a phone, without typing', async () => {
  own = await ownGallery(site.port, 0, 'Cup final');
  await asOwnerOf(own, browser, PHONE, async (page) => {
    await page.goto(own.at('/dashboard'));
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await hydrated(page);
    let taps = 0;
    const tap = async (what: Locator) => {
      await what.tap();
      taps += 1;
    };
    const startedAt = performance.now();
    await tap(page.getByRole('button', { name: 'More' }));
    await tap(page.getByRole('dialog').getByRole('link', { name: 'Prices' }));
    await tap(page.getByRole('link', { name: 'Start with Bundles', exact: true }));
    await tap(page.getByRole('button', { name: 'Save price sheet' }));
    await tap(page.getByRole('button', { name: 'Use here' }));
    await page.getByRole('list', { name: 'Galleries with this price sheet' }).getByText('Cup final').waitFor();
    expect(taps).toBe(TAPS);
    expect(performance.now() - startedAt).toBeLessThan(TWO_MINUTES_MS);
    process.stdout.write(`a sheet on a gallery: ${taps} taps, ${Math.round(performance.now() - startedAt)} ms\n`);
    await page.goto(own.at(`/gallery/${own.galleryId}`));
    await page.getByText('$2.00 each · 3 for $5.00 · any 5 for $7.50').waitFor();
  });
});
