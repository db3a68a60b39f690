/** Shared by the browser tests of checkout and order: photos for a cart, the owner's calls, the form. */
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { listenForComplaints } from '#tests/support/browser.ts';
import type { RunningSite } from '#tests/support/running-site.ts';
import { galleryAddress } from '#tests/support/site-pages.ts';

export type Goods = {
  id: number;
  gallery_id: number;
  name: string;
  image_url: string;
  price: number;
  sales_count: number;
  status: string;
  show_in_gallery: boolean;
};

/** A call over the network, as a program makes it. */
export function callSite<T>(
  site: RunningSite,
  method: string,
  path: string,
  { token, body }: { token?: string; body?: unknown } = {},
): Promise<{ status: number; headers: Record<string, unknown>; body: T }> {
  const { host, port, pathname, search } = new URL(site.url(path));
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path: pathname + search,
        headers: {
          host,
          'content-type': 'application/json',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
      },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            body: (text === '' ? null : JSON.parse(text)) as T,
          }),
        );
      },
    ).on('error', reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

export function apiOf(site: RunningSite, token: string) {
  return {
    async photos(galleryId: number): Promise<Goods[]> {
      const { body } = await callSite<{ gallery_photo: Goods[] }[]>(
        site,
        'GET',
        `/api/v1/galleries/${galleryId}/full`,
        {
          token,
        },
      );
      return body[0]?.gallery_photo ?? [];
    },
  };
}

export type ShopFront = {
  /** The owner's. */
  token: string;
  sellerId: number;
  /** Of the cup final, at four dollars each. */
  photos: Goods[];
  itemOf(photo: Goods): Record<string, unknown>;
  /** As the owner. */
  change(photoId: number, changes: Record<string, unknown>): Promise<void>;
  /** How many photos of the cup final were sold so far. */
  sold(): Promise<number>;
};

/** The demo's Hawks, their cup final, and their owner's session. */
export async function openShopFront(site: RunningSite): Promise<ShopFront> {
  const signedIn = await callSite(site, 'POST', '/login', {
    body: { user: { email: 'coach@hawks.test', password: 'sideline-demo' } },
  });
  const token = String(signedIn.headers['authorization']).replace('Bearer ', '');
  const galleryId = Number((await galleryAddress(site.url('/hawks-soccer'), 'Spring Cup Final')).split('/').at(-1));
  // Other browser tests contribute photos, which wait hidden, and change prices.
  const photos = (await apiOf(site, token).photos(galleryId)).filter(
    (photo) => photo.price === 4 && photo.status === 'ready' && photo.show_in_gallery,
  );
  const { body: affiliates } = await callSite<{ id: number; name: string }[]>(
    site,
    'GET',
    '/api/v1/affiliates/hawks-soccer',
  );
  const seller = affiliates[0];
  if (!seller || photos.length < 6) throw new Error('the demo lost its cup final');
  return {
    token,
    sellerId: seller.id,
    photos,
    itemOf: (photo) => ({
      id: photo.id,
      gallery_id: photo.gallery_id,
      organization_id: seller.id,
      organization_name: seller.name,
      organization_path: 'hawks-soccer',
      name: photo.name,
      image_url: photo.image_url,
      sales_price: photo.price,
    }),
    async change(photoId, changes) {
      const { status, body } = await callSite(site, 'PUT', `/api/v1/galleries/${galleryId}/gallery_photos/${photoId}`, {
        token,
        body: { photo: changes },
      });
      if (status !== 200) throw new Error(`the photo was not changed: ${JSON.stringify(body)}`);
    },
    async sold() {
      const all = await apiOf(site, token).photos(galleryId);
      return all.reduce((sum, photo) => sum + photo.sales_count, 0);
    },
  };
}

export async function fillBuyer(page: Page, email: string): Promise<void> {
  await page.getByLabel('First name').fill('Grace');
  await page.getByLabel('Last name').fill('Okafor');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Confirm email').fill(email);
}

export async function fillCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiry').fill('1234');
  await page.getByLabel('CVC').fill('123');
  await page.getByLabel('Zip').fill('55401');
}

/** Buys photos at four dollars each with a donation of five, as an API client does; returns the order's address. */
export async function placeOrder(
  site: RunningSite,
  shop: ShopFront,
  photos: readonly Goods[],
  email: string,
): Promise<string> {
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123', zip: '55401' };
  const { body: token } = await callSite(site, 'POST', '/sandbox/tokens', { body: card });
  const { status, body } = await callSite<{ vanity_id: string }>(site, 'POST', '/api/v1/orders', {
    body: {
      order: {
        user: { first_name: 'Grace', last_name: 'Okafor', email, confirm_email: email, zip: '55401' },
        donation: '$5.00',
        taxes: 0,
        subtotal: photos.length * 4,
        org_id: shop.sellerId,
        donation_gallery_id: null,
        checkout_key: `shopping-${randomUUID()}`,
      },
      stripe_token: token,
      items: photos.map((photo) => ({ id: photo.id, gallery_id: photo.gallery_id, sales_price: 4 })),
    },
  });
  if (status !== 201) throw new Error(`nothing was ordered: ${JSON.stringify(body)}`);
  return body.vanity_id;
}

/** A visitor whose cart has some photos. */
export type AtCheckout = { page: Page; context: BrowserContext; complaints: () => string[] };

/** The submit button with a total. */
export const PAY = /^Get Download \$\d/;

/** A visitor at the checkout with these photos in the cart. */
export async function goToCheckout(
  browser: Browser,
  site: RunningSite,
  items: readonly Record<string, unknown>[],
  options: BrowserContextOptions,
): Promise<AtCheckout> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints = listenForComplaints(page);
  await page.goto(site.url('/hawks-soccer'));
  await page.evaluate((text) => localStorage.setItem('cartItems', text), JSON.stringify(items));
  await page.goto(site.url('/hawks-soccer/checkout'));
  await page.getByRole('button', { name: PAY }).waitFor();
  return { page, context, complaints };
}

/** Buyer and a card that pays. */
export async function fillIn(page: Page, email: string): Promise<void> {
  await fillBuyer(page, email);
  await fillCard(page, '4242424242424242');
}
