/**
 * Paying through Stripe in a browser: a small script of ours replaces Stripe's, and the stand-in replaces its servers.
 * Our side is tested: the position of the fields, what the page may load, and what happens when a bank asks its
 * customer.
 */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CARD_ENTRY_NOT_LOADED } from '#src/features/billing/stripe-js.client.ts';
import { CARD_REQUIRED } from '#src/features/orders/orders.contract.ts';
import { freePort } from '#tests/load/product.ts';
import { checkAxe, launchBrowser, scrollsSideways, VIEWPORTS } from '#tests/support/browser.ts';
import { openShop, type Shop } from '#tests/support/shop-goods.ts';
import { startStripeStandIn, type StandIn } from '#tests/support/stripe-stand-in/stand-in.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const env: Record<string, string> = {};
let stripe: StandIn;
let port = 0;
beforeAll(async () => {
  stripe = await startStripeStandIn();
  port = await freePort();
  Object.assign(env, {
    PORT: String(port),
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_PUBLISHABLE_KEY: 'pk_test_platform',
    STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
    STRIPE_API_BASE: stripe.url,
  });
});
const server = useTestServer({ env, works: true, pages: true });
let browser: Browser;
let shop: Shop;
let path: { host: string; seller: string };
beforeAll(async () => {
  shop = await openShop(server.data);
  const [seller] = await server.data.ownerQuery<{ host: string; seller: string }>(
    'select p.domain_name as host, o.domain_name as seller from organizations o join organizations p on p.id = o.parent_organization_id where o.id = $1',
    [shop.sellerId],
  );
  if (!seller) throw new Error('no shop');
  path = seller;
  await server.built.server.listen({ port, host: '127.0.0.1' });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await stripe.close();
});

/** What Stripe's script does for us: fields in frames, a token for a number, the bank's authentication. */
const SCRIPT = `
/** The wallet's button; a click opens its sheet immediately, and its owner confirms. */
function playWallet() {
  const heard = {};
  const button = document.createElement('button');
  Object.assign(button, { type: 'button', textContent: 'Fake Pay' });
  const address = { postal_code: '55401' };
  button.addEventListener('click', () =>
    heard.click({
      reject: () => undefined,
      resolve: () =>
        heard.confirm({
          billingDetails: { name: 'Wanda Wallet', email: 'wanda@families.test', address },
          paymentFailed: () => (window.walletFailed = true),
        }),
    }),
  );
  const element = {
    on: (name, told) => ((heard[name] = told), element),
    mount: (place) => (place.append(button), heard.ready({ availablePaymentMethods: window.hasWallet ? {} : undefined })),
    destroy: () => button.remove(),
  };
  return element;
}
window.Stripe = function (key) {
  window.stripeKey = key;
  const names = { cardNumber: 'Card number', cardExpiry: 'Expiry', cardCvc: 'CVC' };
  return {
    elements(options) {
      const made = {};
      window.walletOptions = options ?? window.walletOptions;
      return {
        update: (change) => Object.assign(window.walletOptions, change),
        submit: async () => ({}),
        create(type) {
          if (type === 'expressCheckout') return (made[type] = playWallet());
          const input = document.createElement('input');
          input.setAttribute('aria-label', 'Stripe ' + names[type]);
          return (made[type] = {
            input,
            mount: (place) => place.append(input),
            on: (_event, told) => input.addEventListener('input', () => told({ empty: input.value === '' })),
            update: () => undefined, destroy: () => input.remove(), focus: () => input.focus(),
            clear: () => (input.value = ''),
          });
        },
        getElement: (type) => made[type] ?? null,
      };
    },
    createToken: (element, data) => window.playToken(element.input.value, data),
    createConfirmationToken: async () => ({ confirmationToken: { id: await window.playWalletToken() } }),
    handleNextAction: ({ clientSecret }) => window.playBank(clientSecret),
  };
};
window.Stripe.version = 'endive';`;

let context: BrowserContext;
let page: Page;
let complaints: string[];
let walletCard = '4242424242424242';
let bankSays: (intentId: string) => { error?: { message: string } } = () => ({});
beforeEach(async () => {
  await context?.close();
  context = await browser.newContext({ viewport: VIEWPORTS.phone, reducedMotion: 'reduce' });
  page = await context.newPage();
  complaints = [];
  page.on('console', (message) => {
    // The goods of this shop have no pictures.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.route('https://js.stripe.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: SCRIPT }),
  );
  await page.exposeFunction('playToken', (number: string) => {
    if (number.length < 16)
      return {
        error: { type: 'validation_error', code: 'incomplete_number', message: 'Your card number is incomplete.' },
      };
    const card = { brand: 'Visa', last4: number.slice(-4), exp_month: 12, exp_year: 2040 };
    return { token: { id: stripe.books.makeToken(number), card } };
  });
  await page.exposeFunction('playWalletToken', () => stripe.books.makeToken(walletCard, 'ctoken'));
  await page.exposeFunction('playBank', (secret: string) => bankSays(secret.split('_secret_')[0] ?? ''));
});

async function goToCheckout(): Promise<void> {
  const site = `http://${path.host}.sideline.localhost:${port}/${path.seller}`;
  await page.goto(`${site}/gallery/${shop.galleryId}`);
  await page
    .getByRole('link', { name: /Goal 1/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Add to Cart' }).click();
  await page.getByRole('button', { name: 'Remove From Cart' }).waitFor();
  await page.goto(`${site}/checkout`);
  await page.getByLabel('First name').fill('Grace');
  await page.getByLabel('Last name').fill('Okafor');
  await page.getByLabel('Email', { exact: true }).fill('grace@families.test');
  await page.getByLabel('Confirm email').fill('grace@families.test');
  await page.getByLabel('Zip').fill('55401');
}
const pay = () => page.getByRole('button', { name: /Get Download/ }).click();
const statusOf = async () =>
  (await server.data.ownerQuery<{ status: string }>('select status from orders order by id desc limit 1'))[0]?.status;

describe('a checkout with Stripe', () => {
  test('loads Stripe’s fields on that page only, says that it is a test, and pays', async () => {
    await page.goto(`http://${path.host}.sideline.localhost:${port}/${path.seller}`);
    await expect.poll(() => page.evaluate('typeof window.Stripe')).toBe('undefined');
    await goToCheckout();
    await page.getByLabel('Stripe Card number').waitFor();
    await page.getByText('Test mode.').waitFor();
    await expect.poll(() => page.evaluate('window.stripeKey')).toBe('pk_test_platform');
    expect(await checkAxe(page)).toEqual([]);
    expect(await scrollsSideways(page)).toBe(false);
    await pay();
    await page.getByText(CARD_REQUIRED).waitFor();
    await page.getByLabel('Stripe Card number').fill('4242');
    await pay();
    await page.getByText('Your card number is incomplete.').waitFor();
    await page.getByLabel('Stripe Card number').fill('4242424242424242');
    await pay();
    await page.waitForURL(/\/order\//);
    await expect.poll(() => statusOf()).toBe('paid');
    expect(complaints).toEqual([]);
  });

  test('lets a bank ask its customer; a refusal is reported, and another card pays the same order', async () => {
    await goToCheckout();
    await page.getByLabel('Stripe Card number').fill('4000002500003155');
    bankSays = (intentId) => {
      stripe.books.answerBank(intentId, false);
      return { error: { message: 'The bank said no.' } };
    };
    await pay();
    await page
      .getByRole('alert')
      .getByText(/unable to authenticate your payment method/)
      .waitFor();
    await page.getByLabel('Stripe Card number').fill('4000002500003155');
    bankSays = (intentId) => {
      stripe.books.answerBank(intentId, true);
      return {};
    };
    await pay();
    await page.waitForURL(/\/order\//);
    await expect.poll(() => statusOf()).toBe('paid');
    expect(complaints).toEqual([]);
  });

  test('uses the public key of an organization that has keys of its own', async () => {
    const secretKey = 'sk_test_club';
    const books = stripe.accountOf(secretKey);
    await server.data.ownerQuery('update organizations set can_add_custom_payment = true where id = $1', [
      shop.sellerId,
    ]);
    const sealed = server.platform.keys.processorKeys;
    const { sealText } = await import('#src/platform/secrets.ts');
    await server.data.ownerQuery(
      'update organization_private set stripe_sk_encrypted = $2 where organization_id = $1',
      [shop.sellerId, sealText(sealed, secretKey)],
    );
    await server.data.ownerQuery("update organizations set stripe_pk = 'pk_test_club' where id = $1", [shop.sellerId]);
    server.app.organizations.forget(shop.sellerId);
    await goToCheckout();
    await page.getByLabel('Stripe Card number').waitFor();
    await expect.poll(() => page.evaluate('window.stripeKey')).toBe('pk_test_club');
    expect(books.charges.size).toBe(0);
    await server.data.ownerQuery('update organizations set can_add_custom_payment = false where id = $1', [
      shop.sellerId,
    ]);
    server.app.organizations.forget(shop.sellerId);
  });

  test('says so if Stripe cannot be reached, and tries again', async () => {
    await page.unroute('https://js.stripe.com/**');
    await page.route('https://js.stripe.com/**', (route) => route.abort());
    await goToCheckout();
    await page.getByText(CARD_ENTRY_NOT_LOADED).first().waitFor();
    await page.unroute('https://js.stripe.com/**');
    await page.route('https://js.stripe.com/**', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: SCRIPT }),
    );
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByLabel('Stripe Card number').waitFor();
  });
});

describe('a wallet', () => {
  const toCheckout = async (hasWallet: boolean) => {
    await page.addInitScript(`window.hasWallet = ${hasWallet}`);
    await goToCheckout();
  };

  test('fills name, email and zip, and pays like every order', async () => {
    walletCard = '4000000000000002';
    await toCheckout(true);
    await page.getByRole('button', { name: 'Fake Pay' }).waitFor();
    expect(await checkAxe(page)).toEqual([]);
    expect(await page.evaluate('window.walletOptions')).toMatchObject({
      mode: 'payment',
      amount: 400,
      currency: 'usd',
      allowedPaymentMethodTypes: ['card', 'link'],
    });
    await page.getByText('$5.00', { exact: true }).click();
    await expect.poll(() => page.evaluate('window.walletOptions.amount')).toBe(900);

    await page.getByRole('button', { name: 'Fake Pay' }).click();
    await page.getByText('Your card was declined.').waitFor();
    await expect.poll(() => page.evaluate('window.walletFailed')).toBe(true);
    await expect.poll(() => page.getByLabel('First name').inputValue()).toBe('Wanda');
    await expect.poll(() => page.getByLabel('Confirm email').inputValue()).toBe('wanda@families.test');

    walletCard = '4242424242424242';
    await page.getByRole('button', { name: 'Fake Pay' }).click();
    await page.waitForURL(/\/order\//);
    await expect.poll(() => statusOf()).toBe('paid');
    await page.getByRole('heading', { name: /are ready, Wanda|is ready, Wanda/ }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('is not offered if the browser has no wallet', async () => {
    await toCheckout(false);
    await page.getByLabel('Stripe Card number').waitFor();
    await expect.poll(() => page.getByRole('heading', { name: 'Pay with one tap' }).count()).toBe(0);
  });

  test('may open from pages of a site that takes cards: its frames and windows are allowed', async () => {
    const address = `http://${path.host}.sideline.localhost:${port}/${path.seller}/checkout`;
    await page.goto(address);
    const answered = await page.evaluate(async (from) => Object.fromEntries((await fetch(from)).headers), address);
    expect(answered).toMatchObject({
      'permissions-policy': expect.stringContaining('payment=(self "https://js.stripe.com")'),
      'cross-origin-opener-policy': 'same-origin-allow-popups',
    });
  });
});
