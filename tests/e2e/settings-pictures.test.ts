/** The pictures of a club's settings in a real browser. */
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as words from '#src/features/tenancy/settings-words.contract.ts';
import { bar, inSettings } from '#tests/e2e/own-settings.ts';
import { WIDE, expectSound, PHONE } from '#tests/e2e/public-pages.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';

const site = useRunningSite();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const png = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#884422' } })
    .png()
    .toBuffer();
const choose = async (page: Page, name: string, width: number, height: number) =>
  page
    .getByLabel(name, { exact: true })
    .and(page.locator('input[type=file]'))
    .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: await png(width, height) });

describe('pictures', () => {
  test('of a wrong size are refused with a message before they are uploaded; others are shown, saved and removed', async () => {
    await inSettings({ browser, site }, WIDE, async (page, path) => {
      await choose(page, 'Mobile ad', 301, 240);
      await page.getByText('The image width is incorrect. This image is 301px wide, required is: 300').waitFor();
      await page.getByText('The image height is incorrect. This image is 240px high, required is: 250').waitFor();
      await choose(page, 'Mobile ad', 300, 250);
      await page.getByRole('img', { name: 'Mobile ad, as it is now' }).waitFor();
      await expect.poll(() => page.getByText(/The image width is incorrect/).count()).toBe(0);
      await choose(page, 'Logo', 400, 400);
      await page.getByRole('img', { name: 'Logo, as it is now' }).waitFor();
      await bar(page, words.UPDATE).click();
      await bar(page, words.UPDATED).waitFor();
      await page.reload();
      await page.getByRole('img', { name: 'Mobile ad, as it is now' }).scrollIntoViewIfNeeded();
      await page.waitForFunction(() =>
        [...document.querySelectorAll('img')].some(
          ({ alt, naturalWidth }) => alt.startsWith('Mobile ad') && naturalWidth === 300,
        ),
      );
      await page.getByRole('button', { name: 'Remove mobile ad' }).click();
      await bar(page, words.UPDATE).click();
      await bar(page, words.UPDATED).waitFor();
      const [club] = await page.evaluate(
        async (name) => (await fetch(`/api/v1/affiliates/${name}`)).json() as Promise<Record<string, unknown>[]>,
        path,
      );
      expect(club).toMatchObject({
        mobile_display_image_url: null,
        logo_url: expect.stringContaining('/pictures/logo'),
      });
    });
  });

  test('of the watermark, its text and its placement are previewed on a photo before they are saved', async () => {
    await inSettings({ browser, site }, PHONE, async (page) => {
      const preview = page.getByRole('img', { name: 'With this watermark, as visitors would see it' });
      await preview.scrollIntoViewIfNeeded();
      await page.getByLabel('Watermark text').fill('Climb on');
      await page.getByRole('radio', { name: 'Once, in the middle' }).check();
      await page.waitForFunction(() =>
        [...document.querySelectorAll('img')].some(
          ({ src, complete, naturalWidth }) =>
            /placement=centred&.*text=Climb/.test(src) && complete && naturalWidth > 100,
        ),
      );
      await expectSound(page);
    });
  });
});
