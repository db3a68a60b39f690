/** The gallery editor: its areas, its saves, and sharing. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WIDE, expectSound, PHONE } from '#tests/e2e/public-pages.ts';
import { callSite } from '#tests/e2e/shopping.ts';
import { launchBrowser, listenForComplaints } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { shareGoods } from '#tests/support/second-try.ts';

const site = useRunningSite();
let browser: Browser;
let token: string;
let organizationId: number;
let galleryId: number;
beforeAll(async () => {
  browser = await launchBrowser();
});
shareGoods(async () => {
  const credentials = { user: { email: 'coach@hawks.test', password: 'sideline-demo' } };
  const answer = await callSite<object>(site, 'POST', '/login', { body: credentials });
  token = String(answer.headers['authorization']).replace('Bearer ', '');
  const found = await callSite<{ id: number }[]>(site, 'GET', '/api/v1/affiliates/hawks-soccer');
  organizationId = found.body[0]?.id ?? 0;
  galleryId = await makeGallery('Editor’s Own');
});
afterAll(() => browser?.close());

async function makeGallery(name: string, more: object = {}): Promise<number> {
  const gallery = { organization_id: organizationId, name, price_per_photo: 4, is_private: true, ...more };
  const { body } = await callSite<{ id: number }>(site, 'POST', '/api/v1/galleries/', { token, body: { gallery } });
  return body.id;
}

const editor = (id = galleryId, search = '') => site.url(`/hawks-soccer/gallery/${id}/edit${search}`);

async function asOwner(
  address: string,
  { allowed, ...options }: BrowserContextOptions & { allowed?: RegExp },
  work: (page: Page, context: BrowserContext) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ ...options, permissions: ['clipboard-read', 'clipboard-write'] });
  try {
    // A session from the calls, as the login page would have set it.
    const { hostname } = new URL(address);
    await context.addCookies([{ name: 'token', value: token, domain: hostname, path: '/', httpOnly: true }]);
    const page = await context.newPage();
    const complaints = listenForComplaints(page);
    await page.goto(address);
    await work(page, context);
    expect(complaints().filter((complaint) => !allowed?.test(complaint))).toEqual([]);
  } finally {
    await context.close();
  }
}

const parts = (page: Page) => page.getByRole('group', { name: 'Parts of the gallery' });
const toggle = (page: Page, name: string) => parts(page).getByRole('button', { name });
const opened = (page: Page) => parts(page).locator('[aria-expanded=true]');

describe('the areas of the editor', () => {
  test('exclude each other, are in the address, and close with a second click and with Back', async () => {
    await asOwner(editor(galleryId, '?area=settings'), WIDE, async (page) => {
      await page.getByRole('region', { name: 'Settings' }).waitFor();
      await toggle(page, 'Share').click();
      await page.getByRole('region', { name: 'Share' }).waitFor();
      await expect.poll(() => page.getByRole('region', { name: 'Settings' }).count()).toBe(0);
      expect(new URL(page.url()).searchParams.get('area')).toBe('share');
      await expect.poll(() => opened(page).count()).toBe(1);
      await toggle(page, 'Share').click();
      await page.getByRole('region', { name: 'Share' }).waitFor({ state: 'detached' });
      await expect.poll(() => opened(page).count()).toBe(0);
      // By keyboard, and back.
      await toggle(page, 'Settings').focus();
      await page.keyboard.press('Enter');
      await page.getByRole('region', { name: 'Settings' }).getByRole('textbox', { name: 'Name' }).waitFor();
      await page.goBack();
      await page.getByRole('region', { name: 'Settings' }).waitFor({ state: 'detached' });
      await expectSound(page);
    });
  });

  test('replace the photos on a phone, where the toggle reads Close', async () => {
    await asOwner(editor(galleryId, '?area=none'), PHONE, async (page) => {
      await page.getByRole('heading', { name: 'No photos yet' }).waitFor();
      await toggle(page, 'Settings').click();
      await toggle(page, 'Close Settings').waitFor();
      await expect.poll(() => page.getByRole('heading', { name: 'No photos yet' }).isVisible()).toBe(false);
      await expectSound(page);
      await toggle(page, 'Close Settings').click();
      await page.getByRole('heading', { name: 'No photos yet' }).waitFor();
      await page.getByRole('button', { name: 'Upload photos' }).click();
      await page.getByRole('button', { name: 'Add photos' }).waitFor();
      await expectSound(page);
    });
  });
});

describe('a new gallery', () => {
  test('is created when its upload is opened; missing fields are reported first', async () => {
    await asOwner(site.url('/hawks-soccer/create-gallery'), PHONE, async (page) => {
      await toggle(page, 'Upload').click();
      const problems = page.getByRole('alert');
      await problems.getByText('Please correct the following error(s):').waitFor();
      await expect.poll(() => problems.getByRole('listitem').allTextContents()).toEqual(['Gallery name required.']);
      await expect.poll(() => page.getByRole('textbox', { name: /goal/i }).count()).toBe(0);
      await page.getByRole('textbox', { name: 'Name' }).fill('Made by Upload');
      await toggle(page, 'Upload').click();
      await page.waitForURL(/\/gallery\/\d+\/edit\?area=upload$/);
      await page.getByRole('heading', { level: 1, name: 'Made by Upload' }).waitFor();
      await page.getByRole('button', { name: 'Add photos' }).waitFor();
      await toggle(page, 'Settings').click();
      await page.getByRole('textbox', { name: 'Goal recipient' }).waitFor();
    });
  });
});

describe('settings', () => {
  test('that are not saved are shown on their toggle, also when it is closed, and two tabs do not overwrite each other', async () => {
    const id = await makeGallery('Two Tabs');
    await asOwner(editor(id, '?area=settings'), { ...WIDE, allowed: /409/ }, async (page, context) => {
      const other = await context.newPage();
      await other.goto(editor(id, '?area=settings'));
      const name = page.getByRole('textbox', { name: 'Name' });
      await name.fill('Mine');
      await toggle(page, 'Settings (unsaved changes)').click();
      await name.waitFor({ state: 'hidden' });
      await toggle(page, 'Settings (unsaved changes)').click();
      await name.waitFor();
      // The button shows it for two seconds: it is watched before the click, in the active tab.
      const save = async (tab: Page, outcome: string) => {
        await tab.bringToFront();
        await Promise.all([
          tab.getByRole('button', { name: outcome }).waitFor(),
          tab.getByRole('button', { name: 'Save', exact: true }).click(),
        ]);
      };
      await save(page, 'Success');
      await page.getByRole('heading', { level: 1, name: 'Mine' }).waitFor();

      await other.getByRole('switch', { name: 'Voting' }).check();
      await other.getByRole('textbox', { name: 'Name' }).fill('Theirs');
      await save(other, 'Error!');
      await other
        .getByRole('alert')
        .getByText('“Name” was changed by someone else. Save again to keep your changes.')
        .waitFor();
      await other.getByRole('button', { name: 'Save', exact: true }).click();
      await other.getByRole('heading', { level: 1, name: 'Theirs' }).waitFor();
    });
  });
});

describe('sharing', () => {
  test('has the social networks, the links, the embed code and cards to print', async () => {
    const id = await makeGallery('Shared', { password_required: true, password: 'kick' });
    await asOwner(editor(id, '?area=share'), WIDE, async (page) => {
      const address = site.url(`/hawks-soccer/gallery/${id}`);
      const share = page.getByRole('region', { name: 'Share' });
      for (const [name, host] of [
        ['Facebook', 'www.facebook.com'],
        ['LinkedIn', 'www.linkedin.com'],
        ['Twitter (X)', 'twitter.com'],
      ] as const) {
        const link = share.getByRole('link', { name });
        const to = new URL((await link.getAttribute('href')) ?? '');
        expect([to.host, to.searchParams.get('u') ?? to.searchParams.get('url')]).toEqual([host, address]);
        await expect.poll(() => link.getAttribute('rel')).toContain('noopener');
      }
      // A link that opens the gallery can be sent to people, and it is first, under its code; it is not for social
      // networks.
      for (const [name, start] of [
        ['Text message', 'sms:?&body='],
        ['WhatsApp', 'https://wa.me/?text='],
        ['Email', 'mailto:'],
      ] as const) {
        const href = (await share.getByRole('link', { name }).getAttribute('href')) ?? '';
        expect([href.startsWith(start), href.includes(encodeURIComponent(`${address}?key=`))]).toEqual([true, true]);
      }
      await expect
        .poll(() => share.getByRole('img', { name: 'Code that opens Shared' }).locator('path').count())
        .toBe(1);
      await expect.poll(() => share.getByRole('textbox').first().getAttribute('aria-label')).toBe('Unlock link');
      // One scroll: the page's.
      expect(await share.evaluate((box) => box.scrollHeight - box.clientHeight)).toBe(0);
      const copied = () => page.evaluate(() => navigator.clipboard.readText());
      await share.getByRole('button', { name: 'Copy link' }).click();
      await page.getByText('URL Copied').first().waitFor();
      await expect.poll(() => copied()).toBe(address);
      await share.getByRole('button', { name: 'Copy embed code' }).click();
      await expect.poll(copied).toContain(`<iframe src="${address}?publicView=true"`);
      await share.getByRole('button', { name: 'Copy unlock link' }).click();
      await expect.poll(copied).toContain(`${address}?key=`);
      const visitor = await (await browser.newContext(WIDE)).newPage();
      await visitor.goto(await copied());
      await visitor.getByRole('heading', { level: 1, name: 'Shared' }).waitFor();
      await expect.poll(() => visitor.getByLabel('Password').count()).toBe(0);
      await visitor.context().close();
      for (const name of ['Card for the gallery', 'Card that opens it without the password', 'Card for contributors']) {
        const path = await share.getByRole('link', { name }).getAttribute('href');
        const card = await page.evaluate(async (from) => {
          const { status, headers } = await fetch(from);
          return [status, headers.get('content-type')];
        }, path ?? '');
        expect(card).toEqual([200, 'application/pdf']);
      }
      await expectSound(page);
    });
  });

  test('opens the phone’s own share sheet where there is one', async () => {
    await asOwner(editor(galleryId), PHONE, async (page) => {
      await page.evaluate(() => {
        const shared: unknown[] = [];
        Object.assign(window, { shared });
        navigator.share = (what) => Promise.resolve(void shared.push(what));
      });
      // A gallery without photos begins with its upload; the back link leads there again.
      await page.getByRole('button', { name: 'Add photos' }).waitFor();
      await toggle(page, 'Share').click();
      await page.getByRole('region', { name: 'Share' }).getByRole('button', { name: 'Share', exact: true }).click();
      await expect
        .poll(() => page.evaluate(() => (window as unknown as { shared: unknown[] }).shared))
        .toEqual([{ title: 'Editor’s Own · Hawks Soccer Club', url: site.url(`/hawks-soccer/gallery/${galleryId}`) }]);
      await expectSound(page);
      await page.goBack();
      await page.getByRole('region', { name: 'Share' }).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Add photos' }).waitFor();
    });
  });

  test('says when nothing can be copied', async () => {
    await asOwner(editor(galleryId, '?area=share'), WIDE, async (page) => {
      await page.evaluate(() => {
        navigator.clipboard.writeText = () => Promise.reject(new Error('denied'));
      });
      await page.getByRole('button', { name: 'Copy link' }).click();
      await page.getByText('Can not copy').waitFor();
    });
  });
});
