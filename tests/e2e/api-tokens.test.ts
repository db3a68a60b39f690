/** An owner makes a token for a program, sees it once, and revokes it. */
import { request } from 'node:http';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NAME_REQUIRED, SCOPES_REQUIRED } from '#src/features/api-tokens/api-tokens.contract.ts';
import { asOwnerOf, ownGallery, type OwnGallery } from '#tests/e2e/own-gallery.ts';
import { expectSoundOnBoth, PHONE } from '#tests/e2e/public-pages.ts';
import { hydrated, launchBrowser } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { shareGoods } from '#tests/support/second-try.ts';

const site = useRunningSite();
let browser: Browser;
let own: OwnGallery;
beforeAll(async () => {
  browser = await launchBrowser();
});
shareGoods(async () => {
  own = await ownGallery(site.port, 0);
});
afterAll(() => browser?.close());

/** A program's response with the token. */
function statusFor(token: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { host: `www.sideline.localhost:${site.port}`, authorization: `Bearer ${token}` };
    request({ host: '127.0.0.1', port: site.port, path: '/api/v1/api_token', headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

test('an owner makes a token on a phone, which works until it is revoked', async () => {
  const program = 'Uploader';
  await asOwnerOf(own, browser, { ...PHONE, allowed: /422/ }, async (page) => {
    await page.goto(own.at('/settings'));
    await page.getByRole('link', { name: 'Open API tokens' }).click();
    await page.getByRole('heading', { name: 'API tokens', level: 1 }).waitFor();
    await hydrated(page);
    await page.getByRole('button', { name: 'Create a token' }).click();
    const form = page.getByRole('dialog', { name: 'Create an API token' });
    await form.getByRole('button', { name: 'Create token' }).click();
    await form.getByText(NAME_REQUIRED).waitFor();
    await form.getByText(SCOPES_REQUIRED).waitFor();
    await expectSoundOnBoth(page);
    await form.getByLabel('Which program is it for?').fill(program);
    await form.getByRole('button', { name: 'Create token' }).click();
    await expect
      .poll(() => form.getByLabel('Read galleries').evaluate((box) => box === document.activeElement))
      .toBe(true);
    await form.getByLabel('Read galleries').check();
    await form.getByLabel('Add and change photos').check();
    await form.getByLabel('When does it expire?').selectOption('After 30 days');
    await form.getByRole('button', { name: 'Create token' }).click();
    const once = page.getByRole('alertdialog', { name: 'Copy your token now' });
    const token = (await once.locator('code').textContent()) ?? '';
    await expectSoundOnBoth(page);
    expect(await statusFor(token)).toBe(200);
    await once.getByRole('button', { name: 'I saved it' }).click();
    await page.reload();
    await hydrated(page);
    const card = page.getByRole('list', { name: 'API tokens' }).getByRole('listitem').filter({ hasText: program });
    await card.getByText('Add and change photos').waitFor();
    await card.getByText(/Last used/).waitFor();
    expect(await page.content()).not.toContain(token);
    await expectSoundOnBoth(page);
    await card.getByRole('button', { name: `Revoke ${program}` }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await card.getByText('Revoked', { exact: true }).waitFor();
    expect(await statusFor(token)).toBe(401);
  });
});
