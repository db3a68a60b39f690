/** A member imports a roster as a file, edits it like a spreadsheet, and merges two athletes. */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwnerOf, ownGallery, type OwnGallery } from '#tests/e2e/own-gallery.ts';
import { expectSoundOnBoth, PHONE } from '#tests/e2e/public-pages.ts';
import { hydrated, launchBrowser, VIEWPORTS } from '#tests/support/browser.ts';
import { csvOf } from '#tests/support/csv-files.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { rowsOf } from '#tests/support/site-database.ts';

const site = useRunningSite();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const SHEET = csvOf(
  'Vorname,Name,Rückennummer,Mannschaft,Foto-Erlaubnis',
  'Maja,Rivera,10,Hawks U12,ja',
  'Maya,Rivera,11,Hawks U12,nein',
  'Leo,Park,7,Hawks U12,',
  ',Nobody,1,Hawks U12,',
);

/** Whether nothing covers the start of it, and it is not scrolled away. */
const isSeen = (place: Locator) =>
  place.evaluate((element) => {
    const { left, top, height } = element.getBoundingClientRect();
    return document.elementFromPoint(left + 10, top + height / 2) === element;
  });

test('a roster is imported, edited in place and tidied on a phone, and looks right on a desktop', async () => {
  const own: OwnGallery = await ownGallery(site.port, 0);
  // A code of no blank card is refused.
  await asOwnerOf(own, browser, { ...PHONE, allowed: /status of 422/ }, async (page) => {
    await page.goto(own.at('/roster'));
    await page.getByRole('heading', { name: 'Add your roster once, and parents find their own child.' }).waitFor();
    await hydrated(page);
    await expectSoundOnBoth(page);
    await page.getByRole('link', { name: 'Import a file' }).click();
    await page
      .getByLabel('CSV file')
      .setInputFiles({ name: 'team.csv', mimeType: 'text/csv', buffer: Buffer.from(SHEET) });
    await page.getByRole('heading', { name: 'Which column is which?' }).waitFor();
    await expect.poll(() => page.getByLabel('Rückennummer is').inputValue()).toBe('number');
    await expectSoundOnBoth(page);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('Row 5: first name is required.').waitFor();
    await page.getByRole('heading', { name: '1 row cannot be imported' }).waitFor();
    await page.getByText('Import the others now, or correct the file and choose it again.').waitFor();
    // The button is gone with its step; the next step's heading has the focus.
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H2');
    // Asked once: a school's answer, with what it means for children whose family was not asked.
    await page.getByRole('radio', { name: 'By card only' }).check();
    await expect.poll(() => page.getByRole('radio', { name: 'Only to their family' }).isChecked()).toBe(true);
    await expectSoundOnBoth(page);
    await page.getByRole('button', { name: 'Proceed with Valid Rows' }).click();
    await page.getByText('3 new · 1 failed').waitFor();
    await page.getByRole('link', { name: 'Open the roster' }).click();
    await page.getByLabel('Number of Leo Park').fill('8');
    await page.keyboard.press('Enter');
    await page.getByLabel('Last name of Leo Park').fill('Featherstonehaugh-Parkson');
    await page.keyboard.press('Enter');
    const long = page.getByLabel('Last name of Leo Featherstonehaugh-Parkson');
    for (const text of ['200%', '']) {
      await page.evaluate((size) => (document.documentElement.style.fontSize = size), text);
      await expect.poll(() => long.evaluate((field) => field.scrollWidth - field.clientWidth)).toBe(0);
    }
    await long.fill('P.');
    await page.keyboard.press('Enter');
    await page.getByLabel('Number of Leo P.').waitFor();
    const region = page.getByRole('region', { name: 'Athletes' });
    // Nothing is out of sight to the side, also on a tablet: a consent without its name would be one of any child.
    for (const viewport of [VIEWPORTS.desktop, VIEWPORTS.tablet, VIEWPORTS.phone]) {
      await page.setViewportSize(viewport);
      expect(await region.evaluate((table) => table.scrollWidth - table.clientWidth)).toBe(0);
    }
    await page.getByLabel('Consent of Leo P.').selectOption('no');
    for (const viewport of [VIEWPORTS.desktop, VIEWPORTS.phone]) {
      await page.setViewportSize(viewport);
      await expect.poll(() => isSeen(page.getByLabel('First name of Leo P.'))).toBe(true);
    }
    await expectSoundOnBoth(page);
    await page.getByRole('button', { name: 'More about Maja Rivera' }).click();
    await page.getByRole('button', { name: 'Merge two athletes' }).click();
    await page.getByLabel('Name or number of the other one').fill('maya');
    await page.getByRole('button', { name: /^Maya Rivera/ }).click();
    await page.getByRole('heading', { name: 'The athletes were merged' }).waitFor();
    await expectSoundOnBoth(page);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.reload();
    await page.getByText('2 athletes').waitFor();
    await page.getByRole('button', { name: 'More about Maya Rivera' }).click();
    await page.getByRole('button', { name: 'Undo the merge with Maja Rivera' }).click();
    await page.getByText('The athletes were separated').waitFor();
    await expectSoundOnBoth(page);
    await page.keyboard.press('Escape');
    await page.getByLabel('Number of Maja Rivera').waitFor();
    await page.getByLabel('Team of Maja Rivera').selectOption('No team');
    await expect.poll(() => page.getByLabel('Team of Maja Rivera').inputValue()).toBe('');
    await page.reload();
    await page.getByText('2 athletes').waitFor();
    await page.getByRole('link', { name: /^Hawks U12/ }).click();
    const cards = (await page.getByRole('link', { name: 'Print cards' }).getAttribute('href')) ?? '';
    const typeOf = (url: string) => fetch(url).then(({ headers }) => headers.get('content-type'));
    expect(await page.evaluate(typeOf, cards)).toBe('application/pdf');
    await page.getByRole('combobox', { name: 'Paper' }).selectOption('A4');
    expect(await page.getByRole('link', { name: 'Photo day cards' }).getAttribute('href')).toMatch(/paper=a4$/);
    await page.getByRole('button', { name: 'Included photos' }).click();
    await page.getByText('No photos are included yet.').waitFor();
    await page.getByLabel('Photos for each').fill('5');
    await expectSoundOnBoth(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved for 2 athletes').waitFor();
    await page.getByRole('button', { name: 'Included photos' }).click();
    await page.getByText('2 of 2 athletes have included photos: 10 together, 0 of them used.').waitFor();
    await expect.poll(() => page.getByLabel('Photos for each').inputValue()).toBe('5');
    await page.getByLabel('Until').fill('2020-06-30');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The last day is in the past. Please choose today or a later day.').waitFor();
    await expectSoundOnBoth(page);
    await page.keyboard.press('Escape');
    await rowsOf(
      site,
      `update allowances set photos = 3 where id = (select min(id) from allowances where organization_id = $1)`,
      [own.affiliateId],
    );
    await page.getByRole('button', { name: 'Included photos' }).click();
    await page.getByText('Now 3 to 5 each. Saving changes all of them.').waitFor();
    await expect.poll(() => page.getByLabel('Photos for each').inputValue()).toBe('');
    await expectSoundOnBoth(page);
    await page.keyboard.press('Escape');
    await tidyCards(page);
    await page.getByRole('button', { name: 'Edit team' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Hawks U13');
    await expectSoundOnBoth(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: /^Hawks U13/ }).waitFor();
    await page.getByRole('combobox', { name: 'Consent', exact: true }).selectOption('yes');
    await page.getByText('0 athletes').waitFor();
    await page.getByRole('combobox', { name: 'Consent', exact: true }).selectOption('');
    await page.getByText('2 athletes').waitFor();
    const settings = await own.call<object>('GET', `/api/v1/affiliates/${own.affiliateId}/roster_settings`);
    expect(settings).toMatchObject({ mode: 'private', unknown_consent: 'family', chosen: true });
    await expectSoundOnBoth(page);
    await expect.poll(() => page.getByLabel('Number of Leo P.').inputValue()).toBe('8');
    await expect.poll(() => page.getByLabel('Consent of Leo P.').inputValue()).toBe('no');
  });
});

/** Replaces the card that printing created, adds one for the other parent, and tries to assign a blank one. */
async function tidyCards(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More about Leo P.' }).click();
  await page.getByRole('button', { name: 'Cards', exact: true }).click();
  const cards = page.getByRole('dialog', { name: 'Cards of Leo P.' });
  const codes = () => cards.getByRole('listitem').locator('b').allInnerTexts();
  await expect.poll(async () => (await codes()).length).toBe(1);
  const [first] = await codes();
  await cards.getByText('Not opened yet').waitFor();
  await expectSoundOnBoth(page);
  await cards.getByRole('button', { name: `New card in the place of ${first}` }).click();
  await page
    .getByRole('alertdialog', { name: 'New card for Leo P.?' })
    .getByRole('button', { name: 'Create a new card' })
    .click();
  await expect.poll(async () => (await codes()).join()).not.toBe(first);
  expect(await codes()).toHaveLength(1);
  await cards.getByRole('button', { name: 'Card for another household' }).click();
  await expect.poll(async () => (await codes()).length).toBe(2);
  await cards.getByRole('combobox', { name: 'Paper' }).selectOption('A4');
  expect(await cards.getByRole('link', { name: 'Print these cards' }).getAttribute('href')).toMatch(/paper=a4$/);
  await cards.getByLabel('Code of a blank card that this family has').fill('K7M3P-9QX2T');
  await cards.getByRole('button', { name: 'Assign card' }).click();
  await cards.getByText('This is not the code of a blank card.').waitFor();
  await expectSoundOnBoth(page);
  await page.keyboard.press('Escape');
}
