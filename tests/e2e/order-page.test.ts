/** The order page: photos one by one, all at once, into the phone; the receipt again; orders that went another way. */
import { readFile } from 'node:fs/promises';
import { get } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ORDERS_MAIL_SENT, RECEIPT_SENT } from '#src/features/orders/find-orders.contract.ts';
import { EMAIL_NOT_VALID } from '#src/features/orders/orders.contract.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { BOTH, DESK, expectSound, PHONE, visiting } from '#tests/e2e/public-pages.ts';
import { openShopFront, placeOrder, type ShopFront } from '#tests/e2e/shopping.ts';
import { shareGoods } from '#tests/support/second-try.ts';

const site = useRunningSite();
let browser: Browser;
let shop: ShopFront;
let vanityId: string;

beforeAll(async () => {
  browser = await launchBrowser();
});
shareGoods(async () => {
  shop = await openShopFront(site);
  vanityId = await placeOrder(site, shop, shop.photos.slice(0, 2), 'order-page@families.test');
});
afterAll(() => browser?.close());

const address = () => site.url(`/hawks-soccer/order/${vanityId}`);

/** The archive over the network, from a place on. */
function fetchZip(start: number, etag?: string): Promise<{ status: number; etag: string; bytes: Buffer }> {
  const { host, port, pathname } = new URL(site.url(`/api/v1/orders/${vanityId}/download.zip`));
  const headers = { host, ...(start > 0 ? { range: `bytes=${start}-` } : {}), ...(etag ? { 'if-range': etag } : {}) };
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: pathname, headers }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          etag: String(answer.headers.etag),
          bytes: Buffer.concat(pieces),
        }),
      );
    }).on('error', reject);
  });
}

describe.each(BOTH)('an order, %s', (_device, options) => {
  test('says all that was bought and paid', async () => {
    await visiting(browser, address(), options, async (page) => {
      await page.getByRole('heading', { name: 'Order Confirmation', level: 1 }).waitFor();
      await page.getByText('Your images are ready for download!').waitFor();
      const rows = await page.locator('dl > div').allInnerTexts();
      const said = Object.fromEntries(rows.map((row) => row.split('\n').map((part) => part.trim())));
      expect(said).toMatchObject({
        Name: 'Grace Okafor',
        Email: 'order-page@families.test',
        Photos: '2',
        Price: '$8.00',
        Taxes: '$0.00',
        Total: '$8.00',
        'Additional donation': '$5.00',
        'Total price': '$13.00',
        Card: 'Visa ending in 4242',
        'Tax ID': '84-5512077',
      });
      expect(said['Order number']).toMatch(/^\d+$/);
      await page.getByRole('heading', { name: 'Our Partners' }).waitFor();
      await expect
        .poll(() => page.getByRole('heading', { name: 'Our Partners' }).locator('..').getByRole('listitem').count())
        .toBe(2);
      for (const photo of shop.photos.slice(0, 2))
        await page.getByRole('link', { name: `Download ${photo.name}` }).waitFor();
      await expectSound(page);
    });
  });
});

test('Download all brings one archive with both photos', async () => {
  await visiting(browser, address(), { ...DESK, acceptDownloads: true }, async (page) => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download all 2' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^hawks-soccer-order-\d+\.zip$/);
    const zip = await readFile(await download.path());
    for (const photo of shop.photos.slice(0, 2)) expect(zip.includes(`${photo.name}.jpg`)).toBe(true);
    const whole = await fetchZip(0);
    expect(whole.bytes.equals(zip)).toBe(true);
    const rest = await fetchZip(100_000, whole.etag);
    expect(rest.status).toBe(206);
    expect(Buffer.concat([zip.subarray(0, 100_000), rest.bytes]).equals(zip)).toBe(true);
  });
});

/** A phone that takes files, and remembers what it was handed. */
async function withShareSheet(page: Page, refusals: number): Promise<void> {
  await page.addInitScript((refuse) => {
    let left = refuse;
    const taken: string[] = [];
    Object.assign(navigator, {
      canShare: () => true,
      share: async ({ files }: { files: File[] }) => {
        if (left-- > 0) throw new DOMException('too late', 'NotAllowedError');
        taken.push(...files.map((file) => `${file.name} ${file.type} ${file.size > 10_000}`));
      },
    });
    Object.assign(window, { taken });
  }, refusals);
  await page.reload();
}

describe('Save to phone', () => {
  test('hands the photo to the phone, with a second press where the first was too long ago', async () => {
    await visiting(browser, address(), PHONE, async (page) => {
      await withShareSheet(page, 1);
      const [photo] = shop.photos;
      const save = page.getByRole('button', { name: `Save to phone: ${photo?.name}` });
      await save.click();
      await page.getByText('Press “Save to phone” once more.').waitFor();
      await save.click();
      await page.getByText('Handed to your phone.').waitFor();
      await expect
        .poll(() => page.evaluate(() => (window as unknown as { taken: string[] }).taken))
        .toEqual([`${photo?.name}.jpg image/jpeg true`]);
      await expectSound(page);
    });
  });

  test('is not offered where the browser cannot', async () => {
    await visiting(browser, address(), DESK, async (page) => {
      await page.getByRole('link', { name: 'Download all 2' }).waitFor();
      await expect.poll(() => page.getByRole('button', { name: /^Save to phone/ }).count()).toBe(0);
    });
  });
});

test('a download that breaks off says that the photo is safe, and works when it is pressed again', async () => {
  await visiting(
    browser,
    address(),
    { ...PHONE, acceptDownloads: true, allowed: /Failed to load resource/ },
    async (page) => {
      const [photo] = shop.photos;
      const link = page.getByRole('link', { name: `Download ${photo?.name}` });
      await page.route('**/gallery_photos/**download=true**', (route) => route.abort('connectionreset'), { times: 1 });
      await link.click();
      await page.getByText('The download stopped. Please try again; your photo is safe.').waitFor();
      const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
      expect(download.suggestedFilename()).toBe(`${photo?.name}.jpg`);
      await page.getByText('Saved to your downloads.').waitFor();
    },
  );
});

test('the receipt is sent once more, and the way back is found by address', async () => {
  await visiting(browser, address(), { ...PHONE, allowed: /422/ }, async (page) => {
    await page.getByRole('button', { name: 'Send the receipt again' }).click();
    await page.getByText(RECEIPT_SENT).waitFor();
    await page.getByRole('link', { name: 'Find my order' }).first().click();
    await page.getByRole('heading', { name: 'Find my order', level: 1 }).waitFor();
    await page.getByLabel('Email').fill('nobody');
    await page.getByRole('button', { name: 'Send me my orders' }).click();
    await page.getByRole('alert').getByText(EMAIL_NOT_VALID).waitFor();
    await page.getByLabel('Email').fill('order-page@families.test');
    await page.getByRole('button', { name: 'Send me my orders' }).click();
    await page.getByText(ORDERS_MAIL_SENT).waitFor();
    await expectSound(page);
  });
});

test('without JavaScript the photos and their downloads are there', async () => {
  const context = await browser.newContext({ ...PHONE, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(address());
  const link = page.getByRole('link', { name: `Download ${shop.photos[0]?.name}` });
  await link.waitFor();
  await expect.poll(() => link.getAttribute('href')).toContain('download=true&orderkey=');
  await context.close();
});
