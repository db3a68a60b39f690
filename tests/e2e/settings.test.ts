/** The settings of a club in a real browser. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as words from '#src/features/tenancy/settings-words.contract.ts';
import { bar, inSettings } from '#tests/e2e/own-settings.ts';
import { WIDE, expectSound, expectSoundOnBoth, PHONE } from '#tests/e2e/public-pages.ts';
import { launchBrowser, VIEWPORTS } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';

const site = useRunningSite();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

describe('the settings', () => {
  test('are in the navigation bar, and can be changed and saved on a phone', async () => {
    await inSettings({ browser, site }, PHONE, async (page, path) => {
      const main = page.getByRole('navigation', { name: 'Main' });
      const link = page.getByRole('link', { name: 'Settings', exact: true });
      await page.setViewportSize(VIEWPORTS.desktop);
      await link.waitFor();
      await page.setViewportSize(VIEWPORTS.phone);
      await main.getByRole('button', { name: 'More' }).click();
      await link.waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
      await expect.poll(() => bar(page, words.UPDATE).count()).toBe(0);
      await page.getByLabel('Organization name').fill('The Climbers');
      await page.getByLabel('Billing city').fill('Duluth');
      await page.getByRole('combobox', { name: 'Time zone' }).selectOption('America/Chicago');
      await page.getByLabel('Primary color', { exact: true }).fill('rgb(120, 20, 60)');
      await page.getByText(/Text on your color has a contrast of/).waitFor();
      const goOn = Promise.withResolvers<void>();
      const sent: unknown[] = [];
      await page.route('**/api/v1/affiliates/*', async (route) => {
        sent.push(route.request().postDataJSON());
        await goOn.promise;
        await route.continue();
      });
      await bar(page, words.UPDATE).click();
      await expect.poll(() => bar(page, words.UPDATING).isDisabled()).toBe(true);
      goOn.resolve();
      await bar(page, words.UPDATED).waitFor();
      await bar(page, words.UPDATED).waitFor({ state: 'detached' });
      await bar(page, words.UPDATE).waitFor();
      // Only changed fields are sent.
      expect(sent).toMatchObject([
        { affiliate: { name: 'The Climbers', billing_city: 'Duluth', time_zone: 'America/Chicago' } },
      ]);
      expect(JSON.stringify(sent)).not.toContain('contact_name');
      await expectSoundOnBoth(page);
      await page.reload();
      await expect.poll(() => page.getByLabel('Billing city').inputValue()).toBe('Duluth');
      await expect.poll(() => page.getByLabel('Primary color', { exact: true }).inputValue()).toBe('#78143C');
      await page.goto(site.url(`/${path}`, 'www'));
      await page.getByRole('heading', { level: 1, name: 'The Climbers' }).waitFor();
    });
  });

  test('show all errors, under each field and in a list, and refuse a price above the limit', async () => {
    await inSettings({ browser, site }, PHONE, async (page) => {
      await page.getByLabel('Organization name').fill(' ');
      await page.getByLabel('Contact name').fill('');
      await page.getByLabel('Link of the mobile ad').fill('javascript:alert(1)');
      await page.getByLabel('New password').fill('one great big wall');
      await page.getByLabel('Confirm password').fill('another');
      const price = page.getByLabel('Default photo price');
      await price.fill('');
      await price.pressSequentially('1012');
      await expect.poll(() => price.inputValue()).toBe('10');
      await bar(page, words.UPDATE).click();
      const list = page.getByRole('alert').filter({ hasText: 'Please correct the following error(s):' });
      await list.waitFor();
      for (const sentence of [
        words.ORGANIZATION_NAME_REQUIRED,
        words.CONTACT_NAME_REQUIRED,
        words.LINK_NOT_VALID,
        words.PASSWORDS_DO_NOT_MATCH,
      ])
        await expect.poll(() => page.getByText(sentence, { exact: true }).count()).toBe(2);
      await expectSound(page);
      await bar(page, 'Discard').click();
      await expect.poll(() => list.count()).toBe(0);
    });
  });

  test('ask before leaving unsaved changes', async () => {
    await inSettings({ browser, site }, WIDE, async (page) => {
      await page.getByLabel('Billing city').fill('Ely');
      await page.getByRole('link', { name: 'Reports' }).click();
      await page.getByText(words.SETTINGS_LEAVE_QUESTION).waitFor();
      await page.getByRole('button', { name: 'Stay' }).click();
      await expect.poll(() => page.getByLabel('Billing city').inputValue()).toBe('Ely');
    });
  });

  test('change the address, and the old one redirects', async () => {
    await inSettings({ browser, site }, WIDE, async (page, path) => {
      const field = page.getByLabel('Domain name');
      await field.fill(`Crème ${path}`);
      await field.blur();
      await expect.poll(() => field.inputValue()).toBe(`creme-${path}`);
      await page.getByText(words.OLD_LINKS_LEAD_ON).waitFor();
      await bar(page, words.UPDATE).click();
      await page.waitForURL((url) => url.pathname === `/creme-${path}/settings`);
      await page.goto(site.url(`/${path}?search=cup`, 'www'));
      expect(new URL(page.url())).toMatchObject({ pathname: `/creme-${path}`, search: '?search=cup' });
    });
  });
});
