/** Checkout when things go on beside it: other tabs, a lost network, no script. */
import type { Browser, BrowserContextOptions, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as words from '#src/features/orders/orders.contract.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { DESK, expectSound, galleryAddress, PHONE, photoIdsOf } from '#tests/e2e/public-pages.ts';
import { callSite, fillIn, goToCheckout, openShopFront, PAY, type ShopFront } from '#tests/e2e/shopping.ts';

const site = useRunningSite();
let browser: Browser;
let shop: ShopFront;

beforeAll(async () => {
  browser = await launchBrowser();
  shop = await openShopFront(site);
});
afterAll(() => browser?.close());

const NETWORK = /ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to load resource/;

/** At the checkout with photos of the cup final. */
const atCheckout = (options: BrowserContextOptions, photos = shop.photos.slice(0, 2)) =>
  goToCheckout(browser, site, photos.map(shop.itemOf), options);

/** Brings what the page sends to the server, whose answer is then lost. Node resolves no names below `localhost`, so not by `route.fetch`. */
async function send(route: Route): Promise<void> {
  const { status } = await callSite(site, 'POST', '/api/v1/orders', { body: route.request().postDataJSON() });
  expect(status).toBe(201);
}

const cartOf = (page: Page) => page.evaluate(() => localStorage.getItem('cartItems'));

describe('two tabs of one cart', () => {
  test('order once: the second shows the order that the first one placed', async () => {
    const sold = await shop.sold();
    const { page: one, context } = await atCheckout(DESK);
    const two = await context.newPage();
    await two.goto(site.url('/hawks-soccer/checkout'));
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
    await expect.poll(() => shop.sold()).toBe(sold + 2);
    await expect.poll(() => cartOf(two)).toBe('[]');
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
    await expect.poll(() => shop.sold()).toBe(sold + 2);
    await context.close();
  });
});

describe('a lost network', () => {
  test('before anything was sent: the page says what is safe, and goes on afterwards', async () => {
    const sold = await shop.sold();
    const { page, context, complaints } = await atCheckout(PHONE);
    // The total for the zip is known before the network goes.
    const quoted = page.waitForResponse(
      (answer) => answer.url().endsWith('/quote') && answer.request().postData()?.includes('55401') === true,
    );
    await fillIn(page, 'offline@families.test');
    await quoted;
    await context.setOffline(true);
    await page.getByText(words.OFFLINE_AT_CHECKOUT).waitFor();
    await page.getByRole('button', { name: PAY }).click();
    await page.getByRole('alert').waitFor();
    await expect.poll(() => shop.sold()).toBe(sold);
    await context.setOffline(false);
    await page.getByRole('button', { name: PAY }).click();
    await page.getByRole('heading', { name: 'Order Confirmation' }).waitFor();
    await expect.poll(() => shop.sold()).toBe(sold + 2);
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
    await expect.poll(() => cartOf(page)).not.toBe('[]');
    await context.setOffline(false);
    await page.getByRole('heading', { name: 'Order Confirmation' }).waitFor();
    await expect.poll(() => shop.sold()).toBe(sold + 2);
    await expect.poll(() => cartOf(page)).toBe('[]');
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
    await expect.poll(() => shop.sold()).toBe(sold + 2);
    const again = await context.newPage();
    await again.goto(site.url('/hawks-soccer/checkout'));
    await again.getByRole('heading', { name: 'Order Confirmation' }).waitFor();
    await expect.poll(() => shop.sold()).toBe(sold + 2);
    await context.close();
  });
});

test('without JavaScript the checkout says what it needs', async () => {
  const context = await browser.newContext({ ...PHONE, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(site.url('/hawks-soccer/checkout'));
  // Found by its element: text inside `noscript` is passed over by the browser driver.
  const notice = page.locator('noscript div').first();
  await notice.waitFor();
  await expect.poll(() => notice.textContent()).toContain('paying needs JavaScript');
  await expect
    .poll(async () => photoIdsOf(await galleryAddress(site.url('/hawks-soccer'), 'Spring Cup Final')))
    .not.toEqual([]);
  await context.close();
});
