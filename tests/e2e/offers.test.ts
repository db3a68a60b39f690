/** Offers for a buyer: the line of a gallery, all prices, the cart bar, the review, and a bundle that is paid for. */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownGallery, type OwnGallery } from '#tests/e2e/own-gallery.ts';
import { expectSound, expectSoundOnBoth, PHONE, visiting } from '#tests/e2e/public-pages.ts';
import { fillIn, PAY } from '#tests/e2e/shopping.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';

const site = useRunningSite();
let browser: Browser;
let own: OwnGallery;
let gallery: string;
let sheetId: number;
beforeAll(async () => {
  browser = await launchBrowser();
  own = await ownGallery(Number(new URL(site.url('/')).port), 6, 'Cup Final');
  const { id } = await own.call<{ id: number }>('POST', `/api/v1/affiliates/${own.affiliateId}/price_sheets`, {
    price_sheet: {
      name: 'Fall',
      offers: [
        { kind: 'bundle', photos: 3, price: 10 },
        { kind: 'bundle', photos: 5, price: 15 },
        { kind: 'gallery_pass', price: 21 },
      ],
    },
  });
  await own.call('PUT', `/api/v1/galleries/${own.galleryId}`, { gallery: { price_per_photo: 4, price_sheet_id: id } });
  sheetId = id;
  gallery = own.at(`/gallery/${own.galleryId}`);
});
afterAll(() => browser?.close());

const bar = (page: Page) => page.getByRole('complementary', { name: 'Cart' });
const plus = (page: Page, index: number) => page.locator(`#photo-${index}`).getByRole('button', { name: /to cart$/ });
const review = (page: Page) => bar(page).getByRole('link', { name: 'Review & Get' });

async function choose(page: Page, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await plus(page, index).press('Enter');
}

async function fillInAndReprice(page: Page, email: string): Promise<void> {
  // The page asks for the price again with the zip: after that it has no reason to.
  const asked = page.waitForResponse((answer) => answer.request().postData()?.includes('"zip":"55401"') === true);
  await fillIn(page, email);
  await asked;
}

describe('a buyer', () => {
  test('gets from the gallery to a paid bundle with eight taps on a phone', async () => {
    await visiting(browser, gallery, PHONE, async (page) => {
      let taps = 0;
      const tap = async (what: Locator) => {
        taps += 1;
        await what.tap();
      };
      for (let index = 0; index < 5; index += 1) await tap(plus(page, index));
      await bar(page).getByText('5 photos, 15 dollars, instead of 20').waitFor();
      await tap(review(page));
      await page.getByRole('button', { name: PAY }).waitFor();
      await tap(page.getByLabel('First name'));
      // From field to field with the keyboard's own key.
      for (const word of ['Grace', 'Okafor', 'grace@families.test', 'grace@families.test'])
        await typeAndGoOn(page, word);
      const card = page.getByLabel('Card number');
      while (!(await card.evaluate((field) => field === document.activeElement))) await page.keyboard.press('Tab');
      for (const word of ['4242424242424242', '1234', '123']) await typeAndGoOn(page, word);
      await page.keyboard.type('55401');
      await tap(page.getByRole('button', { name: PAY }));
      await page.waitForURL(/\/order\//);
      expect(taps).toBeLessThanOrEqual(8);
      await page.getByText('$15.00').first().waitFor();
      await expect.poll(() => page.evaluate(() => localStorage.getItem('cartItems'))).toBe('[]');
    });
  });

  test('sees what photos cost, what one more would cost, and how the price is made', async () => {
    const expectSoundInTheDark = async (page: Page) => {
      await expectSoundOnBoth(page);
      await page.emulateMedia({ colorScheme: 'dark' });
      await expectSound(page);
      await page.emulateMedia({ colorScheme: 'light' });
    };
    await visiting(browser, gallery, PHONE, async (page) => {
      await page.getByText('$4.00 each · 3 for $10.00 · any 5 for $15.00').waitFor();
      await page.getByRole('button', { name: 'All prices' }).click();
      const prices = page.getByRole('dialog', { name: 'All prices' });
      await prices.getByText('Any 5 for $15.00').waitFor();
      await expectSoundInTheDark(page);
      await prices.getByRole('button', { name: 'Close' }).click();

      await choose(page, 4);
      await bar(page).getByText('4 photos, 14 dollars, instead of 16').waitFor();
      await bar(page).getByText('Add one more photo for $1.00 and get any 5 for $15.00.').waitFor();
      await expectSoundInTheDark(page);
      await bar(page).getByRole('button', { name: 'Hide this hint' }).click();
      await expect.poll(() => bar(page).getByText('Add one more photo').count()).toBe(0);
      await page.reload();
      await bar(page).getByText('4 photos, 14 dollars, instead of 16').waitFor();
      expect(await bar(page).getByText('Add one more photo').count()).toBe(0);

      await page.goto(`${gallery}/photo/${own.photoIds[0]}`);
      await page.getByRole('link', { name: 'Review your cart: 4 photos' }).getByText('4 · $14.00').waitFor();
      await page.goto(gallery);

      await review(page).click();
      const made = page.getByRole('region', { name: 'How your price is made' });
      await made.getByText('3 for $10.00, 3 photos').click();
      await expect.poll(() => made.getByRole('img').count()).toBe(3);
      await made.getByText('1 photo at $4.00').waitFor();
      await page.getByRole('button', { name: 'Get Download $14.00' }).waitFor();
      await expectSoundInTheDark(page);
    });
  });

  test('sees immediately that a code is not known, and continues without it', async () => {
    await visiting(browser, gallery, PHONE, async (page) => {
      await choose(page, 1);
      await review(page).click();
      await page.getByRole('button', { name: 'Have a code?' }).click();
      await page.getByLabel('Have a code?').fill('nosuchcode');
      await page.getByRole('button', { name: 'Use code' }).click();
      await page.getByText('We do not recognize this code.').waitFor();
      await page.getByText('nosuchcode is not used.').waitFor();
      await page.getByRole('button', { name: PAY }).waitFor();
      await page.getByRole('button', { name: 'Remove code' }).click();
      await expect.poll(() => page.getByText('We do not recognize this code.').count()).toBe(0);
    });
  });

  test('who typed a code and pays without using it sees what it saves first', async () => {
    const coupon = { code: 'FORGOTTEN', kind: 'percent', value: 25 };
    await own.call('POST', `/api/v1/affiliates/${own.affiliateId}/coupons`, { coupon });
    await visiting(browser, gallery, PHONE, async (page) => {
      await choose(page, 1);
      await review(page).click();
      await page.getByRole('button', { name: 'Have a code?' }).click();
      await page.getByLabel('Have a code?').fill('forgotten');
      await fillInAndReprice(page, 'grace.f@families.test');
      await page.getByRole('button', { name: 'Get Download $4.00' }).click();
      await page.getByText('You also typed a code. Please check the total and press again.').waitFor();
      await page.getByRole('button', { name: 'Get Download $3.00' }).click();
      await page.waitForURL(/\/order\//);
    });
  });

  test('sees at the form that a code has ended meanwhile, with both prices, and pays without it', async () => {
    const coupons = `/api/v1/affiliates/${own.affiliateId}/coupons`;
    const coupon = { code: 'ENDSNOW', kind: 'percent', value: 25 };
    const { id } = await own.call<{ id: number }>('POST', coupons, { coupon });
    await visiting(browser, gallery, { ...PHONE, allowed: /422/ }, async (page) => {
      await choose(page, 1);
      await review(page).click();
      await page.getByRole('button', { name: 'Have a code?' }).click();
      await page.getByLabel('Have a code?').fill('endsnow');
      await page.getByRole('button', { name: 'Use code' }).click();
      await page.getByRole('button', { name: 'Get Download $3.00' }).waitFor();
      await fillInAndReprice(page, 'grace.c@families.test');
      await own.call('POST', `${coupons}/${id}/end`);
      await page.getByRole('button', { name: PAY }).click();
      const problems = page.getByRole('alert').filter({ hasText: 'This code ended on' });
      await problems.waitFor();
      await expect.poll(() => problems.evaluate((box) => box === document.activeElement)).toBe(true);
      await page.getByText('before $3.00').waitFor();
      await problems.waitFor();
      await page.getByRole('button', { name: 'Get Download $4.00' }).click();
      await page.waitForURL(/\/order\//);
    });
  });

  test('sees both prices if the sheet changed meanwhile, and is charged nothing before confirming', async () => {
    const sell = (price: number, early_bird: object | null) =>
      own.call('PUT', `/api/v1/price_sheets/${sheetId}`, {
        price_sheet: {
          early_bird,
          offers: [
            { kind: 'bundle', photos: 3, price },
            { kind: 'bundle', photos: 5, price: 15 },
            { kind: 'gallery_pass', price: 21 },
          ],
        },
      });
    await sell(10, { percent: 10, last_day: '2099-12-31' });
    try {
      await visiting(browser, gallery, { ...PHONE, allowed: /409/ }, async (page) => {
        await page.getByText('10% off until 12.31.2099').first().waitFor();
        await choose(page, 3);
        await review(page).click();
        await page.getByText('Early bird, 10% off').waitFor();
        await page.getByRole('button', { name: 'Get Download $9.00' }).waitFor();
        await fillInAndReprice(page, 'grace.o@families.test');
        await page.getByRole('button', { name: 'Get Download $9.00' }).waitFor();
        await sell(11, null);
        await page.getByRole('button', { name: PAY }).click();
        await page.getByText('Prices have changed. Please review your cart.').first().waitFor();
        await page.getByText('before $9.00').waitFor();
        await page.getByRole('alert').getByText('The subtotal is $11.00 now instead of $9.00.').waitFor();
        await page.getByRole('button', { name: 'Get Download $11.00' }).waitFor();
        await expectSound(page);
      });
    } finally {
      await sell(10, null);
    }
  });

  test('can read all of it at 200 % text, at 320 pixels', async () => {
    const narrow = { ...PHONE, viewport: { width: 320, height: 700 } };
    await visiting(browser, gallery, narrow, async (page) => {
      await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
      await choose(page, 4);
      // Large text leaves no space for the hint, which the checkout repeats.
      const hint = bar(page).getByText('Add one more photo');
      await hint.waitFor({ state: 'attached' });
      expect(await hint.isVisible()).toBe(false);
      await review(page).waitFor();
      await expectSound(page);
      await page.getByRole('button', { name: 'All prices' }).click();
      await page.getByRole('dialog', { name: 'All prices' }).waitFor();
      await expectSound(page);
    });
  });

  test('buys the whole gallery, and finds its photos included', async () => {
    await own.call('PUT', `/api/v1/galleries/${own.galleryId}`, { gallery: { is_private: false } });
    await visiting(browser, gallery, PHONE, async (page) => {
      await choose(page, 2);
      await page.getByRole('button', { name: 'All prices' }).click();
      await page.getByRole('button', { name: 'Get the whole gallery, $21.00' }).click();
      await bar(page).getByText('2 photos, 1 pass, 21 dollars').waitFor();
      await review(page).click();
      await expect.poll(() => page.getByText('Included in your pass').count()).toBe(2);
      await page
        .getByRole('region', { name: 'How your price is made' })
        .getByText('The whole gallery “Cup Final”')
        .waitFor();
      await page.getByRole('button', { name: 'Get Download $21.00' }).waitFor();
      await expectSound(page);
      await page.getByRole('button', { name: 'Remove the whole gallery “Cup Final”' }).click();
      await page.getByRole('button', { name: 'Get Download $8.00' }).waitFor();
    });
    await own.call('PUT', `/api/v1/galleries/${own.galleryId}`, { gallery: { is_private: true } });
  });
});

async function typeAndGoOn(page: Page, word: string): Promise<void> {
  await page.keyboard.type(word);
  await page.keyboard.press('Tab');
}
