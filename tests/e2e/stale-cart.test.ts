/** An old cart, or one of another seller: the page names what is wrong, and one click fixes it. */
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as words from '#src/features/orders/orders.contract.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { WIDE, expectSound, expectSoundOnBoth, PHONE } from '#tests/e2e/public-pages.ts';
import { galleryAddress } from '#tests/support/site-pages.ts';
import { apiOf, fillIn, goToCheckout, openShopFront, PAY, type ShopFront } from '#tests/e2e/shopping.ts';

const site = useRunningSite();
let browser: Browser;
let shop: ShopFront;

beforeAll(async () => {
  browser = await launchBrowser();
  shop = await openShopFront(site);
});
afterAll(() => browser?.close());

/** At the checkout with photos of the cup final. */
const atCheckout = (options: BrowserContextOptions, photos = shop.photos.slice(0, 2)) =>
  goToCheckout(browser, site, photos.map(shop.itemOf), options);

describe('an old cart, on a phone', () => {
  test('names photos that are no longer available, and removes them with one click', async () => {
    const photo = shop.photos[2];
    if (!photo) throw new Error('the demo lost its photos');
    const { page, context } = await atCheckout(PHONE, shop.photos.slice(1, 3));
    await shop.change(photo.id, { show_in_gallery: false });
    try {
      await page.reload();
      await page.getByText(words.PHOTO_NOT_AVAILABLE).first().waitFor();
      await page.getByRole('status').getByText(photo.name, { exact: true }).waitFor();
      await expectSoundOnBoth(page);
      await page.getByRole('button', { name: 'Remove it' }).click();
      await page.getByRole('button', { name: 'Get Download $4.00' }).waitFor();
      await expect.poll(() => page.getByText(words.PHOTO_NOT_AVAILABLE).count()).toBe(0);
    } finally {
      await shop.change(photo.id, { show_in_gallery: true });
      await context.close();
    }
  });

  test('shows both prices if one has changed, and asks for confirmation', async () => {
    const photo = shop.photos[3];
    if (!photo) throw new Error('the demo lost its photos');
    const sold = await shop.sold();
    const { page, context } = await atCheckout(PHONE, shop.photos.slice(3, 5));
    await shop.change(photo.id, { price_override: 6.5 });
    try {
      await page.reload();
      await page.getByText(words.PRICES_CHANGED).waitFor();
      await page.getByText(`${photo.name}: $4.00 before, $6.50 now`).waitFor();
      await expectSoundOnBoth(page);
      await fillIn(page, 'repriced@families.test');
      await page.getByRole('button', { name: 'Get Download $10.50' }).click();
      await page.getByRole('alert').getByText(words.PRICES_CHANGED).waitFor();
      await expect.poll(() => shop.sold()).toBe(sold);
      await page.getByRole('button', { name: 'Accept the new price' }).click();
      await expect.poll(() => page.getByText(`${photo.name}: $4.00 before`).count()).toBe(0);
    } finally {
      await shop.change(photo.id, { price_override: null });
      await context.close();
    }
  });
});

test('a photo behind a password leads to its gallery, and is available again after unlocking', async () => {
  const gallery = Number((await galleryAddress(site.url('/hawks-soccer'), 'Team Portraits')).split('/').at(-1));
  const [photo] = await apiOf(site, shop.token).photos(gallery);
  if (!photo) throw new Error('the demo lost its portraits');
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  await page.goto(site.url('/hawks-soccer'));
  await page.evaluate((items) => localStorage.setItem('cartItems', items), JSON.stringify([shop.itemOf(photo)]));
  await page.goto(site.url('/hawks-soccer/checkout'));
  await page.getByText('The gallery of this photo now requires a password.').waitFor();
  await expectSound(page);
  await page.getByRole('link', { name: 'Unlock the gallery' }).click();
  await page.getByLabel(/password/i).fill('goalkeeper');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Team Portraits', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Review & Get' }).click();
  await page.getByRole('button', { name: PAY }).waitFor();
  await context.close();
});

test('a cart of another affiliate is named, with a link to it', async () => {
  const { page, context } = await atCheckout(WIDE);
  await page.goto(site.url('/tides-swim/checkout'));
  await page.getByText(words.CART_IS_EMPTY).waitFor();
  await page.getByRole('link', { name: 'Review the cart of Hawks Soccer Club' }).click();
  await page.getByRole('button', { name: PAY }).waitFor();
  await context.close();
});

test('a photo in the cart opens large and can be removed there, while the form keeps what was typed', async () => {
  const { page, context } = await atCheckout(PHONE);
  await page.getByLabel('First name').fill('Grace');
  await page.getByRole('link', { name: `Open ${shop.photos[0]?.name}` }).click();
  await page.getByText('1 / 2').waitFor();
  await expectSound(page);
  await page.keyboard.press('ArrowRight');
  await page.getByText('2 / 2').waitFor();
  await page.getByRole('button', { name: 'Remove From Cart' }).click();
  await page.getByRole('button', { name: 'Get Download $4.00' }).waitFor();
  await expect.poll(() => page.getByLabel('First name').inputValue()).toBe('Grace');
  await context.close();
});
