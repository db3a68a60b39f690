/** The order page: photos one by one, all together, to the phone; the receipt again; refunded and failed orders. */
import { readFile } from 'node:fs/promises';
import { get } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ORDERS_MAIL_SENT, RECEIPT_SENT } from '#src/features/find-my-order/find-orders.contract.ts';
import { EMAIL_NOT_VALID } from '#src/features/orders/orders.contract.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { WIDE, expectSound, expectSoundOnBoth, PHONE, visiting } from '#tests/e2e/public-pages.ts';
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

/** Downloads the archive over the network, from a position on. */
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

describe('an order, on a phone', () => {
  test('says what is ready, what happens with the money, and everything that was bought and paid', async () => {
    await visiting(browser, address(), PHONE, async (page) => {
      await page.getByRole('heading', { name: 'Your photos are ready, Grace', level: 1 }).waitFor();
      await page.getByRole('heading', { name: 'Order Confirmation' }).waitFor();
      await page.getByText('Your images are ready for download!').waitFor();
      await page.getByRole('heading', { name: /^You brought .+ to \$[\d,.]+$/ }).waitFor();
      await page.getByText('$13.00 of it is yours. Thank you!').waitFor();
      for (const photo of shop.photos.slice(0, 2))
        await page.getByRole('link', { name: `Download ${photo.name}` }).waitFor();
      const more = page.getByRole('link', { name: 'More photos of Hawks Soccer Club' });
      expect(await more.getAttribute('href')).toBe('/hawks-soccer');
      await expectSoundOnBoth(page);

      await page.getByText('Receipt', { exact: true }).click();
      await page.getByText('Total price').waitFor();
      const rows = await page.locator('dl > div').allInnerTexts();
      const said = Object.fromEntries(rows.map((row) => row.split('\n').map((part) => part.trim())));
      expect(said).toMatchObject({
        Name: 'Grace Okafor',
        Email: 'order-page@families.test',
        Photos: '2',
        Price: '$8.00',
        Taxes: '$0.00',
        'Additional donation': '$5.00',
        'Total price': '$13.00',
        Card: 'Visa ending in 4242',
        'Tax ID': '84-5512077',
      });
      expect(said['Order number']).toMatch(/^\d+$/);
      expect(Object.keys(said).filter((name) => /total/i.test(name))).toEqual(['Total price']);
      await expectSoundOnBoth(page);
    });
  });
});

test('if files cannot be shared, it is not offered, and one click downloads all photos one by one', async () => {
  await visiting(browser, address(), { ...WIDE, acceptDownloads: true }, async (page) => {
    const names: string[] = [];
    page.on('download', (download) => names.push(download.suggestedFilename()));
    await page.getByRole('button', { name: 'Download all 2 photos' }).click();
    await page.getByText('Done. All 2 photos are in your downloads.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^Save to phone/ }).count()).toBe(0);
    // Printers are named only if some have a link.
    await expect.poll(() => page.getByText('Our Partners').count()).toBe(0);
    await expect.poll(() => names).toEqual(shop.photos.slice(0, 2).map((photo) => `${photo.name}.jpg`));
  });
});

test('the other button downloads one archive with both photos', async () => {
  await visiting(browser, address(), { ...WIDE, acceptDownloads: true }, async (page) => {
    await page.getByText('Other ways').click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download all 2 as a zip file' }).click(),
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

/** A phone that accepts shared files, and records them. */
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

const takenBy = (page: Page) => page.evaluate(() => (window as unknown as { taken: string[] }).taken);

describe('Save all to my phone', () => {
  const handedOver = () => shop.photos.slice(0, 2).map((photo) => `${photo.name}.jpg image/jpeg true`);

  test('shares all photos with the phone in one tap', async () => {
    await visiting(browser, address(), PHONE, async (page) => {
      await withShareSheet(page, 0);
      await page.getByRole('button', { name: 'Save all 2 to my phone' }).click();
      await page.getByText('Done. All 2 photos went to the place you chose.').waitFor();
      await expect.poll(() => takenBy(page)).toEqual(handedOver());
      await expectSound(page);
    });
  });

  test('asks for a second tap if loading the photos took too long', async () => {
    await visiting(browser, address(), PHONE, async (page) => {
      await withShareSheet(page, 1);
      await page.getByRole('button', { name: 'Save all 2 to my phone' }).click();
      await page.getByText('Your photos are here. Press again to save them.').waitFor();
      await page.getByRole('button', { name: 'Save these 2 photos now' }).click();
      await page.getByText('Done. All 2 photos went to the place you chose.').waitFor();
      await expect.poll(() => takenBy(page)).toEqual(handedOver());
    });
  });

  test('says that the photos are safe when the connection breaks, and continues with the next tap', async () => {
    await visiting(browser, address(), { ...PHONE, allowed: /Failed to load resource/ }, async (page) => {
      await withShareSheet(page, 0);
      let isBroken = true;
      await page.route('**/gallery_photos/**download=true**', (route) =>
        isBroken ? route.abort('connectionreset') : route.continue(),
      );
      const save = page.getByRole('button', { name: 'Save all 2 to my phone' });
      await save.click();
      await page.getByText('The connection was lost. Your photos are safe: press again to continue.').waitFor();
      isBroken = false;
      await save.click();
      await page.getByText('Done. All 2 photos went to the place you chose.').waitFor();
      await expect.poll(() => takenBy(page)).toEqual(handedOver());
    });
  });
});

describe('Save to phone', () => {
  test('shares the photo with the phone, with a second tap if the first was too long ago', async () => {
    await visiting(browser, address(), PHONE, async (page) => {
      await withShareSheet(page, 1);
      const [photo] = shop.photos;
      const save = page.getByRole('button', { name: `Save to phone: ${photo?.name}` });
      await save.click();
      await page.getByText('Tap “Save to phone” again.').waitFor();
      await save.click();
      await page.getByText('Sent to your phone.').waitFor();
      await expect.poll(() => takenBy(page)).toEqual([`${photo?.name}.jpg image/jpeg true`]);
      await expectSound(page);
    });
  });
});

test('a bought photo opens large, undistorted, with its download; Back returns to the order', async () => {
  await visiting(browser, address(), { ...PHONE, acceptDownloads: true }, async (page) => {
    const [first, second] = shop.photos;
    await page.getByRole('link', { name: `Open ${first?.name}` }).tap();
    const stage = page.getByRole('dialog', { name: 'Photos' });
    await stage.getByText('1 / 2').waitFor();
    await page.locator('.lightbox[data-live]').waitFor();
    const large = stage.getByRole('img', { name: first?.name ?? '', exact: true });
    await expect.poll(() => large.evaluate((image: HTMLImageElement) => image.currentSrc)).toContain('size=960');
    // Its size is unknown: it gets the whole stage, in which nothing is stretched.
    const look = await large.evaluate((image) => [image.clientHeight > 500, getComputedStyle(image).objectFit]);
    expect(look).toEqual([true, 'contain']);
    // So it has when the phone is turned.
    const upright = page.viewportSize() ?? { width: 390, height: 844 };
    await page.setViewportSize({ width: upright.height, height: upright.width });
    await expect.poll(() => large.evaluate((image) => image.clientWidth > window.innerWidth / 2)).toBe(true);
    await page.setViewportSize(upright);
    await expectSound(page);
    await page.keyboard.press('ArrowRight');
    await stage.getByText('2 / 2').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      stage.getByRole('link', { name: `Download ${second?.name}` }).tap(),
    ]);
    expect(download.suggestedFilename()).toBe(`${second?.name}.jpg`);
    await page.goBack();
    await stage.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Order Confirmation' }).waitFor();
  });
});

test('an interrupted download says that the photo is safe, and works when it is clicked again', async () => {
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

test('the receipt is sent again, and the order is found by its email address', async () => {
  await visiting(browser, address(), { ...PHONE, allowed: /422/ }, async (page) => {
    await page.getByRole('button', { name: 'Send the receipt again' }).click();
    await page.getByText(RECEIPT_SENT).waitFor();
    await page.getByRole('link', { name: 'Find my order' }).first().click();
    await page.getByRole('heading', { name: 'Find my order', level: 1 }).waitFor();
    await page.getByLabel('Email').fill('nobody');
    await page.getByRole('button', { name: 'Send me my orders' }).click();
    await page.getByText(EMAIL_NOT_VALID).waitFor();
    await expect.poll(() => page.getByLabel('Email').evaluate((field) => field === document.activeElement)).toBe(true);
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
  expect(await page.getByRole('button', { name: /^(Download|Save)/ }).count()).toBe(0);
  await context.close();
});
