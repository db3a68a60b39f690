/** Checkout with other tabs, a lost network, and without JavaScript. */
import type { Browser, BrowserContextOptions, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as words from '#src/features/orders/orders.contract.ts';
import { launchBrowser, scrollsSideways, VIEWPORTS } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { WIDE, expectSound, PHONE } from '#tests/e2e/public-pages.ts';
import { galleryAddress, photoIdsOf } from '#tests/support/site-pages.ts';
import { apiOf, callSite, fillIn, goToCheckout, openShopFront, PAY, type ShopFront } from '#tests/e2e/shopping.ts';

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

/**
 * Passes the page's request to the server and drops the response. Node does not resolve names below `localhost`, so
 * `route.fetch` cannot be used.
 */
async function send(route: Route): Promise<void> {
  const { status } = await callSite(site, 'POST', '/api/v1/orders', { body: route.request().postDataJSON() });
  expect(status).toBe(201);
}

const cartOf = (page: Page) => page.evaluate(() => localStorage.getItem('cartItems'));

describe('on a slow phone', () => {
  const release = (page: Page, address: RegExp) =>
    new Promise<() => void>((held) => {
      void page.route(address, (route) => held(() => void route.continue()));
    });

  test('the form does not move when the wallets load, and after paying the page says what it waits for', async () => {
    const { page, context } = await atCheckout(PHONE);
    const quoteHeld = release(page, /\/orders\/quote$/);
    await page.reload();
    const answerQuote = await quoteHeld;
    const form = page.getByLabel('First name');
    const before = await form.boundingBox();
    expect(before).not.toBeNull();
    answerQuote();
    await page.getByRole('button', { name: 'Test wallet' }).waitFor();
    expect(await form.boundingBox()).toEqual(before);
    await page.unroute(/\/orders\/quote$/);

    await fillIn(page, 'slow@families.test');
    const orderHeld = release(page, /\/order\/[^/]+\.data/);
    await page.getByRole('button', { name: PAY }).click();
    const answerOrder = await orderHeld;
    await page.getByRole('heading', { name: 'Opening your order...' }).waitFor();
    expect(await page.getByRole('link', { name: 'Back to' }).count()).toBe(0);
    answerOrder();
    await page.getByRole('heading', { name: 'Order Confirmation' }).waitFor();
    await context.close();
  });
});

describe('on a laptop', () => {
  test('with many photos the total is seen at once, and only the page scrolls', async () => {
    const { page, context } = await atCheckout(WIDE, shop.photos.slice(0, 12));
    const total = page.getByText('Total', { exact: true });
    const photos = page.getByRole('list', { name: 'Photos in your cart' }).locator('img');
    await expect.poll(() => photos.filter({ visible: true }).count()).toBe(6);
    await page.getByRole('button', { name: 'Show all 12 photos' }).click();
    await expect.poll(() => photos.filter({ visible: true }).count()).toBe(12);
    const isInWindow = async () => {
      const { y = -1, height = 0 } = (await total.boundingBox()) ?? {};
      return y >= 0 && y + height <= VIEWPORTS.desktop.height;
    };
    expect(await isInWindow()).toBe(true);
    await page.getByRole('button', { name: PAY }).scrollIntoViewIfNeeded();
    expect(await isInWindow()).toBe(true);
    const scrollers = await page
      .getByRole('main')
      .evaluate(
        (main) =>
          [...main.querySelectorAll('*')].filter(
            (one) => one.scrollHeight > one.clientHeight && /auto|scroll/.test(getComputedStyle(one).overflowY),
          ).length,
      );
    expect(scrollers).toBe(0);
    await context.close();
  });
});

test('in a low window the whole cart can be seen above its total', async () => {
  const viewport = { width: 1440, height: 700 };
  const { page, context } = await atCheckout({ ...WIDE, viewport }, shop.photos.slice(0, 9));
  await page.getByRole('button', { name: 'Show all 9 photos' }).click();
  const last = page.getByRole('list', { name: 'Photos in your cart' }).getByRole('listitem').last();
  const isFree = () =>
    last.evaluate((item) => {
      const { left, bottom, width } = item.getBoundingClientRect();
      return item.contains(document.elementFromPoint(left + width / 2, bottom - 4));
    });
  await expect.poll(() => last.isVisible()).toBe(true);
  const { y = 0 } = (await page.getByText('Total', { exact: true }).boundingBox()) ?? {};
  expect(y < viewport.height).toBe(true);
  await page.mouse.wheel(0, 250);
  await expect.poll(isFree).toBe(true);
  await context.close();
});

describe('two tabs with one cart', () => {
  test('order once: the second shows the order that the first one placed', async () => {
    const sold = await shop.sold();
    const { page: one, context } = await atCheckout(WIDE);
    const two = await context.newPage();
    await two.goto(site.url('/hawks-soccer/checkout'));
    await fillIn(one, 'tabs@families.test');
    await fillIn(two, 'tabs@families.test');
    // Both at the same moment: a tab that looks for its button first may see the other's order.
    const buttons = await Promise.all([one, two].map((tab) => tab.getByRole('button', { name: PAY }).elementHandle()));
    await Promise.all(buttons.map((button) => button?.dispatchEvent('click')));
    for (const tab of [one, two]) await tab.getByRole('heading', { name: 'Order Confirmation' }).waitFor();
    expect(two.url()).toBe(one.url());
    await expect.poll(() => shop.sold()).toBe(sold + 2);
    await expect.poll(() => cartOf(two)).toBe('[]');
    await context.close();
  });

  test('going back from an order leads to no second one', async () => {
    const sold = await shop.sold();
    const { page, context } = await atCheckout(WIDE);
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
  test('before anything was sent: the page says what is safe, and the order continues afterwards', async () => {
    const sold = await shop.sold();
    const { page, context, complaints } = await atCheckout(PHONE);
    // The total for the zip is known before the network fails.
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

  test('during the response: the order is found, and nothing is charged twice', async () => {
    const sold = await shop.sold();
    const { page, context } = await atCheckout(WIDE);
    await fillIn(page, 'lost@families.test');
    await page.route('**/api/v1/orders', async (route) => {
      await send(route);
      await context.setOffline(true);
      await route.abort('connectionreset');
    });
    await page.getByRole('button', { name: PAY }).click();
    await page.getByText(words.ORDER_STATUS_UNKNOWN).waitFor();
    await expect.poll(() => cartOf(page)).not.toBe('[]');
    await context.setOffline(false);
    await page.getByRole('heading', { name: 'Order Confirmation' }).waitFor();
    await expect.poll(() => shop.sold()).toBe(sold + 2);
    await expect.poll(() => cartOf(page)).toBe('[]');
    await context.close();
  });

  test('and a closed page: the checkout leads to the order when it is opened again', async () => {
    const sold = await shop.sold();
    const { page, context } = await atCheckout(WIDE);
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

describe('the form', () => {
  test('is filled in by phones and browsers, and says whose name it needs', async () => {
    const { page, context } = await atCheckout(PHONE);
    await page.getByRole('heading', { name: 'Your name and email' }).waitFor();
    const told = await page
      .locator('form input:not([type=radio])')
      .evaluateAll((inputs) =>
        Object.fromEntries(
          inputs.map((input) => [
            input.getAttribute('name'),
            ['type', 'inputmode', 'autocomplete', 'enterkeyhint'].map((name) => input.getAttribute(name)).join(' '),
          ]),
        ),
      );
    expect(told).toEqual({
      first_name: 'text  given-name next',
      last_name: 'text  family-name next',
      email: 'email email email next',
      confirm_email: 'email email email next',
      'card-number': 'text numeric cc-number next',
      'card-expiry': 'text numeric cc-exp next',
      'card-cvc': 'text numeric cc-csc next',
      zip: 'text numeric postal-code go',
    });
    await context.close();
  });

  test('keeps what was typed, without the card, for who goes back for one more photo', async () => {
    const { page, context } = await atCheckout(PHONE);
    await fillIn(page, 'again@families.test');
    await page.getByText('$5.00', { exact: true }).tap();
    await page.getByText('$13.00').first().waitFor();
    await page.getByRole('link', { name: 'Back to the gallery' }).tap();
    await page.getByRole('heading', { level: 1, name: 'Spring Cup Final' }).waitFor();
    await page.getByRole('link', { name: 'Review & Get' }).tap();
    const valueOf = (label: string) => page.getByLabel(label, { exact: true }).inputValue();
    await expect.poll(() => valueOf('Confirm email')).toBe('again@families.test');
    expect(await Promise.all(['First name', 'Zip', 'Card number'].map(valueOf))).toEqual(['Grace', '55401', '']);
    await page.reload();
    await page.getByText('$13.00').first().waitFor();
    await fillIn(page, 'again@families.test');
    await page.getByRole('button', { name: PAY }).tap();
    await page.getByRole('heading', { name: 'Order Confirmation' }).waitFor();
    // All of it ends with the order: the next buyer may be someone else.
    const [another] = shop.photos.slice(2).map(shop.itemOf);
    await page.evaluate((text) => localStorage.setItem('cartItems', text), JSON.stringify([another]));
    await page.goto(site.url('/hawks-soccer/checkout'));
    await page.getByRole('button', { name: /\$4\.00/ }).waitFor();
    expect(await Promise.all(['First name', 'Email', 'Confirm email', 'Zip'].map(valueOf))).toEqual(['', '', '', '']);
    await context.close();
  });

  test('gets what is typed while a large photo still shrinks into its place', async () => {
    const [first, second] = shop.photos;
    if (!first || !second) throw new Error('no photos');
    const cart = [shop.itemOf(first), shop.itemOf(second)];
    const { page, context } = await goToCheckout(browser, site, cart, { viewport: VIEWPORTS.desktop });
    await page
      .getByRole('link', { name: /^Open / })
      .first()
      .click();
    await page.locator('.lightbox[data-live]').waitFor();
    // Its size while it opens is not yet that from which it closes.
    await page.waitForTimeout(300);
    await page.keyboard.press('Escape');
    const name = page.getByLabel('First name');
    await name.evaluate((field) => field.focus());
    await page.keyboard.type('Grace');
    await page.locator('.lightbox').waitFor({ state: 'detached' });
    await expect.poll(() => name.inputValue()).toBe('Grace');
    await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true);
    await context.close();
  });

  test('on a desktop shows the total above the fold, and nothing covers the card field', async () => {
    const { page, context } = await atCheckout({ ...WIDE, viewport: { width: 1440, height: 900 } });
    const total = page.getByText('Total', { exact: true });
    await expect.poll(async () => ((await total.boundingBox())?.y ?? 1e6) < 850).toBe(true);
    const number = page.getByLabel('Card number');
    await number.evaluate((input) => input.scrollIntoView({ block: 'end' }));
    const isFree = () =>
      number.evaluate((input) => {
        const { left, top, width, height } = input.getBoundingClientRect();
        return document.elementFromPoint(left + width / 2, top + height / 2) === input;
      });
    await expect.poll(isFree).toBe(true);
    await expect.poll(async () => ((await total.boundingBox())?.y ?? -1) > 0).toBe(true);
    await context.close();
  });

  test.each([320, 390])(
    'at twice the text size and %d px wide is one column that does not scroll sideways',
    async (width) => {
      const { page, context } = await atCheckout({ ...PHONE, viewport: { width, height: 800 } });
      await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%', 'important'));
      await page.getByText('$5.00', { exact: true }).click();
      expect(await scrollsSideways(page)).toBe(false);
      const [first, last] = [
        await page.getByLabel('First name').boundingBox(),
        await page.getByLabel('Last name').boundingBox(),
      ];
      expect(last?.x).toBe(first?.x);
      const prices = await page
        .getByRole('list', { name: 'Photos in your cart' })
        .getByText('$4.00')
        .evaluateAll((all) => all.map((price) => price.getClientRects().length));
      expect(prices).toEqual([1, 1]);
      await context.close();
    },
  );
});

test('a donation goes to the goal that the buyer chooses', async () => {
  const fans = Number((await galleryAddress(site.url('/hawks-soccer'), 'Fan Photos')).split('/').at(-1));
  const [fan] = await apiOf(site, shop.token).photos(fans);
  const [cup] = shop.photos;
  if (!fan || !cup) throw new Error('the demo lost its photos');
  const { page, context } = await atCheckout(PHONE, [fan, cup]);
  await page.getByText(/^It goes toward .+, together with your order\.$/).waitFor();
  await page.getByText('$5.00', { exact: true }).click();
  const choice = page.getByRole('group', { name: 'Where should it go?' });
  await expect.poll(() => choice.getByRole('radio', { name: /Spring Cup Final/ }).isChecked()).toBe(true);
  await choice.getByRole('radio', { name: 'Fan Photos' }).check();
  await page.getByText('It goes to Hawks Soccer Club, together with your order.').waitFor();
  await expectSound(page);
  await fillIn(page, 'donor@families.test');
  const sent = page.waitForRequest('**/api/v1/orders');
  await page.getByRole('button', { name: PAY }).click();
  expect((await sent).postDataJSON()).toMatchObject({ order: { donation: '$5.00', donation_gallery_id: fans } });
  await page.getByRole('heading', { name: 'Order Confirmation' }).waitFor();
  await context.close();
});

test('without JavaScript the checkout says that it needs it', async () => {
  const context = await browser.newContext({ ...PHONE, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(site.url('/hawks-soccer/checkout'));
  // Found by its element: the browser driver skips text inside `noscript`.
  const notice = page.locator('noscript div').first();
  await notice.waitFor();
  await expect.poll(() => notice.textContent()).toContain('paying requires JavaScript');
  expect(await page.locator('[aria-busy]').isVisible()).toBe(false);
  await expect
    .poll(async () => photoIdsOf(await galleryAddress(site.url('/hawks-soccer'), 'Spring Cup Final')))
    .not.toEqual([]);
  await context.close();
});
