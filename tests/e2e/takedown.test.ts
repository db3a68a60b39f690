/** A parent asks to hide a photo, with and without JavaScript, and the owner answers. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  ASK_TO_HIDE,
  CONTACT_REQUIRED,
  REASON_REQUIRED,
  TAKEDOWN_THANKS,
} from '#src/features/takedowns/takedowns.contract.ts';
import { ownGallery, signInAs, type OwnGallery } from '#tests/e2e/own-gallery.ts';
import { WIDE, PHONE, expectSound, expectSoundOnBoth, visiting } from '#tests/e2e/public-pages.ts';
import { galleryAddress, photoIdsOf, read } from '#tests/support/site-pages.ts';
import { launchBrowser, hydrated } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { shareGoods } from '#tests/support/second-try.ts';

const site = useRunningSite();
let browser: Browser;
let own: OwnGallery;
beforeAll(async () => {
  browser = await launchBrowser();
});
shareGoods(async () => {
  own = await ownGallery(site.port, 4);
});
afterAll(() => browser?.close());

/** The photo's document stays while the form is filled in: prefetched pictures of the gallery behind it are unused. */
const MAY_BE_SAID = /404|was preloaded using link preload but not used/;
const photoAt = (index: number) => own.at(`/gallery/${own.galleryId}/photo/${own.photoIds[index]}`);
const ask = (index: number) =>
  own.call('POST', `/api/v1/galleries/${own.galleryId}/gallery_photos/${own.photoIds[index]}/takedown`, {
    reason: 'My daughter is number 7.',
    contact: 'mother@family.test',
    guardian: true,
  });
const expectGone = async (address: string) =>
  expect(await read(address)).toMatchObject({ status: 302, location: '/404' });
const answerAll = async () => {
  const base = `/api/v1/affiliates/${own.affiliateId}/takedowns`;
  const { takedowns } = await own.call<{ takedowns: { id: number }[] }>('GET', `${base}?state=open`);
  for (const { id } of takedowns) await own.call('PUT', `${base}/${id}`, { decision: 'keep' });
};
const fillIn = async (page: Page) => {
  await page.getByLabel('Why should it be hidden?').fill('My daughter is number 7.');
  await page.getByLabel('Your email address').fill('mother@family.test');
  await page.getByLabel('I am the child’s parent or guardian').check();
};

describe('a parent', () => {
  test('sees the form in its place before the picture arrives', async () => {
    const cup = await galleryAddress(site.url('/hawks-soccer'), 'Spring Cup Final');
    const [photo] = await photoIdsOf(cup);
    await visiting(browser, cup, PHONE, async (page) => {
      const { promise: mayArrive, resolve: letPictureIn } = Promise.withResolvers<void>();
      await page.route(/gallery_photos\/\d+\?/, async (route) => {
        await mayArrive;
        await route.continue();
      });
      const isOpen = page.goto(`${cup}/photo/${photo}/hide`);
      const title = page.getByRole('heading', { level: 1, name: ASK_TO_HIDE });
      const top = () => title.boundingBox().then((box) => box?.y ?? 0);
      await title.waitFor();
      const before = await top();
      letPictureIn();
      await isOpen;
      // Less than a line: a font that comes late may move it.
      expect(Math.abs((await top()) - before)).toBeLessThan(20);
    });
  });

  test('asks from the photo’s page on a phone, and the photo is hidden', async () => {
    const index = 0;
    await visiting(browser, photoAt(index), { ...PHONE, allowed: MAY_BE_SAID }, async (page) => {
      const picture = await page.getByRole('dialog').getByRole('img').first().getAttribute('src');
      await page.getByRole('link', { name: ASK_TO_HIDE }).click();
      await page.getByRole('heading', { level: 1, name: ASK_TO_HIDE }).waitFor();
      await page.getByRole('button', { name: 'Send request' }).click();
      await page.getByText(REASON_REQUIRED).waitFor();
      await page.getByText(CONTACT_REQUIRED).waitFor();
      await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('reason');
      await expectSoundOnBoth(page);
      await fillIn(page);
      await page.getByRole('button', { name: 'Send request' }).click();
      await page.getByText(TAKEDOWN_THANKS).waitFor();
      await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
      await expectSoundOnBoth(page);
      await page.getByRole('link', { name: 'Back to the gallery' }).click();
      await page.waitForURL(own.at(`/gallery/${own.galleryId}`));
      await expect.poll(() => page.locator(`a[href*="/photo/${own.photoIds[index]}"]`).count()).toBe(0);
      await expectGone(photoAt(index));
      await expectGone(`${photoAt(index)}/hide`);
      expect((await read(new URL(picture ?? '', photoAt(index)))).status).toBe(404);
    });
  });

  test('asks without JavaScript', async () => {
    const context = await browser.newContext({ ...WIDE, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(photoAt(1));
    await page.getByRole('link', { name: ASK_TO_HIDE }).click();
    await fillIn(page);
    await page.getByRole('button', { name: 'Send request' }).click();
    await page.getByText(TAKEDOWN_THANKS).waitFor();
    await context.close();
    await expectGone(photoAt(1));
  });
});

describe('the owner', () => {
  beforeEach(answerAll);

  test('reads the request on a phone, keeps one photo and deletes another', async () => {
    const [kept, deleted] = [2, 3];
    await ask(kept);
    await ask(deleted);
    const context = await browser.newContext(PHONE);
    const page = await context.newPage();
    await signInAs(page, own);
    await page.goto(own.at('/dashboard'));
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Requests 2' }).click();
    await page.getByRole('heading', { level: 1, name: 'Requests to hide photos' }).waitFor();
    await hydrated(page);
    const request = (index: number) =>
      page.getByRole('listitem').filter({ has: page.locator(`img[src*="/${own.photoIds[index]}?"]`) });
    await request(kept).getByText('My daughter is number 7.').waitFor();
    await request(kept).getByText('Hidden until you decide').waitFor();
    await expectSoundOnBoth(page);
    await request(kept).getByRole('button', { name: 'Keep' }).click();
    await page.getByLabel('A note to the person who asked').fill('We asked her coach.');
    await expectSoundOnBoth(page);
    await page.getByRole('button', { name: 'Keep photo' }).click();
    await request(kept).getByText('We asked her coach.').waitFor();
    await request(deleted).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete photo' }).click();
    await page.getByText('Deleted', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Requests' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Decided' }).click();
    await page.getByText('Deleted', { exact: true }).first().waitFor();
    await expectSoundOnBoth(page);
    await context.close();
    expect((await read(photoAt(kept))).status).toBe(200);
    await expectGone(photoAt(deleted));
  });

  test('can choose to review requests first', async () => {
    const alone = await ownGallery(site.port, 0);
    const context = await browser.newContext(PHONE);
    const page = await context.newPage();
    await signInAs(page, alone);
    await page.goto(alone.at('/takedowns'));
    await page.getByText('No open requests').waitFor();
    const saved = page.waitForResponse((answer) => answer.url().endsWith('/takedown_mode'));
    await page.getByLabel('Let us review it first').check();
    expect((await saved).status()).toBe(200);
    await page.reload();
    await expect.poll(() => page.getByLabel('Let us review it first').isChecked()).toBe(true);
    await expectSound(page);
    await context.close();
  });
});
