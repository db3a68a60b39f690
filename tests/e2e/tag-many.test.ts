/**
 * Many photos together: selected in the editor's grid, or by keywords that are numbers (athletes B.3 "Tag many", B.6).
 */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asOwnerOf, type OwnGallery } from '#tests/e2e/own-gallery.ts';
import { expectSound, expectSoundOnBoth, PHONE, WIDE } from '#tests/e2e/public-pages.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { rowsOf } from '#tests/support/site-database.ts';
import { deskGallery, HAWKS, openDesk, storedTags, TIDES } from '#tests/support/tagging-desks.ts';

const site = useRunningSite();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

async function teamOf(own: OwnGallery, wanted: string): Promise<number> {
  const { teams } = await own.call<{ teams: { id: number; name: string }[] }>(
    'GET',
    `/api/v1/galleries/${own.galleryId}/teams`,
  );
  return teams.find(({ name }) => name === wanted)?.id ?? 0;
}

describe('many photos together', () => {
  test('photos selected in the grid are tagged with the same field, and untagged, on a phone', async () => {
    const own = await deskGallery(site, 4, { 'Hawks U12': HAWKS, 'Tides U12': TIDES });
    await asOwnerOf(own, browser, PHONE, async (page) => {
      await page.goto(own.at(`/gallery/${own.galleryId}/edit`));
      const chosen = page.getByRole('region', { name: 'Chosen photos' });
      const dialog = page.getByRole('dialog', { name: 'Tag 4 photos' });
      const openMany = async () => {
        await chosen.getByRole('button', { name: 'Tag…' }).click();
        await dialog.getByLabel('Who is on these 4 photos?').waitFor();
      };
      // Hidden photos stay in this list, and selected.
      await page.getByLabel('Filter photos').selectOption('default');
      await page.getByRole('button', { name: 'Select all' }).click();
      await openMany();
      await page.keyboard.type('10 7');
      await page.keyboard.press('Enter');
      await dialog.getByText('Two players wear 10. Press 1 for Hawks, 2 for Tides.').waitFor();
      await expectSoundOnBoth(page);
      await page.keyboard.press('2');
      await chosen.getByText('Tagged Tides 10 Kai B., Hawks 7 Leo P. on 4 photos.').waitFor();
      expect(await storedTags(own)).toEqual(['7 10', '7 10', '7 10', '7 10']);
      await openMany();
      await page.keyboard.type('ada');
      await dialog.getByRole('button', { name: 'Hawks 23 Ada L.' }).click();
      await chosen.getByText('Ada L. must not be published. 4 photos are now hidden.').waitFor();
      await openMany();
      await page.keyboard.type('h7');
      await dialog.getByRole('button', { name: 'Remove' }).click();
      await chosen.getByText('Removed Hawks 7 Leo P. from 4 photos.').waitFor();
      expect(await storedTags(own)).toEqual(['10 23', '10 23', '10 23', '10 23']);
      // One of them has a 10 of the Hawks before all get it, and keeps it.
      const [first] = own.photoIds;
      const maya = { photo_ids: [first], add: [{ team_id: await teamOf(own, 'Hawks U12'), number: '10' }] };
      await own.call('PUT', `/api/v1/galleries/${own.galleryId}/tags`, {
        changes: [maya],
        client_key: 'before-many',
      });
      await openMany();
      await page.keyboard.type('h10');
      await page.keyboard.press('Enter');
      await chosen.getByText('Tagged Hawks 10 Maya R. on 4 photos.').waitFor();
      expect((await storedTags(own)).toSorted()).toEqual(Array.from({ length: 4 }, () => '10 10 23'));
      await expectSoundOnBoth(page);
      await chosen.getByRole('button', { name: 'Undo' }).click();
      await chosen.getByText('Undone.').waitFor();
      expect((await storedTags(own)).toSorted()).toEqual(['10 10 23', '10 23', '10 23', '10 23']);
      await expectSoundOnBoth(page);
    });
  });

  test('keywords that are numbers become tags', async () => {
    const own = await deskGallery(site, 3);
    await rowsOf(
      site,
      `insert into photo_keywords (photo_id, gallery_id, organization_id, name)
       select id, gallery_id, organization_id, '10' from photos where gallery_id = $1`,
      [own.galleryId],
    );
    await asOwnerOf(own, browser, WIDE, async (page) => {
      await openDesk(page, own);
      const turn = page.getByRole('button', { name: 'Turn 3 keywords that are numbers into tags' });
      await turn.waitFor();
      await expectSound(page);
      await turn.click();
      await page.getByText('3 keywords are tags now.').waitFor();
      await page.getByText('3 tagged, all saved').waitFor();
      await turn.waitFor({ state: 'detached' });
      expect(await storedTags(own)).toEqual(['10', '10', '10']);
    });
  });
});
