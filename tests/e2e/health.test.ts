/** A platform admin checks the state of the installation, and retries and discards what failed. */
import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectSound, expectSoundOnBoth, PHONE, visiting, WIDE } from '#tests/e2e/public-pages.ts';
import { ADMIN } from '#tests/e2e/signed-in.ts';
import { hydrated, launchBrowser } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { rowsOf } from '#tests/support/site-database.ts';

const site = useRunningSite();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** Subjects of their own, so that the tests leave each other's emails alone. */
async function failEmail(): Promise<string> {
  const subject = `Photos of ${randomUUID().slice(0, 8)}`;
  await rowsOf(
    site,
    `insert into mail_outbox (dedupe_key, recipient, subject, html, body_text, attempts, last_error, failed_at, due_at)
     values ('${subject}', 'rosa.lopez@example.com', '${subject}', '<p>Hi</p>', 'Hi', 2, '550 <rosa.lopez@example.com> is unknown',
             now(), now() + interval '1 hour') returning id`,
  );
  return subject;
}

describe('a platform admin', () => {
  test('sees every process and what is wrong, on a phone', async () => {
    const subject = await failEmail();
    await visiting(browser, site.url('/admin/health', 'www'), { ...PHONE, as: ADMIN }, async (page) => {
      await page.getByRole('heading', { level: 1, name: 'Health' }).waitFor();
      const processes = page.getByRole('list', { name: 'Processes' }).getByRole('listitem');
      await expect.poll(() => processes.filter({ hasText: 'worker' }).filter({ hasText: 'Running' }).count()).toBe(1);
      await page.getByRole('heading', { name: /could not be sent yet$/ }).waitFor();
      await page.getByRole('region', { name: 'Object store' }).getByText('Reachable').waitFor();
      await expectSoundOnBoth(page);
      await page.getByRole('link', { name: 'Failed emails' }).first().click();
      await page.getByRole('heading', { name: subject }).waitFor();
      expect(await page.getByText('rosa').count()).toBe(0);
      await expectSoundOnBoth(page);
    });
  });

  test('discards one email and retries another, each after a question', async () => {
    // The list begins with the newest, so the one that is retried follows the discarded one.
    const [again, never] = [await failEmail(), await failEmail()];
    await visiting(browser, site.url('/admin/health?view=emails', 'www'), { ...WIDE, as: ADMIN }, async (page) => {
      await hydrated(page);
      await page.getByRole('button', { name: `Discard… ${never}` }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: `Discard… ${never}` }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
      await page.getByText('1 email discarded.').waitFor();
      await expect.poll(() => page.getByRole('heading', { name: never }).count()).toBe(0);
      // The next email has the focus.
      const focused = () =>
        page.evaluate(() => `${document.activeElement?.tagName} ${document.activeElement?.textContent}`);
      await expect.poll(focused).toMatch(new RegExp(`^LI .*${again}`));
      await page.getByRole('button', { name: `Retry… ${again}` }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Retry' }).click();
      await page.getByText('1 email will be retried.').waitFor();
      await expect.poll(() => page.getByRole('heading', { name: again }).count()).toBe(0);
    });
    const sent = async (subject: string) =>
      (await rowsOf(site, `select sent_at is not null as sent from mail_outbox where subject = '${subject}'`))[0];
    await expect.poll(() => sent(again)).toEqual({ sent: true });
    expect(await sent(never)).toEqual({ sent: false });
  });

  test('sees why a job failed and retries it', async () => {
    const [id, tag] = [randomUUID(), `photo-${Date.now()}`];
    await rowsOf(
      site,
      `insert into pgboss.job_common (id, name, data, state, completed_on, policy, source_name, source_id, source_output)
       values ('${id}', 'dead', '{"tags": ["${tag}"]}', 'completed', now(), 'standard', 'cdn.purge', gen_random_uuid(),
               '{"message": "The CDN answered with 503."}') returning id`,
    );
    const address = site.url('/admin/health?view=jobs&job=cdn.purge', 'www');
    await visiting(browser, address, { ...WIDE, as: ADMIN }, async (page) => {
      await hydrated(page);
      await page.getByText('The CDN answered with 503.').waitFor();
      await expectSound(page);
      await page.getByRole('button', { name: 'Retry all…' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Retry' }).click();
      await page.getByRole('heading', { name: 'No failed jobs' }).waitFor();
    });
    expect(await rowsOf(site, `select 1 from pgboss.job_common where id = '${id}'`)).toEqual([]);
  });
});
