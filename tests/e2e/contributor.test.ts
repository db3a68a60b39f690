/** A contributor with an invite link: from the invitation on the gallery's page to the owner's review. */
import sharp from 'sharp';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, hydrated } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { asOwnerOf, ownGallery } from '#tests/e2e/own-gallery.ts';
import { WIDE, PHONE, expectSound, expectSoundOnBoth, visiting } from '#tests/e2e/public-pages.ts';
import { addTeams } from '#tests/support/tagging-desks.ts';
import { galleryAddress, photoIdsOf, read } from '#tests/support/site-pages.ts';

const site = useRunningSite();
let browser: Browser;
let cup: string;
let files: { name: string; mimeType: string; buffer: Buffer }[];
beforeAll(async () => {
  browser = await launchBrowser();
  cup = await galleryAddress(site.url('/hawks-soccer'), 'Spring Cup Final');
  files = await Promise.all(
    ['#a33', '#3a3', '#33a'].map(async (background, index) => ({
      name: `fence-${index + 1}.jpg`,
      mimeType: 'image/jpeg',
      buffer: await sharp({ create: { width: 640, height: 480, channels: 3, background } })
        .jpeg()
        .toBuffer(),
    })),
  );
});
afterAll(() => browser?.close());

const CALL = 'Add your photos to this gallery';

/** Follows the public invitation; afterwards the page has hidden its key. */
async function openInvite(page: Page): Promise<void> {
  await page.getByRole('link', { name: CALL }).click();
  await page.waitForURL(/\/contributor\?gallery=\d+$/);
  await page.getByRole('button', { name: 'Send photos' }).waitFor();
}
const choose = (page: Page, some: typeof files) => page.getByLabel('Photos to upload').setInputFiles(some);

describe('an invite link', () => {
  test('opens a page without navigation bar and cart, and is removed from the address', async () => {
    await visiting(browser, cup, PHONE, async (page) => {
      await openInvite(page);
      await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('Spring Cup Final');
      await expect.poll(() => page.getByRole('navigation').count()).toBe(0);
      await expect.poll(() => page.getByRole('complementary', { name: 'Cart' }).count()).toBe(0);
      const links = await page
        .getByRole('main')
        .getByRole('link')
        .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
      expect(links).toEqual(['/terms-of-use', '/privacy', '/customerlicense']);
      await expectSoundOnBoth(page);
      const button = page.getByRole('button', { name: 'Send photos' });
      const color = () => button.evaluate((element) => getComputedStyle(element).backgroundColor);
      const team = await color();
      await page.reload();
      await button.waitFor();
      await expect.poll(color).toBe(team);
    });
  });

  test.each(['', '?contributeKey=', '?contributeKey=%20', '?contributeKey=AAAAAAAAAAAAAAAAAAAAAA'])(
    'that is invalid leads to the home page: %j',
    async (query) => {
      const { status, location } = await read(site.url(`/contributor${query}`));
      expect([status, location]).toEqual([302, '/']);
    },
  );

  test('whose tab was closed has to be opened again, and the page says so', async () => {
    await visiting(browser, site.url('/contributor?gallery=1'), PHONE, async (page) => {
      await page.getByRole('heading', { name: 'Please open your invite link again' }).waitFor();
      await page.getByRole('status').getByText('This tab no longer has it.').waitFor();
      await page.getByRole('link', { name: 'Go to the home page' }).waitFor();
      await expectSound(page);
    });
  });
});

describe('a contributor', () => {
  test('sends photos from a phone, which wait for the owner’s review', async () => {
    const before = await photoIdsOf(cup);
    const name = 'Ana with a phone';
    await visiting(browser, cup, PHONE, async (page) => {
      await openInvite(page);
      await page.getByRole('button', { name: 'Send photos' }).tap();
      await expect.poll(() => page.getByRole('alert').getByRole('listitem').count()).toBe(3);
      await expectSound(page);
      await choose(page, [{ name: 'IMG_1.HEIC', mimeType: 'image/heic', buffer: Buffer.from('x') }]);
      await page.getByText('IMG_1.HEIC').waitFor();
      await choose(page, files);
      await page.getByText('3 photos chosen').waitFor();
      await expect.poll(() => page.getByText('IMG_1.HEIC').count()).toBe(0);
      const pictures = page.getByRole('list', { name: 'Chosen photos' }).locator('img');
      await expect.poll(() => pictures.count()).toBe(3);
      await page.getByRole('button', { name: 'Remove fence-2.jpg' }).click();
      await expect.poll(() => pictures.count()).toBe(2);
      await page.getByLabel('Name').fill(name);
      await page.getByLabel('Email').fill('ana@families.test');
      await page.getByLabel('Instagram').fill('@ana');
      await expectSoundOnBoth(page);
      await page.getByRole('button', { name: 'Send 2 photos' }).click();
      await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
      await page.getByText('Your 2 photos have arrived. Hawks Soccer Club reviews them first').waitFor();
      await page.getByRole('region', { name: 'Not sent' }).getByText('IMG_1.HEIC').waitFor();
      await expectSoundOnBoth(page);
      await page.getByRole('link', { name: 'See the gallery' }).click();
      await page.getByRole('heading', { level: 1, name: 'Spring Cup Final' }).waitFor();
    });
    await expect.poll(() => photoIdsOf(cup)).toEqual(before);
    await visiting(browser, cup, WIDE, async (page) => {
      const sent = await page.evaluate(async (from) => {
        const body = JSON.stringify({ user: { email: 'coach@hawks.test', password: 'sideline-demo' } });
        await fetch('/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
        const answer = await fetch(`/api/v1/galleries/${window.location.pathname.split('/').at(-1)}/full`);
        const [full] = (await answer.json()) as {
          gallery_photo: { id: number; name: string; show_in_gallery: boolean; contributor: { name: string } | null }[];
        }[];
        return (full?.gallery_photo ?? []).filter(({ contributor }) => contributor?.name === from);
      }, name);
      expect(sent.map((photo) => [photo.name, photo.show_in_gallery])).toEqual([
        ['fence-1.jpg', false],
        ['fence-3.jpg', false],
      ]);
    });
  });

  test('whose link expires meanwhile sees a message, and loses nothing typed', async () => {
    await visiting(browser, cup, { ...PHONE, allowed: /status of 404/ }, async (page) => {
      await openInvite(page);
      const error = 'This invite link is no longer valid.';
      await page.route(/\/api\/v1\/policy/, (route) => route.fulfill({ status: 404, json: { error } }));
      await choose(page, files);
      await page.getByLabel('Name').fill('Ana');
      await page.getByLabel('Email').fill('ana@families.test');
      await page.getByRole('button', { name: 'Send 3 photos' }).tap();
      const alert = page.getByRole('alert');
      await alert.getByText(error).waitFor();
      await alert.getByText('Your photos are still on this device. Please ask the team for a new link.').waitFor();
      await expectSound(page);
      await page.getByRole('button', { name: 'Back' }).tap();
      await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Ana');
      await page.getByText('3 photos chosen').waitFor();
    });
  });

  test('whose phone closed the page finds what was typed and what has arrived, and sends only the others', async () => {
    // It asks again whether the first one has arrived.
    await visiting(browser, cup, { ...PHONE, allowed: /409/ }, async (page) => {
      await openInvite(page);
      await choose(page, files.slice(0, 2));
      await page.getByLabel('Name').fill('Vera');
      await page.getByLabel('Email').fill('vera@families.test');
      // The last one hangs, and the page is hidden and closed.
      let uploads = 0;
      await page.route(/\/storage/, (route) =>
        route.request().method() === 'GET' || uploads++ === 0 ? route.continue() : undefined,
      );
      await page.getByRole('button', { name: 'Send 2 photos' }).tap();
      await page.getByText('1 of 2 photos uploaded').waitFor();
      await page.evaluate(() => {
        Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      });
      page.on('dialog', (dialog) => void dialog.accept());
      await page.reload();
      // Earlier, the upload that hangs would go on.
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.getByText(/^1 photo has arrived\. Are there more\?/).waitFor();
      await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('vera@families.test');
      await choose(page, files);
      await page.getByText('1 photo that you have already sent is left out.').waitFor();
      await expectSound(page);
      await page.getByRole('button', { name: 'Send 2 photos' }).tap();
      await page.getByText('Your 2 photos have arrived.').waitFor();
      await expect.poll(() => page.getByRole('region', { name: 'Your photos' }).getByRole('img').count()).toBe(3);
    });
  });
});

test('a contributor enters numbers on their own photos, which the owner sees before approving them', async () => {
  const own = await ownGallery(site.port, 0);
  const [{ contribute_key: key }] = await own.call<[{ contribute_key: string }]>(
    'GET',
    `/api/v1/galleries/${own.galleryId}/full`,
  );
  // A child on the team must not be published: all new photos are held.
  const maya = { name: 'Maya Rivera', number: '10', consent: 'no' };
  await addTeams(own, { 'Hawks U12': [maya, { name: 'Leo Park', number: '7' }] });
  const options = { ...PHONE, allowed: /422/ };
  await visiting(browser, site.url(`/contributor?contributeKey=${key}`, 'www'), options, async (page) => {
    await choose(page, files.slice(0, 2));
    await page.getByLabel('Name').fill('Ana');
    await page.getByLabel('Email').fill('ana@families.test');
    await page.getByRole('button', { name: 'Send 2 photos' }).tap();
    await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
    const mine = page.getByRole('region', { name: 'Your photos' });
    await mine.getByText('Waiting for the team').nth(1).waitFor();
    // Their own pictures, although no one else may see them yet.
    await mine.getByRole('img', { name: 'fence-1.jpg' }).waitFor();
    const numbers = mine.getByLabel('Numbers on it fence-1.jpg');
    await numbers.fill('ten');
    await numbers.press('Enter');
    await mine.getByText('Number must be 0 to 9999 or 00.').waitFor();
    await expectSound(page);
    await numbers.fill('10, 7');
    await numbers.press('Enter');
    await expect.poll(() => numbers.inputValue()).toBe('10 7');
    await page.reload();
    await expect.poll(() => numbers.inputValue()).toBe('10 7');
    await expectSound(page);
    // Large, one after the other.
    await mine.getByRole('button', { name: 'Open fence-1.jpg' }).tap();
    const stage = page.getByRole('dialog', { name: 'Photos' });
    await stage.getByLabel('Numbers on it fence-1.jpg').fill('10 7 23');
    await expectSound(page);
    await stage.getByLabel('Numbers on it fence-1.jpg').press('Enter');
    const next = stage.getByLabel('Numbers on it fence-2.jpg');
    await next.waitFor();
    const pictureOf = (name: string) => stage.locator('.pswp__item[aria-hidden="false"]').getByRole('img', { name });
    await pictureOf('fence-2.jpg').first().waitFor();
    await expect.poll(() => next.evaluate((field) => field === document.activeElement)).toBe(true);
    await page.goBack();
    await stage.waitFor({ state: 'detached' });
    await expect.poll(() => numbers.inputValue()).toBe('10 7 23');
    await numbers.fill('10 7');
    await numbers.press('Enter');
    await expect.poll(() => numbers.inputValue()).toBe('10 7');
  });
  await asOwnerOf(own, browser, PHONE, async (page) => {
    await page.goto(own.at(`/gallery/${own.galleryId}/review`));
    await page.getByRole('button', { name: 'fence-1.jpg' }).click();
    await page.getByText('The sender says: numbers 10, 7').waitFor();
    await expectSound(page);
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByText('fence-1.jpg is approved but stays hidden. The gallery says why.').waitFor();
    await page.goto(own.at(`/gallery/${own.galleryId}/edit`));
    await page.getByLabel('Filter photos').selectOption('default');
    await page.getByText('Hidden: consent').waitFor();
  });
});

test('the page of an invite is hydrated only when it can be used', async () => {
  await visiting(browser, cup, WIDE, async (page) => {
    const href = await page.getByRole('link', { name: CALL }).getAttribute('href');
    const answer = await page.goto(new URL(href ?? '', cup).href);
    expect(answer?.headers()['referrer-policy']).toBe('no-referrer');
    await hydrated(page);
    await page.waitForURL(/\?gallery=/);
  });
});
