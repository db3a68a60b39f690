/** Single User Update and promo codes in a real browser, as a platform admin, at a club of the test's own. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ADD_PERSON,
  accessTaken,
  NEW_PERSON_LAST_NAME,
  personInvited,
  TAKE_ACCESS,
} from '#src/features/members/members.contract.ts';
import { KEYS_REQUIRED } from '#src/features/tenancy/processor-keys.contract.ts';
import * as settingsWords from '#src/features/tenancy/settings-words.contract.ts';
import * as words from '#src/features/settings/settings.contract.ts';
import { bar, inSettings } from '#tests/e2e/own-settings.ts';
import { WIDE, expectSound, PHONE, visiting } from '#tests/e2e/public-pages.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';

const site = useRunningSite();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

type Answer = { status: number; body: unknown };
/** A call to the page's own site, with its session. */
const call = (page: Page, method: string, path: string, body?: unknown): Promise<Answer> =>
  page.evaluate(
    async ([how, where, json]) => {
      const answer = await fetch(where, {
        method: how,
        ...(json === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: json }),
      });
      const text = await answer.text();
      return { status: answer.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
    },
    [method, path, body === undefined ? undefined : JSON.stringify(body)] as [string, string, string | undefined],
  );
const logIn = (page: Page, email: string, password: string) =>
  call(page, 'POST', '/login', { user: { email, password } });

type Club = { id: number; path: string; email: string };

/** A new club with one deleted gallery, and its Single User Update as a platform admin sees it. */
async function atClub(
  options: BrowserContextOptions & { allowed?: RegExp },
  work: (page: Page, club: Club) => Promise<void>,
): Promise<void> {
  let club: Club = { id: 0, path: '', email: '' };
  await inSettings({ browser, site }, WIDE, async (page, path) => {
    const { body } = await call(page, 'GET', `/api/v1/affiliates/${path}?org_id=1`);
    club = { id: (body as { id: number }[])[0]?.id ?? 0, path, email: `${path}@climbers.test` };
    const gallery = { organization_id: club.id, name: 'Old Wall', price_per_photo: 2, photos_by: 'Cleo' };
    const made = await call(page, 'POST', '/api/v1/galleries/', { gallery });
    await call(page, 'POST', `/api/v1/galleries/${(made.body as { id: number }).id}/inactive`);
  });
  await visiting(browser, site.url('/', 'www'), options, async (page) => {
    expect((await logIn(page, 'admin@sideline.test', 'sideline-demo')).status).toBe(200);
    await page.goto(site.url(`/${club.path}/user/${club.id}/${club.path}/1/edit`, 'www'));
    await work(page, club);
  });
}

const list = (page: Page) => page.getByRole('alert').filter({ hasText: 'Please correct the following error(s):' });

describe('Single User Update', () => {
  test('reports errors in the specification’s words, keeps valid changes, and resets', async () => {
    await atClub({ ...WIDE, allowed: /422|503/ }, async (page, { path }) => {
      await page.getByRole('heading', { level: 1, name: words.SINGLE_EDIT_TITLE }).waitFor();
      for (const name of ['Profile', 'Other contact info', 'Theme details', 'Sponsor ads', 'Colors'])
        await page.getByRole('heading', { level: 2, name, exact: true }).waitFor();
      await page.getByLabel('Organization name').fill(' ');
      await page.getByLabel('Contact name').fill('');
      await page.getByLabel('New password').fill('one great big wall');
      await page.getByLabel('Confirm password').fill('another');
      await page.getByRole('checkbox', { name: 'Allow' }).check();
      await bar(page, settingsWords.UPDATE).click();
      for (const sentence of [
        settingsWords.ORGANIZATION_NAME_REQUIRED,
        settingsWords.CONTACT_NAME_REQUIRED,
        settingsWords.PASSWORDS_DO_NOT_MATCH,
        KEYS_REQUIRED,
      ])
        await list(page).getByText(sentence, { exact: true }).waitFor();
      await expectSound(page);

      await bar(page, words.RESET).click();
      await list(page).waitFor({ state: 'detached' });
      await expect.poll(() => page.getByLabel('Organization name').inputValue()).toBe(path);
      await expect.poll(() => page.getByLabel('New password').inputValue()).toBe('');

      await page.getByLabel('Organization name').fill('The Climbers');
      const answers = [
        { status: 503, body: '{"error":"Please wait.","errors":{}}' },
        { status: 422, body: '{}' },
        { status: 422, body: '{"errors":["The first.","The second."]}' },
        { status: 204, body: '' },
      ];
      await page.route('**/api/v1/affiliates/*', async (route) => {
        const answer = route.request().method() === 'PUT' ? answers.shift() : undefined;
        return answer ? route.fulfill({ contentType: 'application/json', ...answer }) : route.continue();
      });
      await bar(page, settingsWords.UPDATE).click();
      await list(page).getByText('Unexpected response status: 503').waitFor();
      await bar(page, settingsWords.UPDATE_FAILED).click();
      await list(page).getByText(words.VALIDATION_FAILED).waitFor();
      await bar(page, settingsWords.UPDATE_FAILED).click();
      await list(page).getByText('The second.').waitFor();
      await bar(page, settingsWords.UPDATE_FAILED).click();
      await bar(page, settingsWords.UPDATED).waitFor();
      await page.unroute('**/api/v1/affiliates/*');

      const domain = page.getByLabel('Domain name');
      await domain.fill(`Cléo's ${path}`);
      await domain.blur();
      await expect.poll(() => domain.inputValue()).toBe(`cleos-${path}`);
      await page.getByLabel('Billing city').fill('Ely');
      await page.getByLabel('Primary color', { exact: true }).fill('rgb(120, 20, 60)');
      await bar(page, settingsWords.UPDATE).click();
      await page.waitForURL((url) => url.pathname.includes(`/cleos-${path}/1/edit`));
      await page.reload();
      await expect.poll(() => page.getByLabel('Billing city').inputValue()).toBe('Ely');
      await expect.poll(() => page.getByLabel('Primary color', { exact: true }).inputValue()).toBe('#78143C');
    });
  });

  test('sets a member’s password, sends the email, and says when the session has ended', async () => {
    await atClub(WIDE, async (page, { path, email }) => {
      await page.getByLabel('New password').fill('four green herons');
      await page.getByLabel('Confirm password').fill('four green herons');
      await bar(page, settingsWords.UPDATE).click();
      await bar(page, settingsWords.UPDATED).waitFor();
      await page.getByRole('button', { name: 'Send a password email to Cleo Climber' }).click();
      await page.getByText(`We emailed a password reset link to ${email}.`).waitFor();
      await page.getByLabel('Billing city').fill('Ely');
      expect((await call(page, 'POST', '/logout')).status).toBe(204);
      await bar(page, words.RESET).click();
      await list(page).getByText(words.RESET_FAILED).waitFor();
      await expect.poll(() => page.getByLabel('Billing city').inputValue()).toBe('Ely');
      expect((await logIn(page, email, 'four green herons')).status).toBe(200);
      expect(path).not.toBe('');
    });
  });

  test('gives and removes access, and keeps the focus at the message', async () => {
    await atClub({ ...WIDE, allowed: /422/ }, async (page, { path }) => {
      const email = `ida@${path}.test`;
      const told = page.locator('#people').getByRole('status');
      const isTold = () => told.evaluate((sentence) => sentence === document.activeElement);
      await page.getByLabel('Email of a new person').fill(email);
      await page.getByRole('button', { name: ADD_PERSON }).click();
      await page.getByText(NEW_PERSON_LAST_NAME).waitFor();
      await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('first_name');
      await page.getByLabel('Their first name').fill('Ida');
      await page.getByLabel('Their last name').fill('Ivy');
      await page.getByRole('button', { name: ADD_PERSON }).click();
      await page.locator('#people').getByText(personInvited(email)).waitFor();
      await expect.poll(isTold).toBe(true);
      await page.getByRole('button', { name: `${TAKE_ACCESS} of Ida Ivy` }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: TAKE_ACCESS }).click();
      await page.locator('#people').getByText(accessTaken(email)).waitFor();
      await page.getByRole('list', { name: 'People with access' }).getByText(email).waitFor({ state: 'detached' });
      await expect.poll(isTold).toBe(true);
    });
  });

  test('says so if the address matches no organization', async () => {
    await visiting(browser, site.url('/', 'www'), { ...WIDE, allowed: /404/ }, async (page) => {
      await logIn(page, 'admin@sideline.test', 'sideline-demo');
      await page.goto(site.url('/www/user/999999999/nobody/1/edit', 'www'));
      await page.getByRole('heading', { name: words.ORGANIZATION_FETCH_FAILED }).waitFor();
      await expectSound(page);
    });
  });
});

test('plan, flags, deleted galleries and promo codes can be managed on a phone', async () => {
  await atClub({ ...PHONE, allowed: /422/ }, async (page, { id }) => {
    await page.getByRole('button', { name: 'Restore Old Wall' }).click();
    await page.getByText('Old Wall is back.').waitFor();
    const terms = page.getByRole('form', { name: 'Plan and flags' });
    await terms.getByRole('radio', { name: 'Enterprise' }).check();
    await terms.getByLabel('Keeps, in percent').fill('80');
    await terms.getByRole('checkbox', { name: 'Promo codes' }).check();
    await terms.getByRole('button', { name: 'Save plan and flags' }).click();
    await terms.getByText('With Enterprise an organization keeps more than 80%, up to 100%.').first().waitFor();
    await terms.getByLabel('Keeps, in percent').fill('92.5');
    await terms.getByRole('button', { name: 'Save plan and flags' }).click();
    await terms.getByText('Saved. It applies from now on').waitFor();
    await expectSound(page);

    await page.getByRole('link', { name: 'Promo codes of this organization' }).click();
    await page.waitForURL((url) => url.search === `?organization=${id}`);
    await page.getByText('No promo codes yet').waitFor();
    await page.getByRole('button', { name: 'Issue a code' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Code').fill('short');
    await dialog.getByLabel('Maximum uses').fill('none');
    await dialog.getByRole('button', { name: 'Issue' }).click();
    await dialog.getByText('A promo code has 8 letters, digits or hyphens.').waitFor();
    await dialog.getByText('Maximum uses must be a whole number').waitFor();
    await expectSound(page);
    await dialog.getByLabel('Code').fill('');
    await dialog.getByLabel('Maximum uses').fill('3');
    await dialog.getByRole('button', { name: 'Issue' }).click();
    await page.getByRole('dialog', { name: 'The code was issued' }).waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    const codes = page.getByRole('list', { name: 'Promo codes' });
    await codes.getByText('0 of 3').waitFor();
    await codes.getByRole('button', { name: /^Change / }).click();
    await dialog.getByLabel('Maximum uses').fill('5');
    await dialog.getByLabel('Last day').fill('2099-06-30');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await codes.getByText('0 of 5').waitFor();
    await codes.getByText('06.30.2099').waitFor();
    await codes.getByRole('button', { name: /^Who used / }).click();
    await dialog.getByText('No one yet.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await codes.getByRole('button', { name: /^End / }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'End code' }).click();
    await codes.getByText('Ended').waitFor();
    await expectSound(page);
  });
});
