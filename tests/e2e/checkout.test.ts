/** Checkout when things go on beside it: other tabs, a lost network, a cart that has grown old. */
import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as words from '#src/features/orders/orders.contract.ts';
import { launchBrowser, listenForComplaints } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { BOTH, DESK, expectSound, galleryAddress, hydrated, PHONE, photoIdsOf } from '#tests/e2e/public-pages.ts';
import { apiOf, callSite, fillBuyer, fillCard, openShopFront, type ShopFront } from '#tests/e2e/shopping.ts';

const site = useRunningSite();
let browser: Browser;
let shop: ShopFront;

beforeAll(async () => {
  browser = await launchBrowser();
  shop = await openShopFront(site);
});
afterAll(() => browser?.close());

const PAY = /^Get Download \$\d/;
const NETWORK = /ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to load resource/;

/** A visitor whose cart holds these photos of the cup final, at the checkout. */
async function atCheckout(
  options: Parameters<Browser['newContext']>[0],
  photos = shop.photos.slice(0, 2),
): Promise<{ page: Page; context: BrowserContext; complaints: () => string[] }> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const complaints = listenForComplaints(page);
  await page.goto(site.url('/hawks-soccer'));
  await page.evaluate((items) => localStorage.setItem('cartItems', items), JSON.stringify(photos.map(shop.itemOf)));
  await page.goto(site.url('/hawks-soccer/checkout'));
  await hydrated(page);
  await page.getByRole('button', { name: PAY }).waitFor();
  return { page, context, complaints };
}

/** Brings what the page sends to the server, whose answer is then lost. Node resolves no names below `localhost`, so not by `route.fetch`. */
async function send(route: Route): Promise<void> {
  const { status } = await callSite(site, 'POST', '/api/v1/orders', { body: route.request().postDataJSON() });
  expect(status).toBe(201);
}

async function fillIn(page: Page, email: string): Promise<void> {
  await fillBuyer(page, email);
  await fillCard(page, '4242424242424242');
}

const cartOf = (page: Page) => page.evaluate(() => localStorage.getItem('cartItems'));

describe('two tabs of one cart', () => {
  test('order once: the second shows the order that the first one placed', async () => {
    const sold = await shop.sold();
    const { page: one, context } = await atCheckout(DESK);
    const two = await context.newPage();
    await two.goto(site.url('/hawks-soccer/checkout'));
    await hydrated(two);
    await fillIn(one, 'tabs@families.test');
    await fillIn(two, 'tabs@families.test');
    await Promise.all([
      one.getByRole('button', { name: PAY }).click(),
      two
        .getByRole('button', { name: PAY })
        .click()
        .catch(() => undefined),
    ]);
    for (const tab of [one, two]) await tab.getByRole('heading', { name: 'Order Confirmation' }).waitFor();
    expect(two.url()).toBe(one.url());
    expect(await shop.sold()).toBe(sold + 2);
    expect(await cartOf(two)).toBe('[]');
    await context.close();
  });

  test('the way back from an order leads to no second one', async () => {
    const sold = await shop.sold();
    const { page, context } = await atCheckout(DESK);
    await fillIn(page, 'back@families.test');
    await page.getByRole('button', { name: PAY }).dblclick();
    await page.getByRole('heading', { name: 'Order Confirmation' }).waitFor();
    await page.goBack();
    await page.waitForURL((url) => !url.pathname.includes('/order/'));
    await page.goto(site.url('/hawks-soccer/checkout'));
    await page.getByText(words.CART_IS_EMPTY).waitFor();
    await expectSound(page);
    expect(await shop.sold()).toBe(sold + 2);
    await context.close();
  });
});

describe('a lost network', () => {
  test('before anything was sent: the page says what is safe, and goes on afterwards', async () => {
    const sold = await shop.sold();
    const { page, context, complaints } = await atCheckout(PHONE);
    await fillIn(page, 'offline@families.test');
    await context.setOffline(true);
    await page.getByText(words.OFFLINE_AT_CHECKOUT).waitFor();
    await page.getByRole('button', { name: PAY }).click();
    await page.getByRole('alert').waitFor();
    expect(await shop.sold()).toBe(sold);
    await context.setOffline(false);
    await page.getByRole('button', { name: PAY }).click();
    await page.getByRole('heading', { name: 'Order Confirmation' }).waitFor();
    expect(await shop.sold()).toBe(sold + 2);
    expect(complaints().filter((line) => !NETWORK.test(line))).toEqual([]);
    await context.close();
  });

  test('while the answer was on its way: the order is found, and nothing is charged twice', async () => {
    const sold = await shop.sold();
    const { page, context } = await atCheckout(DESK);
    await fillIn(page, 'lost@families.test');
    await page.route('**/api/v1/orders', async (route) => {
      await send(route);
      await context.setOffline(true);
      await route.abort('connectionreset');
    });
    await page.getByRole('button', { name: PAY }).click();
    await page.getByText(words.SENT_INTO_THE_DARK).waitFor();
    expect(await cartOf(page)).not.toBe('[]');
    await context.setOffline(false);
    await page.getByRole('heading', { name: 'Order Confirmation' }).waitFor();
    expect(await shop.sold()).toBe(sold + 2);
    expect(await cartOf(page)).toBe('[]');
    await context.close();
  });

  test('and a page that was closed meanwhile: the checkout leads to the order when it is opened again', async () => {
    const sold = await shop.sold();
    const { page, context } = await atCheckout(DESK);
    await fillIn(page, 'closed@families.test');
    await page.route('**/api/v1/orders', async (route) => {
      await send(route);
      await page.close();
    });
    await page
      .getByRole('button', { name: PAY })
      .click()
      .catch(() => undefined);
    await expect.poll(() => shop.sold(), { timeout: 15_000 }).toBe(sold + 2);
    const again = await context.newPage();
    await again.goto(site.url('/hawks-soccer/checkout'));
    await again.getByRole('heading', { name: 'Order Confirmation' }).waitFor();
    expect(await shop.sold()).toBe(sold + 2);
    await context.close();
  });
});

describe.each(BOTH)('a cart that has grown old, %s', (_device, options) => {
  test('names photos that are gone, and mends with one press', async () => {
    const photo = shop.photos[2];
    if (!photo) throw new Error('the demo lost its photos');
    const { page, context } = await atCheckout(options, shop.photos.slice(1, 3));
    await shop.change(photo.id, { show_in_gallery: false });
    try {
      await page.reload();
      await page.getByText(words.PHOTO_NOT_AVAILABLE).first().waitFor();
      await page.getByRole('status').getByText(photo.name, { exact: true }).waitFor();
      await expectSound(page);
      await page.getByRole('button', { name: 'Remove it' }).click();
      await page.getByRole('button', { name: 'Get Download $4.00' }).waitFor();
      expect(await page.getByText(words.PHOTO_NOT_AVAILABLE).count()).toBe(0);
    } finally {
      await shop.change(photo.id, { show_in_gallery: true });
      await context.close();
    }
  });

  test('shows both prices where one has changed, and asks for a yes', async () => {
    const photo = shop.photos[3];
    if (!photo) throw new Error('the demo lost its photos');
    const sold = await shop.sold();
    const { page, context } = await atCheckout(options, shop.photos.slice(3, 5));
    await shop.change(photo.id, { price_override: 6.5 });
    try {
      await page.reload();
      await page.getByText(words.PRICES_CHANGED).waitFor();
      await page.getByText(`${photo.name}: $4.00 before, $6.50 now`).waitFor();
      await expectSound(page);
      await fillIn(page, 'repriced@families.test');
      await page.getByRole('button', { name: 'Get Download $10.50' }).click();
      await page.getByRole('alert').getByText(words.PRICES_CHANGED).waitFor();
      expect(await shop.sold()).toBe(sold);
      await page.getByRole('button', { name: 'Accept the new price' }).click();
      await expect.poll(() => page.getByText(`${photo.name}: $4.00 before`).count()).toBe(0);
    } finally {
      await shop.change(photo.id, { price_override: null });
      await context.close();
    }
  });
});

test('a photo behind a password leads to its gallery, and is there again once the word was said', async () => {
  const gallery = Number((await galleryAddress(site.url('/hawks-soccer'), 'Team Portraits')).split('/').at(-1));
  const [photo] = await apiOf(site, shop.token).photos(gallery);
  if (!photo) throw new Error('the demo lost its portraits');
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  await page.goto(site.url('/hawks-soccer'));
  await page.evaluate((items) => localStorage.setItem('cartItems', items), JSON.stringify([shop.itemOf(photo)]));
  await page.goto(site.url('/hawks-soccer/checkout'));
  await page.getByText('The gallery of this photo asks for a password now.').waitFor();
  await expectSound(page);
  await page.getByRole('link', { name: 'Unlock the gallery' }).click();
  await page.getByLabel(/password/i).fill('goalkeeper');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Team Portraits', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Review & Get' }).click();
  await page.getByRole('button', { name: PAY }).waitFor();
  await context.close();
});

test('a cart of another affiliate is told of, and led to', async () => {
  const { page, context } = await atCheckout(DESK);
  await page.goto(site.url('/tides-swim/checkout'));
  await page.getByText(words.CART_IS_EMPTY).waitFor();
  await page.getByRole('link', { name: 'Review the cart of Hawks Soccer Club' }).click();
  await page.getByRole('button', { name: PAY }).waitFor();
  await context.close();
});

test('a photo of the cart opens large and is taken out there, while the form keeps what was typed', async () => {
  const { page, context } = await atCheckout(PHONE);
  await page.getByLabel('First name').fill('Grace');
  await page.getByRole('link', { name: `Open ${shop.photos[0]?.name}` }).click();
  await page.getByText('1 / 2').waitFor();
  await expectSound(page);
  await page.keyboard.press('ArrowRight');
  await page.getByText('2 / 2').waitFor();
  await page.getByRole('button', { name: 'Remove From Cart' }).click();
  await page.getByRole('button', { name: 'Get Download $4.00' }).waitFor();
  expect(await page.getByLabel('First name').inputValue()).toBe('Grace');
  await context.close();
});

test('without JavaScript the checkout says what it needs', async () => {
  const context = await browser.newContext({ ...PHONE, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(site.url('/hawks-soccer/checkout'));
  // Found by its element: text inside `noscript` is passed over by the browser driver.
  const notice = page.locator('noscript div').first();
  await notice.waitFor();
  expect(await notice.textContent()).toContain('paying needs JavaScript');
  expect(await photoIdsOf(await galleryAddress(site.url('/hawks-soccer'), 'Spring Cup Final'))).not.toEqual([]);
  await context.close();
});
