/** Adding photos: the check mark, the bar, and the question before a cart of another club. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { BOTH, WIDE, PHONE, expectSound, visiting } from '#tests/e2e/public-pages.ts';
import { galleryAddress } from '#tests/support/site-pages.ts';

const site = useRunningSite();
let browser: Browser;
let cup: string;
let meet: string;
/** Has offers, and so a hint above the bar. */
let opener: string;
beforeAll(async () => {
  browser = await launchBrowser();
  [cup, meet, opener] = await Promise.all([
    galleryAddress(site.url('/hawks-soccer'), 'Spring Cup Final'),
    galleryAddress(site.url('/tides-swim'), 'Dual Meet'),
    galleryAddress(site.url('/hawks-soccer'), 'Season Opener'),
  ]);
});
afterAll(() => browser?.close());

const bar = (page: Page) => page.getByRole('complementary', { name: 'Cart' });

/** Clicks the cart button of a tile like a keyboard user, without hovering. */
async function choose(page: Page, index: number): Promise<void> {
  const button = page.locator(`#photo-${index}`).getByRole('button', { name: /to cart$|^In cart/ });
  await button.focus();
  await page.keyboard.press('Enter');
}

describe('the cart', () => {
  test.each(BOTH)(
    'counts and sums its photos, shows them as added and leads to the checkout %s',
    async (_where, options) => {
      await visiting(browser, cup, options, async (page) => {
        await expect.poll(() => bar(page).count()).toBe(0);
        await choose(page, 0);
        await choose(page, 2);
        await bar(page).getByText('2 photos').waitFor();
        await bar(page).getByText('$8.00').waitFor();
        await expect.poll(() => page.locator('.photo-tile[data-chosen] .tile-cart[data-on]').count()).toBe(2);
        await expect
          .poll(() => bar(page).getByRole('link', { name: 'Review & Get' }).getAttribute('href'))
          .toBe('/hawks-soccer/checkout');
        await expectSound(page);
        await choose(page, 0);
        await bar(page).getByText('1 photo', { exact: false }).waitFor();
        await page.reload();
        await bar(page).getByText('$4.00').waitFor();
        await choose(page, 2);
        await bar(page).waitFor({ state: 'detached' });
      });
    },
  );

  test('of one club is not mixed with another club’s without asking', async () => {
    await visiting(browser, cup, WIDE, async (page) => {
      await choose(page, 0);
      await page.goto(meet);
      await choose(page, 0);
      const question = page.getByRole('alertdialog', { name: 'Start a new cart?' });
      await question.getByText('Hawks Soccer Club').waitFor();
      await expectSound(page);
      await question.getByRole('button', { name: 'Keep my cart' }).click();
      await expect.poll(() => bar(page).getByRole('link').getAttribute('href')).toBe('/hawks-soccer/checkout');
      await choose(page, 0);
      await question.getByRole('button', { name: 'Start a new cart' }).click();
      await bar(page).getByText('$2.00').waitFor();
      await expect.poll(() => bar(page).getByRole('link').getAttribute('href')).toBe('/tides-swim/checkout');
    });
  });

  test.each([...BOTH, ['on the narrowest phone', { ...PHONE, viewport: { width: 320, height: 640 } }] as const])(
    'leaves the footer visible at the end of the page, and is one row high %s',
    async (_where, options) => {
      await visiting(browser, meet, options, async (page) => {
        await choose(page, 0);
        const pay = bar(page).getByRole('link', { name: 'Review & Get' });
        await pay.waitFor();
        const contact = page.getByRole('contentinfo').getByRole('link').last();
        await expect
          .poll(async () => {
            await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
            const [above, below] = await Promise.all([contact.boundingBox(), pay.boundingBox()]);
            return above !== null && below !== null && above.y + above.height <= below.y;
          })
          .toBe(true);
        const [count, button] = await Promise.all([bar(page).getByRole('status').boundingBox(), pay.boundingBox()]);
        expect((count?.x ?? 0) + (count?.width ?? 0)).toBeLessThanOrEqual(button?.x ?? 0);
      });
    },
  );

  test('leaves six sevenths of a phone to the photos with large text, and its hint to the checkout', async () => {
    await visiting(browser, opener, PHONE, async (page) => {
      await choose(page, 0);
      await choose(page, 1);
      const hint = bar(page).getByText('Add one more photo for $2.00 and get 3 for $10.00.');
      await hint.waitFor();
      await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
      await hint.waitFor({ state: 'hidden' });
      const box = await bar(page).locator('> div').boundingBox();
      expect(box?.height).toBeLessThan(844 / 7);
      await expectSound(page);
      await bar(page).getByRole('link', { name: 'Review & Get' }).click();
      await page.getByText('Add one more photo for $2.00 and get 3 for $10.00.').waitFor();
    });
  });

  test('says what is in the cart in whole words with large text on the smallest phone', async () => {
    await visiting(browser, cup, { ...PHONE, viewport: { width: 320, height: 640 } }, async (page) => {
      await choose(page, 1);
      await choose(page, 2);
      await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
      const lines = () =>
        bar(page)
          .getByText('2 photos')
          .evaluate((element) => {
            const words = document.createRange();
            words.setStart(element, 0);
            words.setEnd(element.querySelector('strong') ?? element, 0);
            return new Set([...words.getClientRects()].map(({ top }) => Math.round(top))).size;
          });
      await expect.poll(lines).toBe(1);
      const box = await bar(page).locator('> div').boundingBox();
      expect(box?.height).toBeLessThan(640 / 4);
      await expectSound(page);
    });
  });

  test('is hidden at the checkout', async () => {
    await visiting(browser, cup, WIDE, async (page) => {
      await choose(page, 1);
      await bar(page).getByRole('link', { name: 'Review & Get' }).click();
      await page.waitForURL(/\/checkout$/, { waitUntil: 'commit' });
      await bar(page).waitFor({ state: 'detached' });
    });
  });
});
