/** A platform admin reviews what is due, pays one club and confirms it; the club sees it in its reports. */
import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { REFERENCE_REQUIRED } from '#src/features/payouts/payouts.contract.ts';
import { asOwnerOf, ownGallery, type OwnGallery } from '#tests/e2e/own-gallery.ts';
import { WIDE, PHONE, expectSound } from '#tests/e2e/public-pages.ts';
import { launchBrowser, listenForComplaints } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { agePassword, ageSales } from '#tests/support/site-database.ts';
import { ADMIN, openAs } from '#tests/e2e/signed-in.ts';

const site = useRunningSite();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** A club of the test's own that sold two photos, with a donation of five dollars, forty days ago. */
async function soldByAClub(): Promise<{ own: OwnGallery; clubName: string }> {
  const own = await ownGallery(site.port, 2);
  const token = await own.call('POST', '/sandbox/tokens', {
    number: '4242424242424242',
    exp_month: 12,
    exp_year: 2040,
    cvc: '123',
    zip: '55401',
  });
  const email = 'maria@families.test';
  await own.call('POST', '/api/v1/orders', {
    order: {
      user: { first_name: 'Maria', last_name: 'Jensen', email, confirm_email: email, zip: '55401' },
      donation: '$5.00',
      taxes: 0,
      subtotal: 4,
      org_id: own.affiliateId,
      donation_gallery_id: own.galleryId,
      checkout_key: randomUUID(),
    },
    stripe_token: token,
    items: own.photoIds.map((id) => ({ id, gallery_id: own.galleryId, sales_price: 2 })),
  });
  await ageSales(site, own.affiliateId, 40);
  return { own, clubName: `Club ${own.path.slice(5)}` };
}

async function openPayOuts(page: Page): Promise<void> {
  await openAs(page, ADMIN, site.url('/admin/pay-outs', 'www'));
}

// $9.00 less a fifth and the card fee of 56 cents.
const DUE = '$6.64';

test('an admin pays a club, types the password, and confirms the transfer', async () => {
  const { own, clubName } = await soldByAClub();
  const context = await browser.newContext(WIDE);
  const page = await context.newPage();
  const complaints = listenForComplaints(page);
  await openPayOuts(page);
  await agePassword(site, ADMIN.email);
  await page.getByRole('checkbox', { name: /^All \d+$/ }).uncheck();
  await page.getByText('No organizations selected.').waitFor();
  await page.getByRole('checkbox', { name: clubName }).check();
  await expectSound(page);
  await page.getByRole('button', { name: `Pay out ${DUE}` }).click();
  const asked = page.getByRole('alertdialog', { name: `Pay out ${DUE}?` });
  await asked.getByText('1 order of one organization.').waitFor();
  await expectSound(page);
  await asked.getByRole('button', { name: 'Pay out' }).click();
  const password = page.getByRole('dialog', { name: 'Please confirm your password.' });
  await password.getByLabel('Your current password').fill('sideline-demo');
  await password.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('heading', { name: `${DUE} is on the way in one payout` }).waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H2');
  await page.getByRole('checkbox', { name: clubName }).waitFor({ state: 'detached' });

  const row = page.getByRole('list', { name: 'Payouts' }).getByRole('listitem').filter({ hasText: clubName });
  await row.getByText('On the way').waitFor();
  await row.getByRole('button', { name: /^Orders/ }).click();
  await row.getByRole('cell', { name: DUE }).waitFor();
  await row.getByRole('button', { name: /^Confirm/ }).click();
  const confirm = page.getByRole('alertdialog', { name: 'Confirm this payout?' });
  await confirm.getByRole('button', { name: 'Confirm payout' }).click();
  await confirm.getByText(REFERENCE_REQUIRED).waitFor();
  await confirm.getByLabel('Reference').fill('ACH 471');
  await confirm.getByRole('button', { name: 'Confirm payout' }).click();
  await row.getByText('Paid', { exact: true }).waitFor();
  await row.getByText('ACH 471').waitFor();
  await expect
    .poll(() => row.getByRole('button', { name: /^Orders/ }).evaluate((button) => button === document.activeElement))
    .toBe(true);
  await expectSound(page);
  // The two refusals that the test causes: no password, no reference.
  expect(complaints().filter((complaint) => !/40[1]|422/.test(complaint))).toEqual([]);
  await context.close();

  await asOwnerOf(own, browser, PHONE, async (phone) => {
    await phone.goto(own.at('/report'));
    const payouts = phone.getByRole('region', { name: 'Payouts' });
    await payouts.getByText('ACH 471').waitFor();
    await expect.poll(() => payouts.getByText(DUE).count()).toBe(2);
    await expectSound(phone);
  });
});

test('what a search finds is paid out and confirmed together', async () => {
  const { clubName } = await soldByAClub();
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  await openPayOuts(page);
  await page.getByRole('searchbox', { name: 'Search payouts' }).fill(clubName.toUpperCase());
  await page.getByText('1 of 1 organization chosen').waitFor();
  await page.getByRole('button', { name: `Pay out ${DUE}` }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Pay out' }).click();
  await page.getByRole('heading', { name: `${DUE} is on the way in one payout` }).waitFor();
  await page.getByText(`Nothing is due to “${clubName.toUpperCase()}”`).waitFor();

  await page.getByRole('button', { name: 'Confirm several…' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Confirm these payouts?' });
  const box = dialog.getByRole('checkbox', { name: clubName });
  await box.uncheck();
  await dialog.getByRole('button', { name: 'Confirm 0 payouts' }).waitFor();
  await box.check();
  await dialog.getByLabel('Reference').fill('ACH batch 7');
  await expectSound(page);
  await dialog.getByRole('button', { name: 'Confirm 1 payout' }).click();
  const row = page.getByRole('list', { name: 'Payouts' }).getByRole('listitem');
  await row.getByText('ACH batch 7').waitFor();
  await expect.poll(() => row.count()).toBe(1);

  await page.getByRole('searchbox', { name: 'Search payouts' }).fill('ACH batch 7');
  await row.filter({ hasText: clubName }).waitFor();
  await page.getByRole('searchbox', { name: 'Search payouts' }).fill('nothing of this name');
  await page.getByText('No payouts match “nothing of this name”').waitFor();
  await context.close();
});

test('on a phone the review is shown as cards, and does not scroll sideways', async () => {
  const context = await browser.newContext({ ...PHONE, colorScheme: 'dark' });
  const page = await context.newPage();
  await openPayOuts(page);
  await page.getByRole('heading', { level: 1, name: 'Payouts' }).waitFor();
  await expectSound(page);
  await context.close();
});
