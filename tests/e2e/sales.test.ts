/** The platform's sales report: filtered by the address, orders reconciled one by one, downloaded as a file. */
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorSavingOrder, ORGANIZATIONS_ERROR } from '#src/features/admin-reports/admin-report.contract.ts';
import { CHOOSE_DATE_RANGE, REPORTING_ERROR } from '#src/features/reports/reports.contract.ts';
import { ownGallery, type OwnGallery } from '#tests/e2e/own-gallery.ts';
import { expectSound, expectSoundOnBoth, PHONE, visiting, WIDE } from '#tests/e2e/public-pages.ts';
import { hydrated, launchBrowser } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { ADMIN } from '#tests/e2e/signed-in.ts';
import { shareGoods } from '#tests/support/second-try.ts';

const site = useRunningSite();
let browser: Browser;
let own: OwnGallery;
let clubName: string;

beforeAll(async () => {
  browser = await launchBrowser();
});
shareGoods(async () => {
  own = await ownGallery(site.port, 2, 'Autumn Meet');
  clubName = `Club ${own.path.slice(5)}`;
  await buy(1, '$5.00');
  await buy(2, '');
});
afterAll(() => browser?.close());

async function buy(photos: number, donation: string): Promise<void> {
  const items = own.photoIds.slice(0, photos).map((id) => ({ id, gallery_id: own.galleryId, sales_price: 2 }));
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123', zip: '55401' };
  const email = 'ann@buyers.test';
  await own.call('POST', '/api/v1/orders', {
    order: {
      user: { first_name: 'Ann', last_name: 'Buyer', email, confirm_email: email, zip: '55401' },
      donation,
      taxes: 0,
      subtotal: 2 * photos,
      org_id: own.affiliateId,
      donation_gallery_id: donation === '' ? null : own.galleryId,
      checkout_key: `sales-test-${own.path}-${photos}`,
    },
    stripe_token: await own.call('POST', '/sandbox/tokens', card),
    items,
  });
}

type Options = BrowserContextOptions & { allowed?: RegExp };

/** Logged in as the platform admin, on the page of sales. */
const asAdmin = (options: Options, query: string, work: (page: Page) => Promise<void>) =>
  visiting(browser, site.url(`/admin-report${query}`, 'www'), { ...options, as: ADMIN }, work);

const section = (page: Page) => page.getByRole('region', { name: clubName, exact: true });

/** Of the orders that are shown. */
const marks = (page: Page) => section(page).getByRole('checkbox', { name: /^Reconciled, order \d+/ });

describe('sales of all organizations', () => {
  test('are those of the last seven days at first, and filtered by typing; Back works', async () => {
    await asAdmin(WIDE, '', async (page) => {
      await page.getByRole('heading', { name: /^Last 7 days: \d\d-\d\d-\d{4} to \d\d-\d\d-\d{4}$/ }).waitFor();
      await expect.poll(() => page.getByRole('combobox', { name: 'Affiliate' }).isDisabled()).toBe(true);

      await page.getByRole('combobox', { name: 'Organization' }).fill('sidel');
      await page.getByRole('option', { name: /^Sideline/ }).waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL(/org=1\b/);
      const affiliate = page.getByRole('combobox', { name: 'Affiliate' });
      await affiliate.fill(own.path.slice(5));
      await page.getByRole('option', { name: clubName }).click();
      await page.waitForURL(/affiliate=\d+/);

      // One photo with a donation of $5.00, two photos without.
      await section(page).getByText('2 orders').waitFor();
      await section(page)
        .getByRole('row', { name: /All 2 orders/ })
        .getByText('$11.00')
        .waitFor();
      await expect.poll(() => section(page).getByRole('columnheader', { name: 'Email' }).count()).toBe(0);
      await page.getByRole('table', { name: 'Sales and donations per day' }).waitFor({ state: 'attached' });
      await expectSound(page);

      await page.goBack();
      await page.waitForURL((url) => !url.searchParams.has('affiliate'));
      await page.getByRole('button', { name: /forget Sideline/ }).click();
      await page.waitForURL((url) => !url.searchParams.has('org'));
    });
  });

  test('are reconciled one by one on a phone, and then hidden', async () => {
    const query = `?affiliate=${own.affiliateId}`;
    await asAdmin({ ...PHONE, allowed: /500/ }, `${query}&reconciled=1`, async (page) => {
      const box = marks(page).first();
      await box.check();
      await section(page).locator('[aria-busy=true]').waitFor({ state: 'detached' });
      await page.reload();
      await expect.poll(() => box.isChecked()).toBe(true);
      await expectSoundOnBoth(page);

      await page.getByRole('checkbox', { name: 'Show reconciled' }).uncheck();
      await page.waitForURL((url) => !url.searchParams.has('reconciled'));
      await expect.poll(() => marks(page).count()).toBe(1);
      await page.getByRole('checkbox', { name: 'Show reconciled' }).check();
      await expect.poll(() => marks(page).count()).toBe(2);

      // A failure to save is shown, and the checkbox reverts.
      const orderId = /\d+$/.exec((await box.getAttribute('aria-label')) ?? '')?.[0];
      await page.route(`**/api/v1/orders/${orderId}`, (route) => route.fulfill({ status: 500, body: '{}' }));
      await box.click();
      await page.getByText(errorSavingOrder(orderId ?? '')).waitFor();
      await expect.poll(() => box.isChecked()).toBe(true);
      await page.unrouteAll();
      await box.uncheck();
      await section(page).locator('[aria-busy=true]').waitFor({ state: 'detached' });
    });
  });

  test('can be downloaded as a file with the values of the screen', async () => {
    await asAdmin({ ...WIDE, acceptDownloads: true }, `?affiliate=${own.affiliateId}&period=30-days`, async (page) => {
      const waiting = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export CSV' }).click();
      const file = await waiting;
      expect(file.suggestedFilename()).toMatch(
        new RegExp(`^sideline-sales-${own.path}-\\d{4}-\\d\\d-\\d\\d-to-\\d{4}-\\d\\d-\\d\\d\\.csv$`),
      );
      const rows = parse(await readFile(await file.path()), { bom: true, columns: true }) as Record<string, string>[];
      expect(rows.map((row) => [row['Organization'], row['Total']])).toEqual([
        [clubName, '4.00'],
        [clubName, '7.00'],
      ]);
      for (const row of rows) {
        const line = section(page).getByRole('row', { name: new RegExp(`#${row['Order']}`) });
        await line.getByRole('cell', { name: `$${row['Net']}`, exact: true }).waitFor();
      }
    });
  });

  test('report errors in the specification’s words', async () => {
    const lists = /organization_choices/;
    await asAdmin({ ...WIDE, allowed: /500|404/ }, '?from=2001-01-01&to=2001-01-31', async (page) => {
      await page.getByText(REPORTING_ERROR).waitFor();
      await expect.poll(() => page.getByRole('button', { name: 'Export CSV' }).isDisabled()).toBe(true);
      await page.goto(site.url('/admin-report?from=2026-02-01&to=2026-01-01', 'www'));
      await page.getByText(CHOOSE_DATE_RANGE).waitFor();
      await hydrated(page);
      await page.route(lists, (route) => route.fulfill({ status: 500, body: '{}' }));
      await page.getByRole('combobox', { name: 'Organization' }).click();
      await page.getByText(ORGANIZATIONS_ERROR).first().waitFor();
      await expectSound(page);
    });
  });

  // For platform admins only: src/web/navigation.test.ts, tests/page-guards.test.ts, and for the calls
  // src/features/admin-reports/admin-report.test.ts.
});
