/** A free club at its limit is led to the upgrade, and back. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UPGRADE_FOR_MORE_GALLERIES } from '#src/features/galleries/galleries.contract.ts';
import { ownGallery, asOwnerOf, type OwnGallery } from '#tests/e2e/own-gallery.ts';
import { WIDE, expectSoundOnBoth, PHONE } from '#tests/e2e/public-pages.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';

const site = useRunningSite();
let browser: Browser;
let own: OwnGallery;
beforeAll(async () => {
  browser = await launchBrowser();
  own = await ownGallery(site.port, 0);
});
afterAll(() => browser?.close());

describe('a free club with its one gallery', () => {
  test('is told so where it would create another one', async () => {
    await asOwnerOf(own, browser, PHONE, async (page) => {
      await page.goto(own.at('/create-gallery'));
      await page.getByText(UPGRADE_FOR_MORE_GALLERIES).waitFor();
      await expect.poll(() => page.getByRole('textbox').count()).toBe(0);
      await expectSoundOnBoth(page);
    });
  });

  test('upgrades there, and continues where it was', async () => {
    const upgrading = await ownGallery(site.port, 0);
    await asOwnerOf(upgrading, browser, WIDE, async (page) => {
      await page.goto(upgrading.at('/create-gallery'));
      await page.getByRole('main').getByRole('link', { name: 'Upgrade' }).click();
      await page.getByRole('heading', { level: 1, name: 'Upgrade' }).waitFor();
      await page.getByLabel('Card number').fill('4242424242424242');
      await page.getByLabel('Expiry').fill('1240');
      await page.getByLabel('CVC').fill('123');
      await page.getByLabel('Zip').fill('55401');
      await page.getByRole('button', { name: 'Pay $89.00 and upgrade' }).click();
      await page.waitForURL(upgrading.at('/create-gallery'));
      await page.getByLabel('Photos by').waitFor();
    });
  });
});
