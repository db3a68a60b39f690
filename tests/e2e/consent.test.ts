/**
 * A child who must not be published, as its club sees it: what waits, what is hidden and why, and one photo that is
 * shown nevertheless.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwnerOf, ownGallery } from '#tests/e2e/own-gallery.ts';
import { expectSound, expectSoundOnBoth, PHONE, visiting, WIDE } from '#tests/e2e/public-pages.ts';
import { launchBrowser, VIEWPORTS } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { addTeams } from '#tests/support/tagging-desks.ts';

const site = useRunningSite();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const HELD =
  '1 athlete of this team must not be published. New photos stay hidden until they are tagged or you say that this athlete is in none of them.';
const TEAM = {
  'Hawks U12': [
    { name: 'Maya Rivera', number: '10', consent: 'no' },
    { name: 'Leo Park', number: '7' },
  ],
};
const photos = (page: Page) => page.getByRole('list', { name: 'Photos', exact: true });
const showAll = (page: Page) => page.getByLabel('Filter photos').selectOption('default');

test('a photo of her is hidden, is shown with a reason, and the log says so, on a phone', async () => {
  const own = await ownGallery(site.port, 4);
  await addTeams(own, TEAM);
  const visitorsSee = (count: number) =>
    visiting(browser, own.at(`/gallery/${own.galleryId}`), PHONE, async (page) => {
      if (count === 0) await page.getByRole('heading', { name: 'No photos yet' }).waitFor();
      await expect.poll(() => photos(page).getByRole('link').count()).toBe(count);
    });
  await asOwnerOf(own, browser, PHONE, async (page) => {
    await page.goto(own.at(`/gallery/${own.galleryId}/edit`));
    await page.getByText(HELD).waitFor();
    await page.getByRole('button', { name: 'None of them is in these 4' }).waitFor();
    await showAll(page);
    await expect.poll(() => photos(page).getByText('Hidden: not checked').count()).toBe(4);
    await expectSoundOnBoth(page);
    await visitorsSee(0);

    await page.getByRole('link', { name: 'Tag now' }).click();
    await page.getByLabel('Who is on this photo?').fill('10');
    await page.keyboard.press('Enter');
    await page.getByText('1 tagged, all saved').waitFor();
    // On a phone the line is collapsed: the space is for the photo.
    const line = page.getByRole('button', { name: '3 photos stay hidden until they are checked' });
    await line.waitFor();
    await page.setViewportSize(VIEWPORTS.desktop);
    await page.getByText(HELD).waitFor();
    await expectSound(page);
    await page.setViewportSize(VIEWPORTS.phone);
    await line.click();
    await page.getByText(HELD).waitFor();
    await expectSound(page);
    await page.getByRole('button', { name: 'None of them is in these 3' }).click();
    await page.getByText('3 photos are no longer held.').waitFor();
    await page.getByText(HELD).waitFor({ state: 'detached' });
    await visitorsSee(3);

    await page.getByRole('link', { name: 'Gallery' }).click();
    await showAll(page);
    await photos(page).getByText('Hidden: consent').waitFor();
    expect(
      await photos(page)
        .getByText(/^Hidden/)
        .count(),
    ).toBe(1);
    expect(await page.getByText(HELD).count()).toBe(0);
    await page
      .getByRole('button', { name: /^Edit field-/ })
      .first()
      .click();
    const panel = page.getByRole('dialog', { name: 'Edit photo' });
    await panel.getByText('Hidden: consent').waitFor();
    await expectSoundOnBoth(page);
    const question = page.getByRole('alertdialog', { name: 'Show this photo?' });
    const showNevertheless = async (reason: string) => {
      await question.getByLabel('Why').fill(reason);
      await question.getByRole('button', { name: 'Show anyway' }).click();
    };
    await panel.getByRole('button', { name: 'Show anyway' }).click();
    await showNevertheless('because');
    await question.getByText('Please say why in at least 10 characters').waitFor();
    await expectSoundOnBoth(page);
    await showNevertheless('Maya is seen from behind');
    await panel.getByText('Visitors can see this photo now, although a consent would hide it.').waitFor();
    await expectSoundOnBoth(page);
    await visitorsSee(4);
    // The way back is there on another day, too.
    await page.reload();
    await page
      .getByRole('button', { name: /^Edit field-/ })
      .first()
      .click();
    await panel.getByText('Visitors can see this photo now, although a consent would hide it.').waitFor();
    await panel.getByRole('button', { name: 'Hide again' }).click();
    await panel.getByText('Hidden: consent').waitFor();
    await visitorsSee(3);

    await page.goto(own.at('/activity'));
    await page.getByText('Photo: exception ended').waitFor();
    await page.getByText('Photo: shown nevertheless').waitFor();
    await page.getByText('Gallery: hold ended').waitFor();
    await expectSoundOnBoth(page);
    expect(await page.content()).not.toMatch(/Maya|Rivera/);
  });
});

test('the badge of a hidden photo is readable on the narrowest tiles, too', async () => {
  const own = await ownGallery(site.port, 4);
  await addTeams(own, TEAM);
  await asOwnerOf(own, browser, WIDE, async (page) => {
    await page.goto(own.at(`/gallery/${own.galleryId}/edit`));
    await showAll(page);
    const badges = photos(page).getByText('not checked');
    for (const viewport of Object.values(VIEWPORTS)) {
      await page.setViewportSize(viewport);
      await expect.poll(() => badges.count()).toBe(4);
      // Also waits until the tiles have the widths of this window.
      await expectSound(page);
      // One line each: wrapped letters would be taller.
      for (const badge of await badges.all()) expect((await badge.boundingBox())?.height ?? 99).toBeLessThan(24);
    }
  });
});
