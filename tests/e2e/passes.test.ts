/** An order with a pass and a bundle: what it opens, what was added later, and how its price was made. */
import { readFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownGallery, type OwnGallery } from '#tests/e2e/own-gallery.ts';
import { expectSoundOnBoth, PHONE, visiting, WIDE } from '#tests/e2e/public-pages.ts';
import { launchBrowser, scrollsSideways } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { shareGoods } from '#tests/support/second-try.ts';
import { useSheet } from '#tests/support/shop-sheets.ts';
import { rowsOf } from '#tests/support/site-database.ts';

/** How the description of each file in an archive begins. */
const DIRECTORY_ENTRY = Buffer.from([0x50, 0x4b, 1, 2]).toString('latin1');

const site = useRunningSite();
let browser: Browser;
let own: OwnGallery;
let vanityId: string;

beforeAll(async () => {
  browser = await launchBrowser();
});
shareGoods(async () => {
  own = await ownGallery(site.port, 3, 'Cup final');
  const { affiliateId: sellerId, galleryId } = own;
  await rowsOf(site, 'update galleries set is_private = false where id = $1', [galleryId]);
  const content = {
    offers: [{ id: 1, kind: 'gallery_pass' as const, priceCents: 500 }],
    ownPricesTakePart: false,
    earlyBird: { percent: 10, lastDay: '2999-12-31' },
  };
  await useSheet({ ownerQuery: (text, values) => rowsOf(site, text, values) }, { sellerId, galleryId }, content);
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123', zip: '55401' };
  const token = await own.call<{ id: string }>('POST', '/sandbox/tokens', card);
  const email = `passes-${randomUUID().slice(0, 8)}@families.test`;
  const placed = await own.call<{ vanity_id: string }>('POST', '/api/v1/orders', {
    order: {
      user: { first_name: 'Grace', last_name: 'Okafor', email, confirm_email: email, zip: '55401' },
      donation: '',
      taxes: 0,
      subtotal: 4.5,
      org_id: sellerId,
      checkout_key: `passes-${randomUUID()}`,
    },
    stripe_token: token,
    items: [{ id: own.photoIds[0], gallery_id: galleryId, sales_price: 2 }],
    passes: [{ kind: 'gallery_pass', gallery_id: galleryId }],
  });
  vanityId = placed.vanity_id;
  await own.call('PUT', `/api/v1/galleries/${galleryId}`, { gallery: { is_private: true } });
});
afterAll(() => browser?.close());

const address = () => own.at(`/order/${vanityId}`);

test('the order page has the pass, its photos and the price, on a phone', async () => {
  await visiting(browser, address(), PHONE, async (page) => {
    await page.getByRole('heading', { name: 'Your photos are ready, Grace', level: 1 }).waitFor();
    const pass = page.getByRole('region', { name: 'The whole gallery “Cup final”' });
    const sentence = pass.getByText(/^\d photos today\. New ones appear here until \d\d\.\d\d\.\d{4}\.$/);
    // Another test adds a photo.
    const count = Number((await sentence.innerText()).charAt(0));
    await expect.poll(() => pass.getByRole('listitem').count()).toBe(count);
    expect([3, 4]).toContain(count);
    await page.getByText('The photo that you chose').waitFor();
    await expectSoundOnBoth(page);
    await page.getByText('Receipt', { exact: true }).click();
    const rows = page.getByRole('heading', { name: 'How your price is made' }).locator('..').getByRole('listitem');
    await expect
      .poll(() => rows.allInnerTexts())
      .toEqual(['The whole gallery “Cup final”\n$5.00', 'Early bird, 10% off\n−$0.50']);
    await expectSoundOnBoth(page);
    // At 200 % text the open receipt is no wider than the phone: long addresses wrap.
    await page.evaluate(() => void (document.documentElement.style.fontSize = '200%'));
    expect(await scrollsSideways(page)).toBe(false);
  });
});

test('an open photo of the folded list is seen after a reload, too', async () => {
  await visiting(browser, address(), PHONE, async (page) => {
    await page.getByText('The photo that you chose').tap();
    await page.locator('[id^=chosen-]').tap();
    await page.waitForURL(/photo=chosen-/);
    await page.reload();
    await page
      .getByRole('dialog', { name: 'Photos' })
      .getByRole('link', { name: /^Download / })
      .waitFor();
  });
});

test('all photos come in one file, and later only the new ones', async () => {
  await visiting(browser, address(), { ...WIDE, acceptDownloads: true }, async (page) => {
    const take = async (name: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name, exact: true }).click(),
      ]);
      const zip = await readFile(await download.path());
      return zip.toString('latin1').split(DIRECTORY_ENTRY).length - 1;
    };
    // The photos and a list of them.
    expect(await take('Download all')).toBe(4);
    await rowsOf(
      site,
      `with late as (
         insert into photos (gallery_id, organization_id, name, status, order_key, width, height, thumbhash, original_key, original_sha256, original_bytes)
         select gallery_id, organization_id, 'Late goal', 'ready', 'zz', width, height, thumbhash, original_key, original_sha256, original_bytes
           from photos where id = $1 returning id)
       insert into renditions (photo_id, size, mark, format, pixel_version, object_key, sha256, bytes, width, height)
       select late.id, size, mark, format, 1, object_key, sha256, bytes, r.width, r.height from late, renditions r where r.photo_id = $1`,
      [own.photoIds[0]],
    );
    await page.reload();
    await page.getByText(/^4 photos today\./).waitFor();
    expect(await take('Download the new one')).toBe(2);
  });
});
