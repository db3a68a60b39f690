/** Platform admins import accounts and galleries from files: with every error, and without. */
import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WIDE, expectSound, PHONE } from '#tests/e2e/public-pages.ts';
import { launchBrowser, listenForComplaints } from '#tests/support/browser.ts';
import { csvOf, GALLERY_HEAD, galleryRow, USER_HEAD, userRow } from '#tests/support/csv-files.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { ADMIN, openAs } from '#tests/e2e/signed-in.ts';

const site = useRunningSite();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
});

/** The demo's platform admin on either page; the browser logs failed calls. */
async function asAdmin(
  address: string,
  options: BrowserContextOptions,
  work: (page: Page, upload: (content: string | Buffer, name?: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext(options);
  try {
    const page = await context.newPage();
    const complaints = listenForComplaints(page);
    await openAs(page, ADMIN, site.url(address));
    await page.getByRole('button', { name: 'Choose a CSV file' }).waitFor();
    await work(page, async (content, name = 'rows.csv') => {
      const buffer = typeof content === 'string' ? Buffer.from(content) : content;
      await page.getByLabel('CSV file', { exact: true }).setInputFiles({ name, mimeType: 'text/csv', buffer });
    });
    expect(complaints().filter((line) => !/the server responded with a status of 4\d\d/.test(line))).toEqual([]);
  } finally {
    await context.close();
  }
}

test('a file that was chosen before the page’s script is ready is read once it is', async () => {
  const context = await browser.newContext(WIDE);
  try {
    const page = await context.newPage();
    await openAs(page, ADMIN, site.url('/hawks-soccer/dashboard'));
    const { promise: hasChosen, resolve: letScriptsIn } = Promise.withResolvers<void>();
    await page.route(/\/assets\/.*\.js$/, async (route) => {
      await hasChosen;
      await route.continue();
    });
    const isOpen = page.goto(site.url('/hawks-soccer/bulk-users-csv'), { waitUntil: 'commit' });
    await page
      .getByLabel('CSV file', { exact: true })
      .setInputFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer: Buffer.from('') });
    letScriptsIn();
    await isOpen;
    await page.getByRole('alert').getByText('No valid rows found in CSV.').waitFor();
  } finally {
    await context.close();
  }
});

const LAKESIDE = { orgname: 'Lakeside Youth Sports' };

test('accounts: each error has its message, valid rows are imported, and the same file again creates nothing', async () => {
  const path = `csv-${randomUUID().slice(0, 8)}`;
  await asAdmin('/hawks-soccer/bulk-users-csv', WIDE, async (page, upload) => {
    await expectSound(page);
    for (const [content, name, sentence] of [
      ['a', 'rows.txt', 'Please upload a CSV file only.'],
      [Buffer.from('PK\u0003\u0004'), 'rows.csv', 'Please upload a CSV file only.'],
      ['', 'rows.csv', 'No valid rows found in CSV.'],
      [
        csvOf('orgname,email', 'a,b'),
        'rows.csv',
        'Missing or incorrect headers: newOrgName, customPath, firstName, lastName, tax_id',
      ],
      [csvOf(USER_HEAD, '"a'), 'rows.csv', 'Failed to parse CSV.'],
    ] as const) {
      await upload(content, name);
      await page.getByRole('alert').getByText(sentence).waitFor();
    }
    const file = csvOf(
      USER_HEAD,
      userRow(path, { ...LAKESIDE, password: '' }),
      userRow(`${path}-b`, { ...LAKESIDE, email: 'nobody@', password: 'short' }),
      userRow(`${path}-c`, { orgname: 'Nowhere', tax_id: '' }),
    );
    await upload(file);
    const errors = page.getByRole('dialog', { name: 'CSV Errors Detected' });
    await errors.getByText('This File cannot be Proceed').waitFor();
    await expect
      .poll(() => errors.getByRole('listitem').allTextContents())
      .toEqual([
        'Row 3: Invalid email format',
        'Row 3: Password must be at least 8 characters',
        'Row 4: tax_id is required',
        'Row 4: Parent organization not found',
      ]);
    await expectSound(page);
    await errors.getByRole('button', { name: 'Proceed with Valid Rows' }).click();
    await page.getByText('Some users could not be created.').waitFor();
    await page.getByText('1 account created · 2 rows failed').waitFor();
    await page.getByRole('link', { name: 'Failed rows of rows.csv' }).first().waitFor();
    await page.getByRole('button', { name: 'Upload another file' }).click();
    await upload(csvOf(USER_HEAD, userRow(path, { ...LAKESIDE, password: '' })));
    const nothing = page.getByRole('dialog', { name: 'Nothing new in this file' });
    await nothing.getByText('1 row was imported before').waitFor();
    await expect.poll(() => nothing.getByRole('button', { name: 'Save' }).count()).toBe(0);
    await nothing.getByRole('button', { name: 'Close' }).first().click();
    await upload(csvOf(USER_HEAD, userRow('none', { orgname: '' })));
    const proceed = page.getByRole('button', { name: 'Proceed with Valid Rows' });
    await proceed.waitFor();
    await expect.poll(() => proceed.isDisabled()).toBe(true);
  });
});

test('galleries on a phone: previewed, saved, created, and still listed after a reload', async () => {
  const name = `From a file ${randomUUID().slice(0, 8)}`;
  const owner = { orgname: 'Hawks Soccer Club', domain_name: 'hawks-soccer', hideGallery: 'yes' };
  await asAdmin('/hawks-soccer/bulk-gallery-csv', PHONE, async (page, upload) => {
    await upload(csvOf(GALLERY_HEAD, galleryRow(name, owner)));
    const question = page.getByRole('dialog', { name: 'Create 1 gallery?' });
    await question.getByRole('region', { name: 'First rows of the file' }).getByText(name).waitFor();
    await expectSound(page);
    await question.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Galleries Created Successfully!').waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Recent imports' }).waitFor();
    await page.getByText('1 created').first().waitFor();
    await expectSound(page);
  });
});
