/** "Talk to an expert": every message and state of the form (specification P§2.4, 5, 8). */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { WIDE, expectSound, expectSoundOnBoth, PHONE, visiting } from '#tests/e2e/public-pages.ts';

const site = useRunningSite();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const ASKED = {
  'First name': 'Noor',
  'Last name': 'Haddad',
  Email: 'noor@league.test',
  'Phone number': '(555) 010-4477',
  'Company name': 'Valley League',
  Question: 'Can forty clubs share one account?',
};
const CALL = '**/api/v1/talk-to-expert/';
const open = () => site.url('/talk-to-expert', 'www');
const field = (page: Page, label: string) => page.getByLabel(label, { exact: false });

async function fill(page: Page, change: Partial<typeof ASKED> = {}): Promise<void> {
  for (const [label, text] of Object.entries({ ...ASKED, ...change })) await field(page, label).fill(text);
}

describe('the form', () => {
  test('requires all six fields, with a message under each', async () => {
    await visiting(browser, open(), PHONE, async (page) => {
      await page.getByRole('button', { name: 'Submit' }).click();
      await expect.poll(() => page.getByText('This field is required').count()).toBe(6);
      for (const label of Object.keys(ASKED))
        await expect.poll(() => field(page, label).getAttribute('aria-invalid'), { message: label }).toBe('true');
      await expect
        .poll(() => field(page, 'First name').evaluate((input) => input === document.activeElement))
        .toBe(true);
      await expectSoundOnBoth(page);
      await fill(page, { Email: 'noor@league' });
      await page.getByRole('button', { name: 'Submit' }).click();
      await expect.poll(() => page.getByText('Invalid email address').count()).toBe(1);
      await expect.poll(() => page.getByText('This field is required').count()).toBe(0);
    });
  });

  test('reads “Submitting” while it is sent, once however often it is clicked, then thanks and is empty', async () => {
    await visiting(browser, open(), WIDE, async (page) => {
      let calls = 0;
      let letGo: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (letGo = resolve));
      await page.route(CALL, async (route) => {
        calls += 1;
        await held;
        await route.continue();
      });
      await fill(page);
      await page.getByRole('button', { name: 'Submit' }).click();
      const busy = page.getByRole('button', { name: 'Submitting' });
      await busy.waitFor();
      await expect.poll(() => busy.isDisabled()).toBe(true);
      await field(page, 'Company name').press('Enter');
      letGo();
      await page.getByRole('status').getByText('Thank you! We got your question and will reply soon.').waitFor();
      expect(calls).toBe(1);
      await expect.poll(() => field(page, 'Question').inputValue()).toBe('');
      await page.getByRole('button', { name: 'Submit' }).waitFor();
      await expectSound(page);
    });
    await expect.poll(() => emailFrom('noor@league.test')).toMatch(/^To: hello@sideline\.localhost/im);
  });

  test.each([
    ['the server fails', 500, {}],
    ['there were too many', 429, { 'retry-after': '60' }],
  ])('names the contact address when %s, and keeps what was typed', async (_what, status, headers) => {
    await visiting(browser, open(), { ...WIDE, allowed: /status of (500|429)/ }, async (page) => {
      await page.route(CALL, (route) => route.fulfill({ status, headers, json: { error: 'no', errors: {} } }));
      await fill(page);
      await page.getByRole('button', { name: 'Submit' }).click();
      await page
        .getByRole('status')
        .getByText('There has been an error, please email hello@sideline.localhost')
        .waitFor();
      await expect.poll(() => field(page, 'Question').inputValue()).toBe(ASKED.Question);
      await expectSound(page);
    });
  });

  test('does the same when the connection is lost', async () => {
    await visiting(browser, open(), { ...WIDE, allowed: /ERR_FAILED/ }, async (page) => {
      await page.route(CALL, (route) => route.abort());
      await fill(page);
      await page.getByRole('button', { name: 'Submit' }).click();
      await page.getByText('There has been an error, please email hello@sideline.localhost').waitFor();
    });
  });

  test('shows the server’s message under its field', async () => {
    await visiting(browser, open(), { ...WIDE, allowed: /status of 422/ }, async (page) => {
      const errors = { 'user.first_name': ['One line, please.'] };
      await page.route(CALL, (route) => route.fulfill({ status: 422, json: { error: 'One line, please.', errors } }));
      await fill(page);
      await page.getByRole('button', { name: 'Submit' }).click();
      await page.getByText('There has been an error, please email hello@sideline.localhost').waitFor();
      await expect.poll(() => field(page, 'First name').getAttribute('aria-invalid')).toBe('true');
      await page.getByText('One line, please.').waitFor();
    });
  });
});

/** Headers of the email that replies to this address; empty while there is none. */
async function emailFrom(asker: string): Promise<string> {
  const folder = join(site.dataDir, 'outbox');
  for (const name of await readdir(folder).catch(() => [])) {
    const text = await readFile(join(folder, name), 'utf8');
    if (new RegExp(`^Reply-To: ${asker}`, 'im').test(text)) return text.slice(0, text.indexOf('\r\n\r\n'));
  }
  return '';
}
