/** Platform admins create an organization, manage accounts, and delete organizations that are owed nothing. */
import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WIDE, expectSound, expectSoundOnBoth, PHONE, visiting } from '#tests/e2e/public-pages.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { ADMIN } from '#tests/e2e/signed-in.ts';

const site = useRunningSite();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** The demo's platform admin, at a page of the main host. */
function asAdmin(
  path: string,
  options: BrowserContextOptions & { allowed?: RegExp },
  work: (page: Page) => Promise<void>,
): Promise<void> {
  return visiting(browser, site.url(path, 'www'), { ...options, as: ADMIN }, work);
}

const newName = () => `League ${randomUUID().slice(0, 8)}`;

async function fillOrg(page: Page, name: string): Promise<string> {
  const label = name.toLowerCase().replace(' ', '-');
  await page.getByLabel('Organization name').fill(name);
  await page.getByLabel('Contact name').fill('Nora North');
  await page.getByLabel('Contact email').fill(`${label}@leagues.test`);
  await page.getByLabel('Password').fill('orange-river-9');
  return label;
}

describe('a new organization', () => {
  test('is created on a phone: required fields, its address and logo, and starting over', async () => {
    await asAdmin('/new-org', PHONE, async (page) => {
      await page.getByRole('button', { name: 'Create Organization' }).click();
      const problems = page.getByRole('alert', { name: 'Please correct the following error(s):' });
      for (const message of ['Name required.', 'Email required.', 'Password required.'])
        await problems.getByText(message).waitFor();
      await expectSoundOnBoth(page);

      const label = await fillOrg(page, newName());
      const domain = page.getByLabel('Domain name');
      await expect.poll(() => domain.inputValue()).toBe(label);
      await domain.fill('www');
      await page.getByRole('button', { name: 'Create Organization' }).click();
      await problems.getByText('WWW is not a valid choice').waitFor();
      await domain.fill('');
      await domain.blur();
      await expect.poll(() => domain.inputValue()).toBe(label);

      const logo = await sharp({ create: { width: 80, height: 40, channels: 3, background: '#0a5' } })
        .png()
        .toBuffer();
      await page.locator('input[type=file]').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: logo });
      await page.getByAltText('The logo that you chose').waitFor();
      await page.getByRole('button', { name: 'Create Organization' }).click();
      await page.getByRole('heading', { name: /is open\.$/ }).waitFor();
      const address = page.getByRole('link', { name: site.url('/', label) });
      await expect.poll(() => address.getAttribute('href')).toBe(site.url('/', label));
      await expectSoundOnBoth(page);

      // The next step, on the new organization's own host; from there on the bulk tools are in its navigation.
      const accounts = page.getByRole('link', { name: 'Add accounts from CSV' });
      await expect.poll(() => accounts.getAttribute('href')).toBe(site.url(`/${label}/bulk-users-csv`, label));

      await page.getByRole('button', { name: 'Start over' }).click();
      await expect.poll(() => page.getByLabel('Organization name').inputValue()).toBe('');
      await expect.poll(() => domain.inputValue()).toBe('');
    });
  });
});

/** A parent and an affiliate of a test's own, made by the calls. */
async function ownFamily(page: Page): Promise<{ label: string; child: string; childName: string }> {
  const label = `family-${randomUUID().slice(0, 8)}`;
  const child = `club-${label.slice(7)}`;
  const childName = `${child} ${'and friends '.repeat(5)}`.trim();
  const statuses = await page.evaluate(
    async ([parentLabel, childPath, name]) => {
      const send = async (path: string, body: object) => {
        const answer = await fetch(path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        return { status: answer.status, body: (await answer.json()) as { id?: number } };
      };
      const password = 'orange-river-9';
      const parent = await send('/api/v1/organizations', {
        organization: { name: parentLabel, contact_email: `${parentLabel}@families.test`, contact_name: 'Pia Parent' },
        password,
      });
      const account = await send('/signup/', {
        user: { first_name: 'Cleo', last_name: 'Climber', email: `${childPath}@families.test`, password },
        affiliateInfo: { affiliateName: childPath, affiliateOrg: name, domain_name: childPath },
        org: { id: parent.body.id },
        freeTier: true,
        bulk_upload: true,
      });
      return [parent.status, account.status];
    },
    [label, child, childName] as const,
  );
  expect(statuses).toEqual([201, 200]);
  return { label, child, childName };
}

describe('Edit Accounts', () => {
  const REFUSED = /409|Failed to load resource/;

  test('finds, opens and deletes accounts; a parent stays while it has affiliates', async () => {
    await asAdmin('/admin/organizations', { ...WIDE, allowed: REFUSED }, async (page) => {
      const { label, child } = await ownFamily(page);
      const search = page.getByRole('searchbox', { name: 'Search organizations' });
      await search.fill(label);
      await page.getByRole('status').getByText(`1 organization for “${label}”`).waitFor();
      await expectSound(page);

      await page.getByRole('button', { name: `Delete ${label}` }).click();
      const dialog = page.getByRole('alertdialog', { name: 'Confirm User Deletion' });
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await dialog.getByText('It has affiliates. Delete those first.').waitFor();
      await page.getByText('Failed to delete organization').waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();

      await page.goto(site.url(`/${child}/edit-bulk-users`, label));
      await page.getByText('You are looking at', { exact: false }).waitFor();
      await page.getByRole('searchbox', { name: 'Search by name, email or ID' }).fill(child);
      await page.getByRole('status').getByText(`1 account for “${child}”`).waitFor();
      await expectSound(page);
      const row = page.getByRole('row', { name: new RegExp(child) });
      const name = (await row.getByRole('link').locator('span').first().innerText()).trim();
      expect([...name].length).toBeLessThanOrEqual(41);
      await row.getByRole('cell', { name: 'Climber' }).click();
      await page.waitForURL(({ pathname }) => new RegExp(`^/${child}/user/\\d+/${child}/\\d+/edit$`).test(pathname));
      await page.goBack();
      await row.getByRole('button', { name: /^Delete/ }).click();
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await page.getByText('Organization deleted successfully').waitFor();
      // The page belonged to the deleted one.
      await page.waitForURL(({ pathname }) => pathname === '/admin/organizations');
    });
  });

  test('sorts by its headings, in the address, also by keyboard and on a phone', async () => {
    await asAdmin('/maple-street-pto/edit-bulk-users', PHONE, async (page) => {
      const heading = (state: RegExp) => page.getByRole('link', { name: state });
      // The address changes before the links of the page do: the next click waits until the heading shows the order.
      await heading(/^Email\W+sort$/).press('Enter');
      await heading(/^Email\W+sorted ascending$/).waitFor();
      expect(new URL(page.url()).search).toBe('?sort=email');
      await heading(/^Email\W+sorted ascending$/).press('Enter');
      await heading(/^Email\W+sorted descending$/).waitFor();
      expect(new URL(page.url()).search).toBe('?sort=email&direction=desc');
      await expectSound(page);
    });
  });
});
