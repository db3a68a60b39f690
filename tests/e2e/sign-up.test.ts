/** Signing up in a browser: free, by promo code and paid; the auth state that the browser stores. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { picturesOf } from '#src/demo/catalog.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { sentEmails } from '#tests/support/sent-emails.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { WIDE, expectSound, PHONE, visiting } from '#tests/e2e/public-pages.ts';

const site = useRunningSite();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const PASSWORD = 'nine fine pines';
/** A unique name for every account of this run. */
const mark = Date.now().toString(36);

async function fillPerson(page: Page, name: string): Promise<string> {
  const email = `${name.toLowerCase()}.${mark}@families.test`;
  await page.getByLabel('First name').fill(name);
  await page.getByLabel('Last name').fill('Park');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByLabel('Organization name').fill(`${name}’s Été ${mark}`);
  return email;
}

const pathOf = (name: string) => `${name.toLowerCase()}s-ete-${mark}`;

async function goOn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Plan and payment' }).waitFor();
}

async function agree(page: Page): Promise<void> {
  await page.getByLabel(/I agree to the Terms of Use/).check();
  await page.getByLabel(/I am 13 or older/).check();
}

const submitButton = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Sign Up' });

async function landsOnDashboard(page: Page, host: string, name: string): Promise<void> {
  await page.waitForURL((url) => url.pathname === `/${pathOf(name)}/dashboard`);
  expect(new URL(page.url()).hostname).toBe(host);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

async function fillCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiry').fill('1234');
  await page.getByLabel('CVC').fill('123');
  await page.getByLabel('Zip').fill('55401');
}

/** The bar above every page asks for proof of the address; the emailed link proves it, and the bar disappears. */
async function confirmsAddress(page: Page, email: string): Promise<void> {
  const bar = page.getByRole('complementary', { name: 'Confirm your email address' });
  await bar.getByText(`click the link that we emailed to ${email}`).waitFor();
  await expectSound(page);
  await bar.getByRole('button', { name: 'Send the link again' }).click();
  await expect.poll(() => page.locator('body').innerText()).toContain(`We emailed a link to ${email}.`);
  const link = await vi.waitFor(
    async () => {
      const [sentEmail = ''] = await sentEmails(site.dataDir, email, 'Confirm your email address');
      const found = /http:\/\/\S+\/confirm-email\?token=[\w.-]+/.exec(sentEmail)?.[0];
      if (found === undefined) throw new Error('no link yet');
      return found;
    },
    { timeout: 60_000 },
  );
  await page.goto(link);
  await page.getByText('Your email address is confirmed.').waitFor();
  await expectSound(page);
  await page.getByRole('link', { name: 'Continue' }).click();
  await page.waitForURL((url) => url.pathname === `/${pathOf('Ada')}/dashboard`);
  await expect.poll(() => bar.count()).toBe(0);
}

describe('signing up', () => {
  test('is free below www: every problem of the first step, the path from the name, then the dashboard, then logout', async () => {
    await visiting(browser, site.url('/sign-up', 'www'), PHONE, async (page) => {
      await page.getByRole('button', { name: 'Continue' }).click();
      await expect.poll(() => page.getByText('This field is required').count()).toBe(6);
      await expect.poll(() => page.getByText('Name required.').count()).toBe(0);
      await expect
        .poll(() => page.getByLabel('First name').evaluate((field) => field === document.activeElement))
        .toBe(true);
      await page.getByLabel('First name').fill('Ada');
      await expect.poll(() => page.getByText('This field is required').count()).toBe(5);
      await page.getByLabel('Email').fill('a@b');
      await page.getByLabel('Password').fill('12345');
      await page.getByLabel('Organization name').fill('!!!');
      await page.getByLabel('Custom domain or path').fill('www site');
      await page.getByRole('button', { name: 'Continue' }).click();
      for (const message of [
        'Invalid email address',
        'Minimum 6 chars',
        'Name required.',
        'Only Numbers and Letters',
        'WWW is not a valid choice',
      ]) {
        await page.getByText(message).waitFor();
        await expect.poll(() => page.getByText(message).count()).toBe(1);
      }
      await page.getByRole('button', { name: 'Show password' }).click();
      await expect.poll(() => page.getByLabel('Password').getAttribute('type')).toBe('text');
      await page.getByLabel('Password').fill('123456');
      await page.getByText('Minimum 6 chars').waitFor({ state: 'detached' });
      await page.getByLabel('Custom domain or path').fill('');
      const email = await fillPerson(page, 'Ada');
      await expect.poll(() => page.getByLabel('Custom domain or path').inputValue()).toBe(pathOf('Ada'));
      await page.getByText(`www.sideline.localhost:${site.port}/`).waitFor();
      await goOn(page);
      await expect.poll(() => page.getByLabel('Password').getAttribute('type')).toBe('password');
      await page.getByText('1 Active Gallery, up to 500 photos').waitFor();
      await expect.poll(() => page.getByLabel('Promo code').count()).toBe(0);
      await expect.poll(() => page.getByLabel('Free tier').isChecked()).toBe(true);
      await page.getByText('$0.00', { exact: true }).waitFor();
      await page.getByLabel('Premium').check();
      await page.getByLabel('Card number').waitFor();
      await page.getByText('$89.00', { exact: true }).waitFor();
      await page.getByLabel('Free tier').check();
      await page.getByLabel('Card number').waitFor({ state: 'hidden' });
      await expect.poll(() => submitButton(page).isDisabled()).toBe(true);
      await page.getByLabel(/I agree to the Terms of Use/).check();
      await page.getByLabel(/I agree to the Terms of Use/).uncheck();
      await page.getByText('TOS Agreement is Required').waitFor();
      await agree(page);
      await expectSound(page);
      await submitButton(page).click();
      await landsOnDashboard(page, 'www.sideline.localhost', 'Ada');
      await page.waitForFunction(() => localStorage.getItem('auth') !== null);
      await confirmsAddress(page, email);
      expect(JSON.parse((await page.evaluate(() => localStorage.getItem('auth'))) ?? '')).toEqual({
        user: { first_name: 'Ada', last_name: 'Park', role_id: 1 },
        error: null,
        loading: false,
      });
      await page.goto(site.url('/logout', 'www'));
      await page.getByRole('heading', { name: "You've been logged out!" }).waitFor();
      await expect.poll(() => page.evaluate(() => localStorage.getItem('auth'))).toBeNull();
      expect((await page.context().cookies()).filter((cookie) => cookie.name === 'token')).toEqual([]);
    });
  });

  test('works by promo code below an organization that accepts them', async () => {
    const options = { ...WIDE, allowed: /422/ };
    await visiting(browser, site.url('/sign-up'), options, async (page) => {
      await fillPerson(page, 'Ben');
      await goOn(page);
      await expect.poll(() => page.getByLabel('Free tier').count()).toBe(0);
      const code = page.getByLabel('Promo code');
      await code.fill('NONSENSE9');
      await expect.poll(() => code.inputValue()).toBe('NONSENSE');
      await page.getByRole('button', { name: 'Apply' }).click();
      await page.getByText('This promo code is not valid.').waitFor();
      await code.fill('KICKOFF1');
      await page.getByRole('button', { name: 'Apply' }).click();
      await page.getByText('No card is needed.').waitFor();
      await page.getByLabel('Card number').waitFor({ state: 'hidden' });
      await expectSound(page);
      await agree(page);
      await submitButton(page).click();
      await landsOnDashboard(page, 'lakeside.sideline.localhost', 'Ben');
    });
  });

  test('works with a card that is declined, back and forth, and with one that pays; the cart is empty afterwards', async () => {
    const options = { ...WIDE, allowed: /402|422/ };
    await visiting(browser, site.url('/hawks-soccer'), options, async (page) => {
      await page
        .getByRole('link', { name: /Fan Photos/ })
        .first()
        .click();
      await page.getByRole('heading', { name: 'Fan Photos', level: 1 }).waitFor();
      await page
        .getByRole('link', { name: new RegExp(picturesOf('fan-photos')[0]?.name ?? '') })
        .first()
        .click();
      await page.getByRole('button', { name: 'Add to Cart' }).click();
      await page.getByRole('button', { name: 'Remove From Cart' }).waitFor();
      await expect.poll(() => page.evaluate(() => localStorage.getItem('cartItems'))).toMatch(/^\[\{/);
      await page.goto(site.url('/sign-up'));
      await fillPerson(page, 'Cleo');
      await goOn(page);
      await page.getByLabel('Zip').press('Enter');
      await page.getByText('You must agree to the Terms of Service.').waitFor();
      await agree(page);
      await submitButton(page).click();
      await page.getByText('Please enter a card.').waitFor();
      await fillCard(page, '4000000000000002');
      await page.goBack();
      await page.getByRole('heading', { name: 'You and your organization' }).waitFor();
      await expect.poll(() => page.getByLabel('First name').inputValue()).toBe('Cleo');
      await goOn(page);
      await expect.poll(() => page.getByLabel('Zip').inputValue()).toBe('55401');
      await submitButton(page).click();
      await page.getByRole('alert').getByText('Your card was declined.').waitFor();
      await expect.poll(() => page.getByLabel(/I agree to the Terms of Use/).isChecked()).toBe(true);
      await fillCard(page, '4242424242424242');
      await submitButton(page).click();
      await landsOnDashboard(page, 'lakeside.sideline.localhost', 'Cleo');
      await expect.poll(() => page.evaluate(() => localStorage.getItem('cartItems'))).toMatch(/^(\[\]|null)$/);
    });
  });

  test('reports a name that is taken', async () => {
    await visiting(browser, site.url('/sign-up', 'www'), { ...WIDE, allowed: /422/ }, async (page) => {
      await fillPerson(page, 'Dora');
      await page.getByLabel('Email').fill('pto@maple.test');
      await goOn(page);
      await agree(page);
      await submitButton(page).click();
      await page
        .getByRole('alert')
        .getByText('This Account information is taken. Please try a new email, or a new org name.')
        .waitFor();
      await page.getByRole('link', { name: 'Choose a new password' }).waitFor();
    });
  });
});
