/** Reports for owners: sales of 30 days, the reports, the figures of one gallery; and the visits that are counted for it. */
import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHOOSE_DATE_RANGE } from '#src/features/reports/reports.contract.ts';
import { machineDay } from '#src/shared/dates.ts';
import { shownDay } from '#src/shared/day-range.ts';
import { ownGallery, asOwnerOf, type OwnGallery } from '#tests/e2e/own-gallery.ts';
import { expectSoundOnBoth, PHONE, visiting } from '#tests/e2e/public-pages.ts';
import { launchBrowser, scrollsSideways, VIEWPORTS } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { shareGoods } from '#tests/support/second-try.ts';

const site = useRunningSite();
let browser: Browser;
let own: OwnGallery;
const today = (): string => machineDay(new Date());
/** A browser that identifies itself as headless counts as a robot. */
const PERSON = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

beforeAll(async () => {
  browser = await launchBrowser();
});
shareGoods(async () => {
  own = await ownGallery(site.port, 3, 'Autumn, "Meet"');
  await buy([0, 1], '$5.00');
  await buy([0], '');
});
afterAll(() => browser?.close());

async function buy(places: number[], donation: string): Promise<void> {
  const items = places.map((place) => ({ id: own.photoIds[place], gallery_id: own.galleryId, sales_price: 2 }));
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
      donation,
      taxes: 0,
      subtotal: 2 * items.length,
      org_id: own.affiliateId,
      donation_gallery_id: donation === '' ? null : own.galleryId,
      checkout_key: `desk-test-${own.path}-${places.join('-')}-${items.length}`,
    },
    stripe_token: await own.call('POST', '/sandbox/tokens', card),
    items,
  });
}

const asOwner = (options: BrowserContextOptions, work: (page: Page) => Promise<void>) =>
  asOwnerOf(own, browser, options, work);

describe('the dashboard', () => {
  test('shows the last 30 days and leads to the reports on a phone', async () => {
    await asOwner(PHONE, async (page) => {
      await page.goto(own.at('/dashboard'));
      const month = page.getByRole('region', { name: 'Last 30 days' });
      for (const [name, value] of [
        ['Orders', '2'],
        ['Photos purchased', '3'],
      ] as const)
        await month.locator('dl > div', { hasText: name }).getByText(value, { exact: true }).waitFor();
      // One number, the same as in the report below, and its parts.
      const net = await month.locator('dl > div', { hasText: 'You get' }).locator('dd').innerText();
      expect(net).toBe('$7.88');
      await month.getByText('from $6.00 sales + $5.00 donations').waitFor();
      const card = page.getByRole('article').first();
      await expect
        .poll(() => card.locator('dl').innerText())
        .toMatch(/Photos sold\s+3\s+Sales\s+\$6\.00\s+Donations\s+\$5\.00/);
      // Screen readers read the chart's data as a table.
      const rows = month.getByRole('table', { name: 'Sales and donations per day' }).getByRole('row');
      await expect.poll(() => rows.count()).toBe(31);
      await expect.poll(() => rows.last().textContent()).toBe(`${shownDay(today())}$11.00`);
      await page.getByRole('status').getByText('1 gallery').waitFor();
      await expectSoundOnBoth(page);
      await month.getByRole('link', { name: 'View Reports' }).click();
      await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor();
      await page.getByRole('link', { name: '30 days' }).click();
      await page.locator('dl > div', { hasText: 'You get' }).first().getByText(net, { exact: true }).waitFor();
    });
  });
});

describe('the reports', () => {
  test('have every gallery, a custom date range and a file, on a phone', async () => {
    await asOwner({ ...PHONE, acceptDownloads: true }, async (page) => {
      await page.goto(own.at('/report'));
      await page.getByRole('heading', { name: /^Last 7 days: / }).waitFor();
      // On a desktop, a table.
      for (const [role, size] of [
        ['table', VIEWPORTS.desktop],
        ['list', VIEWPORTS.phone],
      ] as const) {
        await page.setViewportSize(size);
        const galleries = page.getByRole(role, { name: 'Sales per gallery' });
        await galleries.getByText('Autumn, "Meet"').waitFor();
        // $11.00, less 30 cents and 2.9 % of each order, less 20 %.
        await galleries.getByText('$7.88').first().waitFor();
      }
      await expectSoundOnBoth(page);

      const waiting = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download CSV' }).click();
      const file = await waiting;
      expect(file.suggestedFilename()).toMatch(/^club-\w+-report-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.csv$/);
      expect(await readFile(await file.path(), 'utf8')).toContain(
        '"Autumn, ""Meet""","2","3","6.00","5.00","0.00","0.00","0.92","2.20","0.00","7.88"',
      );

      await page.getByLabel('From', { exact: true }).fill('2026-01-02');
      await page.getByLabel('To', { exact: true }).fill('2026-01-01');
      await page.getByRole('button', { name: 'Show' }).click();
      await page.getByRole('alert').getByText(CHOOSE_DATE_RANGE).waitFor();
      await page.getByLabel('To', { exact: true }).fill('2026-01-05');
      await page.getByRole('button', { name: 'Show' }).click();
      await page.getByRole('heading', { name: '01.02.2026 to 01.05.2026' }).waitFor();
      await page.getByRole('heading', { name: 'No sales in this period' }).waitFor();
      await expectSoundOnBoth(page);
      await page.getByRole('link', { name: 'Show all time' }).click();
      await page.getByRole('heading', { name: 'All time' }).waitFor();
      await page.setViewportSize({ width: 320, height: 700 });
      await expect.poll(() => scrollsSideways(page)).toBe(false);
    });
  });
});

describe('a gallery', () => {
  test('counts a visitor once for each tab, and shows its owner the figures', async () => {
    const address = own.at(`/gallery/${own.galleryId}`);
    const visits = async () =>
      (await own.call<{ totals: { visits: number } }>('GET', `/api/v1/galleries/${own.galleryId}/report`)).totals
        .visits;
    await visiting(browser, address, { ...PHONE, userAgent: PERSON }, async (page) => {
      await expect.poll(visits).toBe(1);
      const told: string[] = [];
      page.on('request', (asked) => told.push(asked.url()));
      await page.reload();
      expect(told.filter((url) => url.endsWith('/visits'))).toEqual([]);
    });
    await expect.poll(() => visits()).toBe(1);
    await asOwner(PHONE, async (page) => {
      await page.goto(own.at(`/gallery/${own.galleryId}/edit`));
      await page.getByRole('button', { name: 'Reports' }).click();
      const area = page.getByRole('region', { name: 'Reports' });
      await area.getByRole('button', { name: /^Sales ?\$6\.00$/ }).waitFor();
      await area.getByRole('heading', { name: 'Best sellers' }).waitFor();
      await area.getByText('Sold 2 times').waitFor();
      await area.getByRole('button', { name: /^Visits ?1$/ }).click();
      const days = area.getByRole('table', { name: 'Visits per day' });
      await expect.poll(() => days.getByRole('row').last().textContent()).toBe(`${shownDay(today())}1`);
      await area.getByRole('button', { name: 'All time' }).click();
      await area.getByRole('button', { name: 'All time', pressed: true }).waitFor();
      await expectSoundOnBoth(page);
    });
  });
});
