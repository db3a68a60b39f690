/** From the free tier to Premium in a real browser: who sees what, and cards that work or fail. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { WIDE, expectSound, expectSoundOnBoth, PHONE, visiting } from '#tests/e2e/public-pages.ts';
import { read } from '#tests/support/site-pages.ts';
import { newClub } from '#tests/e2e/own-settings.ts';

const site = useRunningSite();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const upgradeButton = (page: Page) => page.getByRole('button', { name: 'Pay $89.00 and upgrade', exact: true });
const toast = (page: Page, words: string) => page.getByRole('status').getByText(words, { exact: true });

async function typeCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiry').fill('1240');
  await page.getByLabel('CVC').fill('123');
  await page.getByLabel('Zip').fill('55401');
}

/** The upgrade page of a free club of the test's own, as its owner. `allowed`: errors that the test causes. */
async function asClimber(
  options: BrowserContextOptions & { allowed?: RegExp },
  work: (page: Page, path: string) => Promise<void>,
): Promise<void> {
  const { path, ...user } = await newClub(site);
  const address = site.url(`/${path}/upgrade-account`, 'www');
  await visiting(browser, address, { ...options, as: user }, (page) => work(page, path));
}

describe('the upgrade page', () => {
  test('shows a visitor the price, and its button is a disabled Sign Up', async () => {
    await visiting(browser, site.url('/tides-swim/upgrade-account'), PHONE, async (page) => {
      await page.getByText('89 dollars per year').waitFor();
      await expect.poll(() => page.getByRole('button', { name: 'Sign Up' }).isDisabled()).toBe(true);
      await expect.poll(() => upgradeButton(page).count()).toBe(0);
      await page.getByText('Test mode.').waitFor();
      await expectSoundOnBoth(page);
      await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
      await page.waitForURL((url) => url.pathname === '/login');
      expect(new URL(page.url()).searchParams.get('redirect')).toBe('/tides-swim/upgrade-account');
    });
  });

  test('redirects everyone who is not on the free tier', async () => {
    const { status, location } = await read(site.url('/hawks-soccer/upgrade-account'));
    expect([status, location]).toEqual([302, '/hawks-soccer/dashboard']);
  });

  test('can be read without JavaScript', async () => {
    const { status, text } = await read(site.url('/tides-swim/upgrade-account'));
    expect(status).toBe(200);
    expect(text).toContain('89 dollars per year');
  });

  test('keeps a card whose payment got no response, shows it, and removes it on request', async () => {
    await asClimber({ ...PHONE, allowed: /503/ }, async (page) => {
      await page.route('**/api/v1/charges/', (route) => route.fulfill({ status: 503, json: { error: 'Away.' } }));
      // One button with the price.
      await expect
        .poll(() => page.getByRole('main').locator('button[type=submit]').allInnerTexts())
        .toEqual(['Pay $89.00 and upgrade']);
      await typeCard(page, '4242 4242 4242 4242');
      await upgradeButton(page).click();
      await toast(page, 'Credit Card Added').waitFor();
      const card = page.getByRole('region', { name: 'Visa ending in 4242' });
      expect((await card.getByRole('definition').allInnerTexts()).map((text) => text.trim())).toEqual([
        '4242',
        '2040',
        '12',
      ]);
      await expect.poll(() => page.getByLabel('Card number').count()).toBe(0);
      await expectSoundOnBoth(page);
      await page.getByRole('button', { name: 'Reset Card' }).click();
      await expect.poll(() => page.getByLabel('Card number').inputValue()).toBe('');
    });
  });
});

describe('an upgrade', () => {
  test('is paid once by a double click, confirmed, and leads to a dashboard without limits', async () => {
    await asClimber(WIDE, async (page, path) => {
      await typeCard(page, '4242 4242 4242 4242');
      let sent = 0;
      const arrived = Promise.withResolvers<void>();
      const goOn = Promise.withResolvers<void>();
      await page.route('**/api/v1/charges/', async (route) => {
        sent += 1;
        arrived.resolve();
        await goOn.promise;
        await route.continue();
      });
      await upgradeButton(page).dblclick();
      await arrived.promise;
      await expect.poll(() => page.getByRole('button', { name: 'Upgrading...' }).isDisabled()).toBe(true);
      goOn.resolve();
      await toast(page, 'Upgraded Successfully').waitFor();
      await page.waitForURL((url) => url.pathname === `/${path}/dashboard`);
      expect(sent).toBe(1);
      await page.goto(site.url(`/${path}/upgrade-account`, 'www'));
      expect(new URL(page.url()).pathname).toBe(`/${path}/dashboard`);
      expect(await receipts(path)).toBe(1);
      await stopAndRenew(page, path);
    });
  });

  test('whose outcome is unknown waits, and continues automatically', async () => {
    await asClimber(PHONE, async (page, path) => {
      await typeCard(page, '4242 4242 4242 4242');
      // The charge succeeds; its answer is replaced by the one for a lost reply.
      await page.evaluate(() => {
        const send = window.fetch.bind(window);
        window.fetch = async (input, init) => {
          const answer = await send(input, init);
          return init?.method === 'POST' && String(input).includes('/charges/')
            ? new Response('{"status":"pending"}', { status: 202 })
            : answer;
        };
      });
      await upgradeButton(page).click();
      await page.getByText('Payment is being confirmed.').waitFor();
      await toast(page, 'Upgraded Successfully').waitFor();
      await page.waitForURL((url) => url.pathname === `/${path}/dashboard`);
    });
  });
});

/** In the settings: what was paid, stopping it, and letting it renew after all. */
async function stopAndRenew(page: Page, path: string): Promise<void> {
  await page.goto(site.url(`/${path}/settings`, 'www'));
  const plan = page.getByRole('region', { name: 'Plan' });
  const renews = plan.getByText(/^Renews on [\d.]+: \$89\.00 for a year, charged to Visa ending in 4242\.$/);
  await renews.waitFor();
  await plan.getByRole('button', { name: 'Stop renewing…' }).click();
  const asked = page.getByRole('alertdialog', { name: 'Stop renewing?' });
  await expectSound(page);
  await asked.getByRole('button', { name: 'Stop renewing' }).click();
  await plan.getByText(/^Ends on [\d.]+ and is not charged again\./).waitFor();
  await plan.getByRole('button', { name: 'Renew after all' }).click();
  await renews.waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Stop renewing…');
}

/** Receipts of this club among the written emails. The worker needs a moment to send them. */
async function receipts(path: string): Promise<number> {
  const folder = join(site.dataDir, 'outbox');
  const count = async () => {
    const sentEmails = await Promise.all((await readdir(folder)).map((file) => readFile(join(folder, file), 'utf8')));
    return sentEmails.filter((sentEmail) => /^Subject: Your receipt/m.test(sentEmail) && sentEmail.includes(path))
      .length;
  };
  await expect.poll(count, { interval: 250 }).toBeGreaterThan(0);
  return count();
}
