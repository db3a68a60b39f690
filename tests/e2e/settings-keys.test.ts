/** Settings that require the password, for a platform admin or for a parent, in a real browser. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ACCOUNT_STAYS, DELETION_ASKED } from '#src/features/sign-in/deletion-requests.contract.ts';
import { PASSWORD_CHANGED } from '#src/features/sign-in/passwords.contract.ts';
import { CHANGE_EMAIL, changeLinkUsed, EMAIL_CHANGED } from '#src/features/sign-in/email-changes.contract.ts';
import * as words from '#src/features/tenancy/settings-words.contract.ts';
import { bar, inSettings, PASSWORD } from '#tests/e2e/own-settings.ts';
import { WIDE, expectSound, PHONE, visiting } from '#tests/e2e/public-pages.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { ADMIN, DIRECTOR } from '#tests/e2e/signed-in.ts';
import { sentEmails } from '#tests/support/sent-emails.ts';

const site = useRunningSite();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

test('a new password requires the current one if the login was long ago, and this device stays logged in', async () => {
  await inSettings({ browser, site }, { ...WIDE, allowed: /401/ }, async (page, path) => {
    // The test does not wait eleven minutes: the first answer is replaced by the one that would come then.
    let asked = false;
    let canceled = false;
    await page.route('**/api/v1/affiliates/*', async (route) => {
      if (asked && canceled) return route.continue();
      canceled = asked;
      asked = true;
      return route.fulfill({
        status: 401,
        contentType: 'application/json',
        body: JSON.stringify({ error: 'Please confirm your password.', errors: {}, request_id: 'test' }),
      });
    });
    await page.getByLabel('New password').fill('one great big wall');
    await page.getByLabel('Confirm password').fill('one great big wall');
    await bar(page, words.UPDATE).click();
    const dialog = page.getByRole('dialog', { name: 'Please confirm your password.' });
    // Canceled: nothing is wrong, nothing moves, and what was typed is still there.
    const { y } = await page.getByLabel('Confirm password').evaluate((field) => field.getBoundingClientRect());
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await bar(page, words.UPDATE).waitFor();
    expect(await page.getByRole('alert').filter({ visible: true }).count()).toBe(0);
    expect(await page.getByLabel('Confirm password').evaluate((field) => field.getBoundingClientRect().y)).toBe(y);
    await bar(page, words.UPDATE).click();
    await dialog.getByLabel('Your current password').fill('wrong');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.getByText('That password is not correct.').waitFor();
    await dialog.getByLabel('Your current password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await bar(page, words.UPDATED).waitFor();
    await expect.poll(() => page.getByLabel('New password').inputValue()).toBe('');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    const status = await page.evaluate(
      async (email) =>
        (
          await fetch('/login', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ user: { email, password: 'one great big wall' } }),
          })
        ).status,
      `${path}@climbers.test`,
    );
    expect(status).toBe(200);
  });
});

describe('restricted settings', () => {
  test('include custom payment: a platform admin allows it, keys are a pair, and the secret is never shown again', async () => {
    let path = '';
    await inSettings({ browser, site }, WIDE, async (page, made) => {
      path = made;
      await expect.poll(() => page.getByText('Custom payment processing').count()).toBe(0);
    });
    const address = site.url(`/${path}/settings`, 'www');
    await visiting(browser, address, { ...WIDE, allowed: /422/, as: ADMIN }, async (page) => {
      await expect.poll(() => page.getByLabel('Secret key').count()).toBe(0);
      await page.getByRole('checkbox', { name: 'Allow' }).check();
      await page.getByLabel('Secret key').fill('sk_live_abc9876');
      await page.getByLabel('Public key').fill('pk_test_abc');
      await bar(page, words.UPDATE).click();
      await bar(page, words.UPDATE_FAILED).waitFor();
      await expect
        .poll(() => page.getByText('The keys must be in the same mode, both test or both live.').count())
        .toBe(2);
      await page.getByLabel('Secret key').fill('sk_test_abc9876');
      await bar(page, words.UPDATE).click();
      await page.getByText('The current key ends in 9876. Leave blank for no change.').waitFor();
      await expect.poll(() => page.getByLabel('Secret key').inputValue()).toBe('');
      await expect
        .poll(() => page.getByLabel('Whose password').locator('option').allInnerTexts())
        .toEqual([`Cleo Climber (${path}@climbers.test)`]);
      await expectSound(page);
    });
  });

  test('of a parent are its fixed address, and the tax table of all its teams', async () => {
    await visiting(browser, site.url('/lakeside/settings'), { ...PHONE, as: DIRECTOR }, async (page) => {
      await expect.poll(() => page.getByLabel('Domain name').isDisabled()).toBe(true);
      const zip = String(96_900 + Math.floor(Math.random() * 90));
      await page.getByLabel('State', { exact: true }).selectOption('GU');
      await page.getByLabel('Zip begins with').fill(zip);
      await page.getByLabel('Rate in percent').fill('6.875');
      await page.getByLabel('What it is for').fill('A test of the table');
      await page.getByRole('button', { name: 'Add rate' }).click();
      const rates = page.getByRole('list', { name: 'Tax rates' });
      await rates.getByText(`GU, zips ${zip}`).waitFor();
      await expect.poll(() => rates.innerText()).toContain('6.875 %');
      await expectSound(page);
      await page.getByRole('button', { name: `Remove the rate of GU, zips ${zip}` }).click();
      await page.getByText(`GU, zips ${zip}: removed.`).waitFor();
    });
  });
});

/** The link of a page in the newest email with this subject. */
const linkTo = (email: string, path: string, subject: string): Promise<string> =>
  vi.waitFor(
    async () => {
      const [sent = ''] = await sentEmails(site.dataDir, email, subject);
      const link = new RegExp(`http://\\S+/${path}\\?token=[\\w.-]+`).exec(sent)?.[0];
      if (link === undefined) throw new Error('no link yet');
      return link;
    },
    { timeout: 60_000 },
  );

test('the email address of one’s own login is changed by a link to the new one', async () => {
  await inSettings({ browser, site }, { ...PHONE, allowed: /422/ }, async (page, path) => {
    await page.goto(await linkTo(`${path}@climbers.test`, 'confirm-email', 'Confirm your email address'));
    await page.getByText('Your email address is confirmed.').waitFor();
    await page.goto(site.url(`/${path}/settings`, 'www'));
    await page.getByRole('link', { name: 'Change your email address' }).click();
    const login = page.getByRole('region', { name: 'Email address' });
    await login.getByRole('button', { name: CHANGE_EMAIL }).click();
    const dialog = page.getByRole('dialog', { name: CHANGE_EMAIL });
    await dialog.getByLabel('New email address').fill(`${path}@hikers.test`);
    await expectSound(page);
    await dialog.getByRole('button', { name: 'Send the link' }).click();
    await login
      .getByRole('status')
      .getByText(`If ${path}@hikers.test has no account yet, we emailed it a link.`)
      .waitFor();
    const link = await linkTo(`${path}@hikers.test`, 'change-email', 'Confirm your new email address');
    await page.goto(link);
    await page.getByText(EMAIL_CHANGED).waitFor();
    await expectSound(page);
    await page.waitForURL(/\/change-email\?done=yes$/);
    await page.reload();
    await page.getByText(EMAIL_CHANGED).waitFor();
    // A second press is told that the link was used, which is no error.
    await page.goto(link);
    await page
      .getByRole('status')
      .getByText(changeLinkUsed(`${path}@hikers.test`))
      .waitFor();
    await expectSound(page);
    await page.goto(site.url('/users/me', 'www'));
    await login.getByText(`${path}@hikers.test`, { exact: true }).waitFor();
    const password = page.getByRole('region', { name: 'Password' });
    for (const label of ['New password', 'Confirm']) await password.getByLabel(label).fill('orange-river-9');
    await password.getByRole('button', { name: 'Change password' }).click();
    await password.getByText(PASSWORD_CHANGED).waitFor();
    await expect.poll(() => password.getByLabel('New password').inputValue()).toBe('');
    await expectSound(page);
    await asksForDeletion(page);
  });
});

/** And withdraws it. The button that changes keeps the focus. */
async function asksForDeletion(page: Page): Promise<void> {
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await page.getByRole('button', { name: 'Delete account…' }).click();
  await page.getByRole('button', { name: 'Ask for deletion' }).click();
  await page.getByText(DELETION_ASKED).waitFor();
  await page.getByText(/you asked us to delete your account/).waitFor();
  await expect.poll(focused).toBe('Keep my account');
  await expectSound(page);
  await page.getByRole('button', { name: 'Keep my account' }).click();
  await page.getByText(ACCOUNT_STAYS).waitFor();
  await expect.poll(focused).toBe('Delete account…');
}
