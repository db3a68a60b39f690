/** Platform admins create many accounts, and many galleries, on one page each. */
import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WIDE, PHONE } from '#tests/e2e/public-pages.ts';
import { checkAxe, launchBrowser, listenForComplaints, scrollsSideways } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { ADMIN, openAs } from '#tests/e2e/signed-in.ts';

const site = useRunningSite();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
});

/** The demo's platform admin; no errors are allowed, except for `expected`. */
async function asAdmin(
  path: string,
  { expected, ...options }: BrowserContextOptions & { expected?: RegExp },
  work: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext(options);
  try {
    const page = await context.newPage();
    const complaints = listenForComplaints(page);
    await openAs(page, ADMIN, site.url(path));
    await work(page);
    expect(complaints().filter((line) => !expected?.test(line))).toEqual([]);
  } finally {
    await context.close();
  }
}

const form = (page: Page, name: string) => page.getByRole('group', { name, exact: true });

async function fillAccount(account: Locator, path: string): Promise<void> {
  await account.getByLabel('New Organization Name').fill(`Club ${path}`);
  await account.getByLabel('First name').fill('Ada');
  await account.getByLabel('Last name').fill('Park');
  await account.getByLabel('Email').fill(`${path}@bulk.test`);
  await account.getByLabel('Password').fill('orange-river-9');
  await account.getByLabel('Zip').fill('94110');
}

/** The server runs the call, and its response is lost: of the calls to this address, the one at this index. */
async function loseAnswer(page: Page, pathname: string, place: number): Promise<void> {
  await page.evaluate(
    (lost) => {
      const send = window.fetch;
      let count = 0;
      window.fetch = async (...call) => {
        const answer = await send(...call);
        const isMeant = call[1]?.method === 'POST' && String(call[0]) === lost.pathname;
        if (isMeant) count += 1;
        if (isMeant && count === lost.place) throw new TypeError('the connection was lost');
        return answer;
      };
    },
    { pathname, place },
  );
}

describe('bulk accounts', () => {
  test('are checked together, sent one after the other, and one with a lost response is not opened twice', async () => {
    await asAdmin('/hawks-soccer/create-bulk-users', { ...WIDE, expected: /422/ }, async (page) => {
      const [one, two] = [`bulk-${randomUUID().slice(0, 8)}`, `bulk-${randomUUID().slice(0, 8)}`];
      await page.getByRole('heading', { name: 'Create Bulk Accounts' }).waitFor();
      await expect.poll(() => page.getByRole('button', { name: 'Remove Account 1' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Add More' }).click();
      await page.getByRole('button', { name: 'Create Accounts' }).click();
      await page.getByText('All forms must agree to the Terms of Service.').waitFor();
      await page.getByText('New Organization Name is required for all forms.').waitFor();
      expect(await checkAxe(page)).toEqual([]);

      // Another parent is found by typing.
      const parent = form(page, 'Account 1').getByRole('combobox', { name: 'Parent Organization' });
      await parent.click();
      await parent.fill('sidel');
      await page.getByRole('option', { name: 'Sideline www' }).waitFor();
      await parent.press('Enter');
      await expect.poll(() => parent.inputValue()).toBe('Sideline');
      await fillAccount(form(page, 'Account 1'), one);
      await expect.poll(() => form(page, 'Account 1').getByLabel('Custom path').inputValue()).toBe(`club-${one}`);
      await fillAccount(form(page, 'Account 2'), two);

      // A reload loses nothing but the passwords.
      page.once('dialog', (dialog) => void dialog.accept());
      await page.reload();
      await expect.poll(() => form(page, 'Account 2').getByLabel('Email').inputValue()).toBe(`${two}@bulk.test`);
      await expect.poll(() => parent.inputValue()).toBe('Sideline');
      for (const name of ['Account 1', 'Account 2']) {
        await expect.poll(() => form(page, name).getByLabel('Password').inputValue()).toBe('');
        await form(page, name).getByLabel('Password').fill('orange-river-9');
      }
      await page.getByLabel('All agree to the Terms of Service').check();

      await loseAnswer(page, '/signup/', 2);
      await page.getByRole('button', { name: 'Create Accounts' }).click();
      await page.getByText('Error saving user').waitFor();
      await page.getByText(/1 of 2 accounts was created/).waitFor();
      await expect.poll(() => form(page, 'Account 2').count()).toBe(0);
      await expect.poll(() => form(page, 'Account 1').getByLabel('Email').inputValue()).toBe(`${two}@bulk.test`);
      await page.getByRole('button', { name: 'Create Accounts' }).click();
      await page.getByText('Accounts Created Successfully!').waitFor();
      const created = page.getByRole('region', { name: 'Created accounts' }).getByRole('listitem');
      await expect.poll(() => created.count()).toBe(2);
      await expect.poll(() => form(page, 'Account 1').getByLabel('Email').inputValue()).toBe('');

      // The address is taken: the specification's message.
      await fillAccount(form(page, 'Account 1'), two);
      await page.getByLabel('All agree to the Terms of Service').check();
      await page.getByRole('button', { name: 'Create Accounts' }).click();
      await page.getByText('This Account information is taken. Please try a new email, or a new org name.').waitFor();
    });
  });

  test('fit on a phone, and their demo file has the columns of the specification', async () => {
    await asAdmin('/hawks-soccer/create-bulk-users', { ...PHONE, acceptDownloads: true }, async (page) => {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download Demo File' }).click(),
      ]);
      const chunks: Buffer[] = [];
      for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
      const head = Buffer.concat(chunks).toString('utf8').replace('\uFEFF', '').split('\r\n')[0];
      expect(head?.replaceAll('"', '')).toBe('orgname,newOrgName,customPath,firstName,lastName,email,password,tax_id');
      expect(await scrollsSideways(page)).toBe(false);
      expect(await checkAxe(page)).toEqual([]);
    });
  });
});

type Picked = { name: string; mimeType: string; buffer: Buffer };

/** A JPEG that is different from every other one. */
async function photo(name: string, hue: number): Promise<Picked> {
  const background = { r: 40 + hue * 30, g: 120, b: 200 - hue * 25 };
  const buffer = await sharp({ create: { width: 900, height: 600, channels: 3, background } })
    .jpeg()
    .withExif({ IFD0: { ImageDescription: randomUUID() } })
    .toBuffer();
  return { name, mimeType: 'image/jpeg', buffer };
}

const tiles = (gallery: Locator) => gallery.getByRole('list', { name: 'Photos', exact: true }).getByRole('listitem');

/** An affiliate of the test's own below `lakeside`, without the limits of the free tier for its galleries. */
async function ownClub(page: Page): Promise<string> {
  const path = `gals-${randomUUID().slice(0, 8)}`;
  const answer = await page.evaluate(async (name) => {
    const parents = await fetch('/api/v1/organization_choices?of=parents&q=lakeside');
    const [parent] = (await parents.json()) as [{ id: number }];
    const sent = await fetch('/signup/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        user: { first_name: 'Gal', last_name: 'Lery', email: `${name}@bulk.test`, password: 'orange-river-9' },
        affiliateInfo: { affiliateOrg: `Club ${name}`, affiliateName: name, domain_name: name },
        org: { id: parent.id },
        freeTier: true,
        bulk_upload: true,
      }),
    });
    return sent.status;
  }, path);
  expect(answer).toBe(200);
  return path;
}

describe('bulk galleries', () => {
  test('are full editors: each has its own photos, all are saved together, and a retry creates nothing twice', async () => {
    await asAdmin('/hawks-soccer/create-bulk-gallery', { ...WIDE, expected: /403/ }, async (page) => {
      const mark = randomUUID().slice(0, 8);
      const club = await ownClub(page);
      await page.getByRole('heading', { name: 'Create Bulk Galleries' }).waitFor();
      const [one, two, three] = [1, 2, 3].map((place) => form(page, `Gallery ${place}`)) as [Locator, Locator, Locator];

      // Opening the upload of an unsaved gallery creates it first, or says what is missing.
      await one.getByRole('button', { name: 'Upload' }).click();
      await one.getByRole('alert').getByText('Gallery 1: Gallery name required.').waitFor();
      await one.getByRole('textbox', { name: 'Name' }).fill(`Bulk one ${mark}`);
      await one.getByLabel('Private').check();
      await one.getByLabel('Photos to upload').setInputFiles([await photo('a.jpg', 1), await photo('b.jpg', 2)]);
      await page.getByRole('button', { name: 'Add More' }).click();
      await two.getByRole('textbox', { name: 'Name' }).fill(`Bulk two ${mark}`);
      await two.getByLabel('Private').check();
      await two.getByRole('button', { name: 'Upload' }).click();
      // The field of the new gallery replaces the one that was clicked.
      await two.getByRole('link', { name: 'Public view of Gallery 2' }).waitFor();
      await two.getByLabel('Photos to upload').setInputFiles([await photo('c.jpg', 3)]);
      for (const [gallery, photos] of [
        [two, 1],
        [one, 2],
      ] as const) {
        // Rows outside the view are not rendered.
        await gallery.getByLabel('Filter photos').scrollIntoViewIfNeeded();
        await expect.poll(() => tiles(gallery).locator('img').count()).toBe(photos);
      }
      await expect
        .poll(() => one.getByLabel('Filter photos').locator('option').allTextContents())
        .toEqual(['Show All (2)', 'Show Public (2)', 'Show Non-Public (0)', 'Without keywords (2)']);
      await one.getByLabel('Enable Custom Sort').waitFor();
      await two.getByRole('button', { name: 'Share' }).click();
      await two.getByRole('textbox', { name: 'Link to the gallery' }).waitFor();
      await one.getByRole('button', { name: 'Collaborators' }).click();
      await one.getByRole('button', { name: 'Invite' }).waitFor();
      await expect
        .poll(() => one.getByRole('link', { name: 'Public view of Gallery 1' }).getAttribute('href'))
        .toMatch(/^http:\/\/lakeside\..*\/hawks-soccer\/gallery\/\d+\?publicView=true$/);
      expect(await checkAxe(page)).toEqual([]);

      // Another organization, whose answer is lost once.
      await page.getByRole('button', { name: 'Add More' }).click();
      const owner = three.getByRole('combobox', { name: 'Organization' });
      await owner.click();
      await owner.fill(club);
      await page.getByRole('option', { name: `Club ${club}` }).click();
      await page.getByRole('button', { name: 'Save All Galleries' }).click();
      await page.getByRole('alert').getByText('Gallery 3: Gallery name required.').waitFor();
      await three.getByRole('textbox', { name: 'Name' }).fill(`Bulk three ${mark}`);
      await three.getByLabel('Private').check();
      await loseAnswer(page, '/api/v1/galleries/', 1);
      await page.getByRole('button', { name: 'Save All Galleries' }).click();
      await page.getByText('Some galleries could not be created.').waitFor();
      await expect.poll(() => owner.isDisabled()).toBe(true);
      await page.getByRole('button', { name: 'Save All Galleries' }).click();
      await page.getByText('Galleries Saved Successfully').waitFor();
      const saved = page.getByRole('region', { name: 'Saved galleries' }).getByRole('link');
      await expect
        .poll(() => saved.allTextContents())
        .toEqual([`Bulk one ${mark}`, `Bulk two ${mark}`, `Bulk three ${mark}`]);
      await expect.poll(() => two.count()).toBe(0);
      await expect.poll(() => one.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('');

      // The club is on the free tier and has its gallery now: the way to upgrade is shown.
      const again = one.getByRole('combobox', { name: 'Organization' });
      await again.click();
      await again.fill(club);
      await page.getByRole('option', { name: `Club ${club}` }).click();
      await one.getByRole('textbox', { name: 'Name' }).fill('One too many');
      await page.getByRole('button', { name: 'Save All Galleries' }).click();
      await page.getByText('Gallery 1: Please Upgrade to have more than 1 active gallery.').waitFor();
      await expect
        .poll(() => one.getByRole('link', { name: 'Upgrade' }).getAttribute('href'))
        .toContain(`/${club}/upgrade-account`);
    });
  });

  test('collapse on a phone, and ask before the page is left', async () => {
    await asAdmin('/hawks-soccer/create-bulk-gallery', PHONE, async (page) => {
      const one = form(page, 'Gallery 1');
      await one.getByRole('textbox', { name: 'Name' }).fill('Not saved');
      await page.getByRole('button', { name: 'Add More' }).click();
      await expect.poll(() => one.getByRole('textbox', { name: 'Name' }).isVisible()).toBe(false);
      await form(page, 'Gallery 2').getByRole('textbox', { name: 'Name' }).waitFor();
      await one.getByRole('button', { name: /^Gallery 1/ }).click();
      await expect.poll(() => one.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Not saved');
      expect(await scrollsSideways(page)).toBe(false);
      expect(await checkAxe(page)).toEqual([]);
      await page.getByRole('link', { name: 'Upload a CSV file' }).click();
      await page.getByRole('alertdialog', { name: 'Leave without saving?' }).waitFor();
      await page.getByRole('button', { name: 'Stay' }).click();
      await page.getByRole('button', { name: 'Remove Gallery 2' }).click();
      await expect.poll(() => form(page, 'Gallery 2').count()).toBe(0);

      // A reload loses nothing but passwords and photos, and says so; "Start over" clears the rest.
      await one.getByLabel('Private').check();
      page.on('dialog', (dialog) => void dialog.accept());
      await page.reload();
      await page.getByText('We restored what you typed before.').waitFor();
      await expect.poll(() => one.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Not saved');
      await expect.poll(() => one.getByLabel('Private').isChecked()).toBe(true);
      await page.getByRole('button', { name: 'Start over' }).click();
      await expect.poll(() => one.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('');
      await page.reload();
      await expect.poll(() => page.getByText('We restored what you typed before.').count()).toBe(0);
    });
  });
});
