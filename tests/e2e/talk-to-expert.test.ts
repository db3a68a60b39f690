/** "Talk to an expert" as someone asks; every message and state of the form: marketing/ui/expert-form.test.tsx. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { expectSoundOnBoth, PHONE, visiting } from '#tests/e2e/public-pages.ts';

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
const open = () => site.url('/talk-to-expert', 'www');
const field = (page: Page, label: string) => page.getByLabel(label, { exact: false });

async function fill(page: Page): Promise<void> {
  for (const [label, text] of Object.entries(ASKED)) await field(page, label).fill(text);
}

test('a question with missing fields is completed, sent, and emailed to the operator', async () => {
  await visiting(browser, open(), PHONE, async (page) => {
    await page.getByRole('button', { name: 'Submit' }).click();
    await expect.poll(() => page.getByText('This field is required').count()).toBe(6);
    await expectSoundOnBoth(page);
    await fill(page);
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByRole('status').getByText('Thank you! We got your question and will reply soon.').waitFor();
    await expect.poll(() => field(page, 'Question').inputValue()).toBe('');
    await expectSoundOnBoth(page);
  });
  await expect.poll(() => emailFrom('noor@league.test')).toMatch(/^To: hello@sideline\.localhost/im);
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
