/** The settings of a club in a real browser. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as words from '#src/features/organizations/settings-words.contract.ts';
import { bar, inSettings, PASSWORD } from '#tests/e2e/own-settings.ts';
import { BOTH, DESK, expectSound, PHONE, visiting } from '#tests/e2e/public-pages.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';

const site = useRunningSite();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

describe('the settings', () => {
  test.each(BOTH)('are found in the bar, changed and kept %s', async (_where, options) => {
    await inSettings({ browser, site }, options, async (page, path) => {
      expect(await page.getByRole('navigation', { name: 'Main' }).getByText('Settings').count()).toBeGreaterThan(0);
      expect(await bar(page, words.UPDATE).count()).toBe(0);
      await page.getByLabel('Organization name').fill('The Climbers');
      await page.getByLabel('Billing city').fill('Duluth');
      await page.getByRole('combobox', { name: 'Time zone' }).selectOption('America/Chicago');
      await page.getByLabel('Primary color', { exact: true }).fill('rgb(120, 20, 60)');
      await page.getByText(/Words on your color have a contrast of/).waitFor();
      const goOn = Promise.withResolvers<void>();
      const sent: unknown[] = [];
      await page.route('**/api/v1/affiliates/*', async (route) => {
        sent.push(route.request().postDataJSON());
        await goOn.promise;
        await route.continue();
      });
      await bar(page, words.UPDATE).click();
      expect(await bar(page, words.UPDATING).isDisabled()).toBe(true);
      goOn.resolve();
      await bar(page, words.UPDATED).waitFor();
      await bar(page, words.UPDATED).waitFor({ state: 'detached' });
      // Only what was changed goes out.
      expect(sent).toMatchObject([
        { affiliate: { name: 'The Climbers', billing_city: 'Duluth', time_zone: 'America/Chicago' } },
      ]);
      expect(JSON.stringify(sent)).not.toContain('contact_name');
      await expectSound(page);
      await page.reload();
      expect(await page.getByLabel('Billing city').inputValue()).toBe('Duluth');
      expect(await page.getByLabel('Primary color', { exact: true }).inputValue()).toBe('#78143C');
      await page.goto(site.url(`/${path}`, 'www'));
      await page.getByRole('heading', { level: 1, name: 'The Climbers' }).waitFor();
    });
  });

  test('say all that is wrong, under its field and in a list, and do not take a price above the limit', async () => {
    await inSettings({ browser, site }, PHONE, async (page) => {
      await page.getByLabel('Organization name').fill(' ');
      await page.getByLabel('Contact name').fill('');
      await page.getByLabel('Link of the mobile ad').fill('javascript:alert(1)');
      await page.getByLabel('New password').fill('one great big wall');
      await page.getByLabel('Confirm password').fill('another');
      const price = page.getByLabel('Default photo price');
      await price.fill('');
      await price.pressSequentially('1012');
      expect(await price.inputValue()).toBe('10');
      await bar(page, words.UPDATE).click();
      const list = page.getByRole('alert').filter({ hasText: 'Please correct the following error(s):' });
      await list.waitFor();
      for (const sentence of [
        words.ORGANIZATION_NAME_REQUIRED,
        words.CONTACT_NAME_REQUIRED,
        words.LINK_NOT_VALID,
        words.PASSWORDS_DO_NOT_MATCH,
      ])
        expect(await page.getByText(sentence, { exact: true }).count()).toBe(2);
      await expectSound(page);
      await bar(page, 'Discard').click();
      expect(await list.count()).toBe(0);
    });
  });

  test('ask before they are left unsaved', async () => {
    await inSettings({ browser, site }, DESK, async (page) => {
      await page.getByLabel('Billing city').fill('Ely');
      await page.getByRole('link', { name: 'Reports' }).click();
      await page.getByText(words.SETTINGS_LEAVE_QUESTION).waitFor();
      await page.getByRole('button', { name: 'Stay' }).click();
      expect(await page.getByLabel('Billing city').inputValue()).toBe('Ely');
    });
  });

  test('have another address, and the old one leads on', async () => {
    await inSettings({ browser, site }, DESK, async (page, path) => {
      const field = page.getByLabel('Domain name');
      await field.fill(`Crème ${path}`);
      await field.blur();
      expect(await field.inputValue()).toBe(`creme-${path}`);
      await page.getByText(words.OLD_LINKS_LEAD_ON).waitFor();
      await bar(page, words.UPDATE).click();
      await page.waitForURL((url) => url.pathname === `/creme-${path}/settings`);
      await page.goto(site.url(`/${path}?search=cup`, 'www'));
      expect(new URL(page.url())).toMatchObject({ pathname: `/creme-${path}`, search: '?search=cup' });
    });
  });
});

test('a new password asks for the present one where that was typed long ago, and this device stays logged in', async () => {
  await inSettings({ browser, site }, { ...DESK, allowed: /401/ }, async (page, path) => {
    // Eleven minutes are not waited for: the first answer is the one that comes then.
    let asked = false;
    await page.route('**/api/v1/affiliates/*', async (route) => {
      if (asked) return route.continue();
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
    await dialog.getByLabel('Your present password').fill('wrong');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.getByText('That password is not correct.').waitFor();
    await dialog.getByLabel('Your present password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await bar(page, words.UPDATED).waitFor();
    expect(await page.getByLabel('New password').inputValue()).toBe('');
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

async function logInAs(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill('sideline-demo');
  await page.getByRole('button', { name: 'Login' }).click();
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
}

describe('what is not everybody’s', () => {
  test('custom payment: a platform admin allows it, keys are a pair, and the secret is never shown again', async () => {
    let path = '';
    await inSettings({ browser, site }, DESK, async (page, made) => {
      path = made;
      expect(await page.getByText('Custom payment processing').count()).toBe(0);
    });
    const address = site.url(`/login?redirect=/${path}/settings`, 'www');
    await visiting(browser, address, { ...DESK, allowed: /422/ }, async (page) => {
      await logInAs(page, 'admin@sideline.test');
      expect(await page.getByLabel('Secret key').count()).toBe(0);
      await page.getByRole('checkbox', { name: 'Allow' }).check();
      await page.getByLabel('Secret key').fill('sk_live_abc9876');
      await page.getByLabel('Public key').fill('pk_test_abc');
      await bar(page, words.UPDATE).click();
      await bar(page, words.UPDATE_FAILED).waitFor();
      expect(await page.getByText('The keys must be of the same mode, both test or both live.').count()).toBe(2);
      await page.getByLabel('Secret key').fill('sk_test_abc9876');
      await bar(page, words.UPDATE).click();
      await page.getByText('One ending in 9876 is kept. Leave blank for no change.').waitFor();
      expect(await page.getByLabel('Secret key').inputValue()).toBe('');
      expect(await page.getByLabel('Whose password').locator('option').allInnerTexts()).toEqual([
        `Cleo Climber (${path}@climbers.test)`,
      ]);
      await expectSound(page);
    });
  });

  test('a parent keeps its address, and the tax table of all its teams', async () => {
    await visiting(browser, site.url('/login?redirect=/lakeside/settings'), PHONE, async (page) => {
      await logInAs(page, 'director@lakeside.test');
      expect(await page.getByLabel('Domain name').isDisabled()).toBe(true);
      const zip = String(96_900 + Math.floor(Math.random() * 90));
      await page.getByLabel('State', { exact: true }).selectOption('GU');
      await page.getByLabel('Zip begins with').fill(zip);
      await page.getByLabel('Rate in percent').fill('6.875');
      await page.getByLabel('What it is for').fill('A test of the table');
      await page.getByRole('button', { name: 'Add rate' }).click();
      const rates = page.getByRole('list', { name: 'Tax rates' });
      await rates.getByText(`GU, zips ${zip}`).waitFor();
      expect(await rates.innerText()).toContain('6.875 %');
      await expectSound(page);
      await page.getByRole('button', { name: `Remove the rate of GU, zips ${zip}` }).click();
      await page.getByText(`GU, zips ${zip}: removed.`).waitFor();
    });
  });
});
