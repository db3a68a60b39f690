/** Families on a phone: the card, the page of a child, its actions, and one order for two children. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addCard, ownFamily, squareOf, type OwnFamily } from '#tests/e2e/own-family.ts';
import { expectSound, expectSoundOnBoth, PHONE, visiting } from '#tests/e2e/public-pages.ts';
import { fillIn, PAY } from '#tests/e2e/shopping.ts';
import { hydrated, launchBrowser } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { shareGoods } from '#tests/support/second-try.ts';

const site = useRunningSite();
let browser: Browser;
let own: OwnFamily;
beforeAll(async () => {
  browser = await launchBrowser();
});
shareGoods(async () => {
  own = await ownFamily(site.port);
});
afterAll(() => browser?.close());

/** An invalid card is answered with 401. */
const REFUSED = /status of 401/;
const family = () => own.at('/family');
const codeField = (page: Page) => page.getByLabel('Code on your card');
const photos = (page: Page) => page.getByRole('list', { name: 'Photos', exact: true }).getByRole('link');
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
const MAYA = 'Maya R., number 10, Hawks U12';
const LEO = 'Leo P., number 7, Tides U9';

async function openCard(page: Page, code: string): Promise<void> {
  await codeField(page).fill(code);
  await page.getByRole('button', { name: 'Show the photos' }).click();
}
async function chooseInMenu(page: Page, label: string, action: string): Promise<void> {
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('dialog', { name: label }).getByRole('button', { name: action }).click();
}

test('a mother of two buys for both on her phone in one order', async () => {
  await visiting(browser, family(), PHONE, async (page) => {
    await openCard(page, own.maya.code);
    await heading(page, MAYA);
    await page.getByText('All 3 photos for $5.00').waitFor();
    await page.getByText(/^From 1 gallery, and new ones until \d\d\.\d\d\.\d{4}\.$/).waitFor();
    expect(await photos(page).count()).toBe(3);
    await expectSound(page);
    await page.getByText('3 photos · $2.00 each').waitFor();
    expect(await page.locator('.tile-price').count()).toBe(0);
    // A photo that she chose before is included in the pass, too. The stage shows her cart.
    await photos(page).first().click();
    const stage = page.getByRole('dialog', { name: 'Photos' });
    await stage.getByRole('button', { name: 'Add · $2.00' }).click();
    await stage.getByRole('link', { name: /^1 photo, 2 dollars.*Review$/ }).waitFor();
    await expectSound(page);
    await stage.getByRole('link', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Add to cart: All 3 photos for $5.00' }).click();
    await page.getByRole('button', { name: 'In cart. Remove All 3 photos for $5.00' }).waitFor();
    const bar = page.getByRole('complementary', { name: 'Cart' });
    await bar.getByText('1 photo, 1 pass, 5 dollars').waitFor();
    await expectSound(page);

    await page.getByRole('link', { name: 'Add a child' }).click();
    await openCard(page, own.leo.code);
    await heading(page, LEO);
    expect(await page.getByRole('navigation', { name: 'Children' }).getByRole('link').allInnerTexts()).toEqual([
      'Maya',
      'Leo',
      '',
    ]);
    await page
      .locator('#photo-1')
      .getByRole('button', { name: /to cart$/ })
      .click();
    await bar.getByText('2 photos, 1 pass, 7 dollars').waitFor();

    await bar.getByRole('link', { name: 'Review & Get' }).click();
    await page.getByText('All photos of number 10 $5.00').waitFor();
    await page.getByText('Included in your pass').waitFor();
    await page.getByRole('button', { name: 'Get Download $7.00' }).waitFor();
    await expectSound(page);
    await fillIn(page, 'mother-of-two@families.test');
    await page.getByRole('button', { name: PAY }).click();
    await page.waitForURL(/\/order\//);
    await page
      .getByRole('region', { name: 'All photos of number 10' })
      .getByText(/^3 photos today\./)
      .waitFor();
    await page.getByText('Receipt', { exact: true }).click();
    await page.getByRole('heading', { name: 'How your price is made' }).waitFor();
    expect(await page.getByRole('main').innerText()).not.toMatch(/Maya|Rivera|Leo/);
    expect(await page.title()).not.toMatch(/Maya|Leo/);
    await expectSound(page);
    await expect.poll(() => page.evaluate(() => localStorage.getItem('cartItems'))).toBe('[]');
  });
});

test('a pass in the cart can be removed again', async () => {
  await visiting(browser, family(), PHONE, async (page) => {
    await openCard(page, own.maya.code);
    await page.getByRole('button', { name: 'Add to cart: All 3 photos for $5.00' }).click();
    await expect.poll(() => page.getByText('Included', { exact: true }).count()).toBe(3);
    await page.getByRole('link', { name: 'Review & Get' }).click();
    await page.getByRole('button', { name: 'Remove All photos of number 10' }).click();
    await page.goBack();
    await page.getByRole('button', { name: 'Add to cart: All 3 photos for $5.00' }).waitFor();
  });
});

describe('the code of a card', () => {
  test('gets capitals and its hyphen automatically', async () => {
    await visiting(browser, family(), { ...PHONE, allowed: REFUSED }, async (page) => {
      await hydrated(page);
      await expectSoundOnBoth(page);
      await codeField(page).pressSequentially('k7m3p9qx2t');
      expect(await codeField(page).inputValue()).toBe('K7M3P-9QX2T');
      await page.getByRole('button', { name: 'Show the photos' }).click();
      await page.getByText('We do not recognize this code. It is printed below the square on your card.').waitFor();
      await expectSoundOnBoth(page);
      await openCard(page, own.leo.code.toLowerCase().replace('-', ' '));
      await heading(page, LEO);
    });
  });

  test('is not in the address if it is sent before the script of the page runs', async () => {
    const context = await browser.newContext({ ...PHONE, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(family());
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await openCard(page, own.maya.code);
    await codeField(page).press('Enter');
    // Whatever it asks for next is asked by now.
    await page.goto(own.at('/'));
    expect(asked.filter((url) => url.includes('code='))).toEqual([]);
    await context.close();
  });

  test('that was replaced no longer opens anything, even where it was open before', async () => {
    await visiting(browser, family(), { ...PHONE, allowed: REFUSED }, async (page) => {
      const before = own.leo.code;
      await openCard(page, before);
      await heading(page, LEO);
      own.leo.code = await addCard(own, own.leo.id);
      await page.reload();
      await codeField(page).waitFor();
      await openCard(page, before);
      await page.getByText('This code was replaced. Please ask your team for the new card.').waitFor();
      await openCard(page, own.leo.code);
      await heading(page, LEO);
    });
  });
});

describe('the QR code of a card', () => {
  test('opens the page directly, and its key is removed from the address', async () => {
    const square = await squareOf(own, browser, own.maya);
    expect(new URL(square).pathname).toBe(new URL(family()).pathname);
    await visiting(browser, square, PHONE, async (page) => {
      await heading(page, MAYA);
      expect(page.url()).toBe(`${family()}?child=${own.maya.id}`);
    });
  });

  test('of no card is refused with a message', async () => {
    await visiting(browser, `${family()}#${'x'.repeat(22)}`, { ...PHONE, allowed: REFUSED }, async (page) => {
      await page.getByText('We do not recognize this code. It is printed below the square on your card.').waitFor();
      expect(page.url()).toBe(family());
    });
  });
});

describe('a family', () => {
  test('hides the photos of its child, and undoes it', async () => {
    const gallery = own.at(`/gallery/${own.galleryId}`);
    await visiting(browser, family(), PHONE, async (page) => {
      await openCard(page, own.maya.code);
      await heading(page, MAYA);
      await chooseInMenu(page, 'Maya R.', 'Hide photos of Maya');
      const question = page.getByRole('alertdialog', { name: 'Hide photos of Maya' });
      await question
        .getByText(
          'Hide all photos of Maya from everybody but this page? Team pictures with Maya are hidden, too. You can undo this here.',
        )
        .waitFor();
      await expectSound(page);
      await question.getByRole('button', { name: 'Hide photos' }).click();
      await page.getByText('Done. 3 photos are hidden, and new ones will be hidden, too.').waitFor();
      const hidden = page.getByText('Photos of Maya are hidden from everybody but this page.');
      await hidden.waitFor();
      expect(await photos(page).count()).toBe(3);
      await visiting(browser, gallery, PHONE, async (public_) => {
        expect(await photos(public_).count()).toBe(3);
      });
      await chooseInMenu(page, 'Maya R.', 'Show photos of Maya again');
      const showing = page.getByRole('alertdialog', { name: 'Show photos of Maya again' });
      await showing
        .getByText('Everybody can then see the photos of Maya that your team publishes. You can hide them here again.')
        .waitFor();
      await expectSound(page);
      await showing.getByRole('button', { name: 'Show photos' }).click();
      await page.getByText('Done. 3 photos are shown again.').waitFor();
      await hidden.waitFor({ state: 'detached' });
      await visiting(browser, gallery, PHONE, async (public_) => {
        expect(await photos(public_).count()).toBe(6);
      });
    });
  });

  test('says that it is not their child, and the card no longer opens anything', async () => {
    const code = await addCard(own, own.leo.id);
    await visiting(browser, family(), { ...PHONE, allowed: REFUSED }, async (page) => {
      await openCard(page, code);
      await heading(page, LEO);
      await chooseInMenu(page, 'Leo P.', 'This is not my child');
      const question = page.getByRole('alertdialog', { name: 'This is not my child' });
      await expectSound(page);
      await question.getByRole('button', { name: 'Not my child' }).click();
      await page.getByText('Thank you. This code no longer opens anything, and the team was told.').waitFor();
      await openCard(page, code);
      await page.getByText('This code was replaced. Please ask your team for the new card.').waitFor();
    });
    own.leo.code = await addCard(own, own.leo.id);
  });

  test('is forgotten by the device', async () => {
    await visiting(browser, family(), PHONE, async (page) => {
      await openCard(page, own.maya.code);
      await heading(page, MAYA);
      await chooseInMenu(page, 'Maya R.', 'Forget Maya on this device');
      await page.getByRole('alertdialog').getByRole('button', { name: 'Forget' }).click();
      await codeField(page).waitFor();
      await page.goto(`${family()}?child=${own.maya.id}`);
      await codeField(page).waitFor();
    });
  });
});

test('eight children are open as tabs, and a ninth is not', async () => {
  const club = `/api/v1/affiliates/${own.affiliateId}`;
  const codes: string[] = [];
  for (const name of ['Ada', 'Ben', 'Cem', 'Dot', 'Eli', 'Fay', 'Gus', 'Hal', 'Ivy']) {
    const { athlete } = await own.call<{ athlete: { id: number } }>('POST', `${club}/athletes`, {
      athlete: { first_name: name, consent: 'yes', entries: [{ team_id: own.leo.teamId }] },
    });
    codes.push(await addCard(own, athlete.id));
  }
  await visiting(browser, family(), { ...PHONE, allowed: /status of 409/ }, async (page) => {
    for (const [at, code] of codes.entries()) {
      await page.goto(`${family()}?add=yes`);
      await openCard(page, code);
      if (at < 8) await page.waitForURL(/child=/);
    }
    await page.getByText('Up to 8 children can be open in one browser. Please forget one first.').waitFor();
    const tabs = page.getByRole('navigation', { name: 'Children' }).getByRole('link');
    expect((await tabs.allInnerTexts()).join(' ').trim()).toBe('Ada Ben Cem Dot Eli Fay Gus Hal');
    await tabs.nth(1).click();
    await heading(page, 'Ben, Tides U9');
    await chooseInMenu(page, 'Ben', 'Forget Ben on this device');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Forget' }).click();
    await expect.poll(async () => (await tabs.allInnerTexts()).join(' ').trim()).toBe('Ada Cem Dot Eli Fay Gus Hal');
    await expectSound(page);
    await tabs.first().click();
    await heading(page, 'Ada, Tides U9');
    await page.getByText('No photos of Ada yet. We can tell you when there are.').waitFor();
    await page.getByLabel('Your email').waitFor();
    await expectSound(page);
  });
});
