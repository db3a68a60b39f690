/** Logging in and out in a browser: a forgotten password from the email to the new one, other tabs. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, hydrated } from '#tests/support/browser.ts';
import { SESSION_HAS_ENDED } from '#src/features/accounts/accounts.contract.ts';
import { UPDATE, UPDATED } from '#src/features/tenancy/settings-words.contract.ts';
import { bar, inSettings, PASSWORD as PASSWORD_OF_CLUB } from '#tests/e2e/own-settings.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { WIDE, expectSound, expectSoundOnBoth, PHONE, visiting } from '#tests/e2e/public-pages.ts';

const site = useRunningSite();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const PASSWORD = 'nine fine pines';

/** A free account below `www`, made by the call. */
async function openAccount(): Promise<{ email: string; path: string }> {
  const path = `eve-${Date.now().toString(36)}`;
  const email = `${path}@families.test`;
  const answer = await fetch(`http://127.0.0.1:${site.port}/signup/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      user: { first_name: 'Eve', last_name: 'Park', email, password: PASSWORD },
      affiliateInfo: { affiliateOrg: 'Eve’s Club', affiliateName: path, domain_name: path },
      org: { id: 1 },
      freeTier: true,
      agreeToTerms: true,
      confirmAgeAndPlace: true,
    }),
  });
  expect(answer.status).toBe(200);
  return { email, path };
}

/** The newest link to a new password in the mail transport's folder. */
async function linkFor(email: string): Promise<string> {
  const folder = join(site.dataDir, 'outbox');
  for (const name of await readdir(folder)) {
    if (!name.startsWith('choose-a-new-password') || !name.endsWith('.eml')) continue;
    const text = (await readFile(join(folder, name), 'utf8')).replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
    const link = /http:\/\/\S+\/update-password\?reset_password_token=[\w-]+&redirect=[\w%-]+/.exec(text)?.[0];
    if (text.includes(email) && link !== undefined) return link;
  }
  return '';
}

describe('a forgotten password', () => {
  test('is replaced: from the login to the email to the new one and in again', async () => {
    const options = { ...PHONE, allowed: /401|422/ };
    const { email, path } = await openAccount();
    await visiting(browser, site.url('/login', 'www'), options, async (page) => {
      await page.getByLabel('Email').fill('typed@people.test');
      await page.getByRole('link', { name: 'Forgot password' }).click();
      await page.getByRole('heading', { name: 'Forgot password' }).waitFor();
      await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('typed@people.test');
      const ask = page.getByRole('button', { name: 'Send Password Reset Instructions' });
      await page.getByLabel('Email').fill('nobody');
      await ask.click();
      await page.getByRole('alert').getByText('email Invalid email address').waitFor();
      await page.getByLabel('Email').fill(email);
      await ask.click();
      await page
        .getByRole('status')
        .getByText(/^Please check your email for instructions on resetting/)
        .waitFor();
      await expect.poll(() => linkFor(email)).not.toBe('');

      const opened = await page.goto(await linkFor(email));
      expect(opened?.headers()['referrer-policy']).toBe('no-referrer');
      await page.waitForURL((url) => url.search === '');
      const update = page.getByRole('button', { name: 'Update Password' });
      await update.click();
      await page.getByText('Password field is required.', { exact: true }).waitFor();
      await page.getByText('Confirm password field is required.').waitFor();
      await page.getByLabel('Password').fill('123456');
      await page.getByLabel('Confirm').fill('1234567');
      await update.click();
      await page.getByText('Passwords do not match.').waitFor();
      await page.getByLabel('Confirm').fill('123456');
      await update.click();
      await page.getByText('Password is too common.').waitFor();
      await expectSound(page);
      await page.getByLabel('Password').fill('ten tame tigers');
      await page.getByLabel('Confirm').fill('ten tame tigers');
      await update.click();
      await page.getByRole('status').getByText('Password updated, re-directing you now.').waitFor();
      await page.waitForURL((url) => url.pathname === '/login');
      // As the specification has it (P§2.4): the redirect is the first parameter.
      expect(new URL(page.url()).search).toBe(`?redirect=%2F${path}%2Fdashboard&updated=yes`);

      await hydrated(page);
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByLabel('Password').press('Enter');
      await page.getByRole('alert').getByText('Invalid email or password.').waitFor();
      await page.getByRole('button', { name: 'Login', exact: true }).waitFor();
      await page.getByLabel('Password').fill('ten tame tigers');
      await page.getByLabel('Password').press('Enter');
      await page.waitForURL((url) => url.pathname === `/${path}/dashboard`);
      expect(new URL(page.url()).hostname).toBe('www.sideline.localhost');
      await page.getByRole('heading', { level: 1 }).waitFor();
    });
  });

  test('cannot be replaced without a token', async () => {
    const answer = await fetch(`http://127.0.0.1:${site.port}/update-password`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/forgot-password']);
  });
});

test('a user who logs out in one tab is logged out in all tabs', async () => {
  await visiting(browser, site.url('/login'), WIDE, async (page) => {
    await page.getByLabel('Email').fill('coach@hawks.test');
    await page.getByLabel('Password').fill('sideline-demo');
    await page.getByRole('button', { name: 'Login' }).click();
    await page.waitForURL((url) => url.pathname === '/hawks-soccer/dashboard');
    await page.goto(site.url('/'));
    await page.getByRole('link', { name: 'Dashboard' }).waitFor();
    const other = await page.context().newPage();
    await other.goto(site.url('/logout'));
    await other.getByRole('heading', { name: "You've been logged out!" }).waitFor();
    await other.getByRole('link', { name: 'Log In', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Log In', exact: true }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Dashboard' }).count()).toBe(0);
  });
});

test('settings that were typed before the session ended are saved after logging in again, also in another window', async () => {
  await inSettings({ browser, site }, { ...PHONE, allowed: /401/ }, async (page, path) => {
    const ended = page.getByRole('alertdialog', { name: SESSION_HAS_ENDED });
    const city = page.getByLabel('Billing city');
    await page.waitForLoadState('networkidle');
    await city.fill('Ely');
    await page.context().clearCookies();
    await bar(page, UPDATE).click();
    await ended.getByText(`${path}@climbers.test`).waitFor();
    await ended.getByLabel('Password').fill('not it');
    await ended.getByLabel('Password').press('Enter');
    await ended.getByText('Invalid email or password.').waitFor();
    await ended.getByLabel('Password').fill(PASSWORD_OF_CLUB);
    await ended.getByRole('button', { name: 'Login' }).click();
    await bar(page, UPDATED).waitFor();

    await city.fill('Duluth');
    const other = await page.context().newPage();
    await page.context().clearCookies();
    await other.goto(site.url('/login', 'www'));
    await ended.waitFor();
    await expectSoundOnBoth(page);
    await other.getByLabel('Email').fill(`${path}@climbers.test`);
    await other.getByLabel('Password').fill(PASSWORD_OF_CLUB);
    await other.getByRole('button', { name: 'Login' }).click();
    await ended.waitFor({ state: 'detached' });
    await bar(page, UPDATE).click();
    await bar(page, UPDATED).waitFor();
    await page.reload();
    await expect.poll(() => city.inputValue()).toBe('Duluth');

    // Someone who logs out wants to leave nothing on any page.
    await city.fill('Virginia');
    await other.goto(site.url('/logout', 'www'));
    await other.getByRole('heading', { name: "You've been logged out!" }).waitFor();
    await page.getByRole('button', { name: 'Login' }).waitFor();
    expect(await ended.count()).toBe(0);
  });
});

describe('before the page’s script runs', () => {
  test('without JavaScript the login reports errors, keeps the address and logs in', async () => {
    const options = { ...PHONE, javaScriptEnabled: false, allowed: /401/ };
    await visiting(browser, site.url('/login', 'www'), options, async (page) => {
      await page.getByLabel('Email').fill('coach@hawks.test');
      await page.getByLabel('Password').fill('not it');
      await page.getByLabel('Password').press('Enter');
      await page.getByText('Invalid email or password.').waitFor();
      await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('coach@hawks.test');
      await expect.poll(() => page.getByRole('button', { name: 'Show password' }).count()).toBe(0);
      await page.getByLabel('Password').fill('sideline-demo');
      await page.getByRole('button', { name: 'Login' }).click();
      await page.waitForURL((url) => url.hostname.startsWith('lakeside') && url.pathname === '/hawks-soccer/dashboard');
    });
  });

  test('late scripts lose neither a press of Enter nor what was typed', async () => {
    await visiting(browser, site.url('/404', 'www'), { ...PHONE, allowed: /401|404|422/ }, async (page) => {
      let open = (): void => undefined;
      const late = new Promise<void>((resolve) => (open = resolve));
      await page.route('**/assets/*.js', async (route) => {
        await late;
        await route.continue().catch(() => undefined);
      });
      // Not with the driver's own method, which waits until the script is loaded.
      await page.evaluate((to) => window.location.assign(to), site.url('/sign-up', 'www'));
      await page.getByLabel('First name').fill('Late');
      await page.getByLabel('Organization name').fill('Late Club');
      await page.getByLabel('First name').press('Enter');
      await page.getByText('You must agree to the Terms of Service.').waitFor();
      await expect.poll(() => page.getByLabel('Organization name').inputValue()).toBe('Late Club');
      await page.getByLabel('Last name').fill('Typist');
      open();
      await hydrated(page);
      await page.getByLabel('Email').fill('late@families.test');
      await expect.poll(() => page.getByLabel('Last name').inputValue()).toBe('Typist');
      await expect.poll(() => page.getByLabel('First name').inputValue()).toBe('Late');
    });
  });
});
