/**
 * A month of a club's account, from the list of statements to the PDF; the audit log of a club, and of the platform.
 */
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { monthWords } from '#src/features/statements/statements.rules.ts';
import { asOwnerOf, ownGallery, type OwnGallery } from '#tests/e2e/own-gallery.ts';
import { WIDE, expectSound, expectSoundOnBoth, PHONE } from '#tests/e2e/public-pages.ts';
import { launchBrowser, hydrated } from '#tests/support/browser.ts';
import { thisMonth } from '#tests/support/neighborhood.ts';
import { seePdf } from '#tests/support/read-pdf.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { ADMIN, openAs } from '#tests/e2e/signed-in.ts';
import { shareGoods } from '#tests/support/second-try.ts';

const site = useRunningSite();
let browser: Browser;
let own: OwnGallery;

beforeAll(async () => {
  browser = await launchBrowser();
});
shareGoods(async () => {
  own = await ownGallery(site.port, 1, 'Winter Meet');
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123', zip: '55401' };
  const user = {
    first_name: 'Ann',
    last_name: 'Buyer',
    email: 'ann@buyers.test',
    confirm_email: 'ann@buyers.test',
    zip: '55401',
  };
  await own.call('POST', '/api/v1/orders', {
    order: {
      user,
      donation: '$5.00',
      taxes: 0,
      subtotal: 2,
      org_id: own.affiliateId,
      donation_gallery_id: own.galleryId,
      checkout_key: `statement-test-${own.path}`,
    },
    stripe_token: await own.call('POST', '/sandbox/tokens', card),
    items: [{ id: own.photoIds[0], gallery_id: own.galleryId, sales_price: 2 }],
  });
  // An action that is recorded in the log.
  await own.call('POST', `/api/v1/galleries/${own.galleryId}/contribute_key`, { action: 'rotate' });
});
afterAll(() => browser?.close());

// $7.00, less 30 cents and 2.9 %, less 20 %.
const EARNED = '$5.10';

async function saved(page: Page, name: string): Promise<Buffer> {
  const coming = page.waitForEvent('download');
  await page.getByRole('link', { name }).click();
  return readFile(await (await coming).path());
}

describe('a club’s statements', () => {
  test('lead from the reports to a month that adds up, on the page and as a file, on a phone', async () => {
    await asOwnerOf(own, browser, { ...PHONE, acceptDownloads: true }, async (page) => {
      await page.goto(own.at('/report'));
      await page.getByRole('link', { name: 'Monthly statements' }).click();
      await page.getByRole('heading', { name: 'Statements', level: 1 }).waitFor();
      await expectSoundOnBoth(page);
      await page.getByRole('link', { name: monthWords(thisMonth()) }).click();
      await page.getByRole('heading', { name: `Statement for ${monthWords(thisMonth())}`, level: 1 }).waitFor();
      await hydrated(page);
      await page.getByText('In progress: more may follow.').waitFor();
      const main = page.getByRole('main');
      for (const [name, amount] of [
        ['Opening balance', '$0.00'],
        ['Sales', '$2.00'],
        ['Donations', '$5.00'],
        ['Card fees', '-$0.50'],
        ['Closing balance', EARNED],
      ] as const)
        await main
          .locator('dl > div', { has: page.getByText(name, { exact: true }) })
          .getByText(amount)
          .first()
          .waitFor();
      await page.getByRole('list', { name: 'Line by line' }).getByText('Sale', { exact: true }).waitFor();
      await expectSoundOnBoth(page);
      const pdf = await seePdf(await saved(page, 'Download PDF'));
      expect(pdf.lines).toEqual(expect.arrayContaining(['Winter Meet', 'Closing balance', EARNED]));
      const csv = (await saved(page, 'Download CSV')).toString('utf8');
      expect(csv).toContain('"Closing balance"');
      expect(csv).toContain('"5.10"');
    });
  });
});

describe('the audit log', () => {
  test('is found by members through their settings, each line opening to what changed', async () => {
    await asOwnerOf(own, browser, WIDE, async (page) => {
      await page.goto(own.at('/settings'));
      await page.getByRole('link', { name: 'Open activity' }).click();
      await page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor();
      await hydrated(page);
      const line = page.getByRole('list', { name: 'Entries' }).getByText('Contribute key: rotated');
      await line.click();
      await expectSound(page);
    });
  });

  test('is searched by platform admins', async () => {
    const context = await browser.newContext(WIDE);
    const page = await context.newPage();
    await openAs(page, ADMIN, new URL('/admin/audit-log', own.at('')).href);
    const filter = page.getByRole('form', { name: 'Filter' });
    await filter.getByLabel('Organization').fill('nobody-is-called-so');
    await filter.getByRole('button', { name: 'Show' }).click();
    await page.getByText('No organization has this domain name or ID.').waitFor();
    await filter.getByLabel('Organization').fill(own.path);
    await filter.getByLabel('Action').selectOption('contribute_key.rotated');
    await filter.getByRole('button', { name: 'Show' }).click();
    const entries = page.getByRole('list', { name: 'Entries' });
    await entries.getByText('Contribute key: rotated').click();
    await entries.getByRole('link', { name: 'All of this organization' }).waitFor();
    await expect.poll(() => entries.getByRole('listitem').count()).toBe(1);
    await expectSound(page);
    await context.close();
  });

  test('on a phone shows the entries first, and the filter on request', async () => {
    const context = await browser.newContext(PHONE);
    const page = await context.newPage();
    await openAs(page, ADMIN, new URL('/admin/audit-log', own.at('')).href);
    await page.getByRole('list', { name: 'Entries' }).waitFor();
    await hydrated(page);
    const field = page.getByLabel('Organization');
    expect(await field.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Filters' }).click();
    await field.fill(own.path);
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByRole('button', { name: 'Filters (1)' }).waitFor();
    expect(await field.isVisible()).toBe(false);
    await context.close();
  });
});
