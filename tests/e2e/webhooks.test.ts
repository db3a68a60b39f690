/** An owner adds a webhook, sees its secret once, sends a test, checks what failed and sends it again. */
import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { EVENTS_REQUIRED, URL_NOT_HTTPS } from '#src/features/webhooks/webhooks.contract.ts';
import { asOwnerOf, ownGallery, type OwnGallery } from '#tests/e2e/own-gallery.ts';
import { expectSoundOnBoth, PHONE } from '#tests/e2e/public-pages.ts';
import { hydrated, launchBrowser } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { shareGoods } from '#tests/support/second-try.ts';
import { useReceiver } from '#tests/support/webhook-receiver.ts';

const site = useRunningSite();
const receiver = useReceiver();
let browser: Browser;
let own: OwnGallery;
beforeAll(async () => {
  browser = await launchBrowser();
});
shareGoods(async () => {
  own = await ownGallery(site.port, 0);
});
beforeEach(() => receiver.forget());
afterAll(() => browser?.close());

test('an owner connects a program on a phone, and sees which events it received', async () => {
  // An event of an earlier try may still be sent.
  const url = `${receiver.url}/${randomUUID()}`;
  await asOwnerOf(own, browser, { ...PHONE, allowed: /422/ }, async (page) => {
    await page.goto(own.at('/settings'));
    await page.getByRole('link', { name: 'Open webhooks' }).click();
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    await hydrated(page);
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    const form = page.getByRole('dialog', { name: 'Add a webhook' });
    await form.getByLabel('Address').fill('ftp://files.club.org');
    for (const box of await form.getByRole('checkbox').all()) await box.uncheck();
    await form.getByRole('button', { name: 'Add webhook' }).click();
    await form.getByText(URL_NOT_HTTPS, { exact: true }).waitFor();
    await form.getByText(EVENTS_REQUIRED).waitFor();
    await expectSoundOnBoth(page);
    await form.getByLabel('Address').fill(url);
    await form.getByLabel('An order was paid').check();
    await form.getByRole('button', { name: 'Add webhook' }).click();
    const made = page.getByRole('alertdialog', { name: 'Your webhook is ready' });
    const secret = await made.getByText(/^whsec_/).textContent();
    await expectSoundOnBoth(page);
    await made.getByRole('button', { name: 'I saved it' }).click();

    await page.getByRole('heading', { name: new URL(url).host, level: 1 }).waitFor();
    await page.getByText('Nothing has been sent yet.').waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('button', { name: 'Send a test event' }).click();
    await page.getByText('Delivered', { exact: true }).waitFor();
    const received = receiver.received.filter(({ path }) => url.endsWith(path));
    expect(received.map(({ payload }) => payload.type)).toEqual(['webhook.test']);

    receiver.answer = () => ({ status: 500, text: 'The queue is full' });
    await page.getByRole('button', { name: 'Send a test event' }).click();
    await page.getByText('Waiting to try again').waitFor();
    await page.getByText('A test', { exact: true }).first().click();
    await page.getByText('The queue is full').waitFor();
    await expectSoundOnBoth(page);
    await page.getByRole('link', { name: 'Failed' }).click();
    await page.getByText('Nothing has failed.').waitFor();

    await page.getByRole('switch', { name: 'Send events' }).uncheck();
    await page.getByText('Off', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'New secret' }).click();
    await page.getByRole('button', { name: 'Create a new secret' }).click();
    const renewed = page.getByRole('alertdialog', { name: 'Your new secret' });
    expect(await renewed.getByText(/^whsec_/).textContent()).not.toBe(secret);
    await renewed.getByRole('button', { name: 'I saved it' }).click();
    await page.getByText(/The previous one is valid until/).waitFor();

    await page.getByRole('button', { name: 'Delete webhook' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete webhook' }).click();
    await page.getByText('No webhooks yet').waitFor();
  });
});
