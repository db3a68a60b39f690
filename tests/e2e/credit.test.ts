/**
 * Prepaid credit in a browser: a club sells it, a visitor gives it away, and its receiver pays with it, alone and
 * together with a card.
 */
import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwnerOf, ownGallery, type OwnGallery } from '#tests/e2e/own-gallery.ts';
import { expectSound, PHONE, visiting, WIDE } from '#tests/e2e/public-pages.ts';
import { fillBuyer, fillCard, fillIn } from '#tests/e2e/shopping.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { sentEmails } from '#tests/support/sent-emails.ts';

const site = useRunningSite();
let browser: Browser;
let own: OwnGallery;
beforeAll(async () => {
  browser = await launchBrowser();
  own = await ownGallery(site.port, 3, 'Cup Final');
  await own.call('PUT', `/api/v1/galleries/${own.galleryId}`, { gallery: { price_per_photo: 4 } });
});
afterAll(() => browser?.close());

const offer = (amounts: { amount: number; bonus?: number }[]) =>
  own.call('PUT', `/api/v1/affiliates/${own.affiliateId}/credit`, { credit: { active: true, amounts } });

/** Buys the gift on the page that the club's own page links to; returns its code as on the card. */
async function giveCredit(page: Page, to: string, amount: string): Promise<string> {
  await page.getByRole('link', { name: 'Photo credit' }).click();
  await page.getByRole('radio', { name: amount }).check();
  await page.getByRole('radio', { name: 'As a gift' }).check();
  await page.getByLabel('Recipient’s name').fill('Grandma');
  await page.getByLabel('Recipient’s email').fill(to);
  await page.getByLabel('Your message (optional)').fill('For the season');
  await expectSound(page);
  await fillBuyer(page, `giver-${randomUUID()}@families.test`);
  await fillCard(page, '4242424242424242');
  await page.getByRole('button', { name: /^Pay \$/ }).click();
  await page.waitForURL(/\/order\//);
  const card = page.getByRole('region', { name: 'The gift card' });
  await card.getByText('for photos, for Grandma').waitFor();
  await card.getByText('“For the season”').waitFor();
  await card.getByText('From Grace').waitFor();
  await card.getByRole('button', { name: 'Print the card' }).waitFor();
  await expectSound(page);
  const code = (await card.textContent())?.match(/(?:[2-9A-Z]{4}-){3}[2-9A-Z]{4}/)?.[0];
  expect(code).toBeDefined();
  return code ?? '';
}

async function balanceIs(page: Page, code: string, amount: string): Promise<void> {
  await page.goto(own.at('/credit/balance'));
  await page.getByLabel('Credit code').fill(code);
  await page.getByRole('button', { name: 'Check the balance' }).click();
  await page.getByRole('status').getByText(amount, { exact: true }).waitFor();
  await expectSound(page);
}

async function choose(page: Page, photos: number): Promise<void> {
  await page.goto(own.at(`/gallery/${own.galleryId}`));
  for (let at = 0; at < photos; at += 1)
    await page
      .locator(`#photo-${at}`)
      .getByRole('button', { name: /to cart$/ })
      .press('Enter');
  await page.getByRole('complementary', { name: 'Cart' }).getByRole('link', { name: 'Review & Get' }).click();
}

async function chooseWithCode(page: Page, photos: number, code: string): Promise<void> {
  await choose(page, photos);
  await page.getByRole('button', { name: 'Have a code?' }).click();
  await page.getByLabel('Have a code?').fill(code);
  await page.getByRole('button', { name: 'Use code' }).click();
}

test('a gift is bought on a phone, arrives by email, and pays for photos until it is used up', async () => {
  await offer([{ amount: 10 }, { amount: 15, bonus: 3 }]);
  const receiver = `grandma-${randomUUID().slice(0, 8)}@families.test`;
  let code = '';
  await visiting(browser, own.at(''), PHONE, async (page) => {
    code = await giveCredit(page, receiver, 'Pay $15.00, get $18.00');
  });
  let email = '';
  await expect
    .poll(async () => ([email = ''] = await sentEmails(site.dataDir, receiver, 'A gift for you: $18.00')).length)
    .toBe(1);
  expect(email).toContain(code);
  expect(email).toContain('For the season');

  const link = /http:\S+\/credit\/balance#[\w-]+/.exec(email)?.[0] ?? '';
  await visiting(browser, link, PHONE, async (page) => {
    await page.getByRole('status').getByText('$18.00', { exact: true }).waitFor();
    await page.getByText('$3.00 of it is a bonus for photos. $15.00 never expires.').waitFor();
    expect(page.url()).not.toContain('#');
    await expectSound(page);
    await page.getByRole('link', { name: 'Choose photos' }).click();
    await page.waitForURL(own.at(''));
    // $4.00, of which the bonus pays $3.00. Nobody types the code.
    await choose(page, 1);
    await page.getByRole('button', { name: 'Get Download $0.00' }).waitFor();
    await page.getByText(`Paid with credit ••••${code.slice(-4)}`).waitFor();
    expect(await page.getByLabel('Card number').count()).toBe(0);
    await expectSound(page);
    await fillBuyer(page, receiver);
    await page.getByLabel('Zip').fill('55401');
    await page.getByRole('button', { name: 'Get Download $0.00' }).click();
    await page.waitForURL(/\/order\//);
    await page.getByRole('group').getByText('Receipt').click();
    await page.getByText(`Paid with credit ••••${code.slice(-4)}`).waitFor();
    await expectSound(page);
    await balanceIs(page, code.toLowerCase().replaceAll('-', ' '), '$14.00');

    await own.call('PUT', `/api/v1/galleries/${own.galleryId}`, { gallery: { price_per_photo: 6 } });
    await chooseWithCode(page, 3, code);
    await page.getByRole('button', { name: 'Get Download $4.00' }).waitFor();
    await expectSound(page);
    await fillIn(page, receiver);
    await page.getByRole('button', { name: 'Get Download $4.00' }).click();
    await page.waitForURL(/\/order\//);
    await balanceIs(page, code, '$0.00');
    await page.getByText('This code has no balance left.').waitFor();
  });
});

test('a giver who mistyped an address corrects it on the order’s page', async () => {
  await offer([{ amount: 10 }]);
  const [wrong, right] = [`granma-${randomUUID()}@families.test`, `grandma-${randomUUID()}@families.test`];
  await visiting(browser, own.at(''), { ...PHONE, allowed: /422/ }, async (page) => {
    await giveCredit(page, wrong, '$10.00');
    const card = page.getByRole('region', { name: 'The gift card' });
    await card.getByText(wrong).waitFor();
    await card.getByRole('button', { name: 'Change the address' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change the address' });
    await dialog.getByLabel('Grandma’s email').fill('grandma');
    await dialog.getByRole('button', { name: 'Send it there' }).click();
    await dialog.getByText('Please enter the recipient’s email address.').waitFor();
    await expectSound(page);
    await dialog.getByLabel('Grandma’s email').fill(right);
    await dialog.getByRole('button', { name: 'Send it there' }).click();
    await page.getByText('Address changed.').waitFor();
    await card.getByText(right).waitFor();
    await expectSound(page);
  });
  await expect.poll(async () => (await sentEmails(site.dataDir, right, 'A gift for you: $10.00')).length).toBe(1);
});

test('a seller sets what is offered, and sees what was sold and what is left, without codes', async () => {
  await offer([{ amount: 25 }]);
  let code = '';
  await visiting(browser, own.at(''), WIDE, async (page) => {
    code = await giveCredit(page, `aunt-${randomUUID().slice(0, 8)}@families.test`, '$25.00');
  });
  await asOwnerOf(own, browser, { ...WIDE, allowed: /422/ }, async (page) => {
    await page.goto(own.at('/prices/credit'));
    await page.getByRole('link', { name: 'Open the page where it is sold' }).waitFor();
    await page.getByLabel('Amount 2', { exact: true }).fill('4');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('An amount must be from $5.00 to $200.00.').first().waitFor();
    await page.getByLabel('Amount 2', { exact: true }).fill('50');
    await page.getByLabel('Bonus on amount 2').fill('10');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const sold = page.getByRole('list', { name: 'Sold credit' });
    await sold.getByText(`••••${code.slice(-4)}`).waitFor();
    await sold.getByText('$25.00 left').first().waitFor();
    expect(await page.content()).not.toContain(code);
    await expectSound(page);
  });
  await visiting(browser, own.at('/credit'), { ...WIDE, colorScheme: 'dark' }, async (page) => {
    await page.getByRole('radio', { name: 'Pay $50.00, get $60.00' }).waitFor();
    await expectSound(page);
  });
  await own.call('PUT', `/api/v1/affiliates/${own.affiliateId}/credit`, {
    credit: { active: false, amounts: [{ amount: 25 }] },
  });
  await visiting(browser, own.at(''), PHONE, async (page) => {
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Photo credit' }).count()).toBe(0);
  });
});
