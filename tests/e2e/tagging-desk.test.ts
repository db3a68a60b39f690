/**
 * The tagging desk: one field and a keyboard, a phone's number pad, and nothing is lost on the way (athletes B.3, B.4,
 * B.13).
 */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { asOwnerOf, type OwnGallery } from '#tests/e2e/own-gallery.ts';
import { expectSound, PHONE, visiting, WIDE } from '#tests/e2e/public-pages.ts';
import { COACH } from '#tests/e2e/signed-in.ts';
import { launchBrowser, scrollsSideways, VIEWPORTS } from '#tests/support/browser.ts';
import { swipe } from '#tests/support/page-measures.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { rowsOf } from '#tests/support/site-database.ts';
import {
  deskGallery,
  HAWKS,
  openDesk,
  openThreadClock,
  storedTags,
  TIDES,
  typeLines,
} from '#tests/support/tagging-desks.ts';

const site = useRunningSite();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const atDesk = (own: OwnGallery, options: Parameters<typeof asOwnerOf>[2], work: (page: Page) => Promise<void>) =>
  asOwnerOf(own, browser, options, async (page) => {
    await openDesk(page, own);
    await work(page);
  });

const field = (page: Page) => page.getByLabel('Who is on this photo?');
const photoShown = (page: Page, place: number, total: number) =>
  page.getByRole('img', { name: `Photo ${place} of ${total.toLocaleString('en-US')}`, exact: true }).waitFor();
const onPhoto = (page: Page) => page.getByRole('list', { name: 'On this photo' });
const saved = (page: Page, count: number) => page.getByText(`${count} tagged, all saved`).waitFor();
/** What the browser logs when the network is cut, or a server ends. */
const CUT = /ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_SOCKET|status of 50[234]/;

describe('by keyboard', () => {
  test('a volunteer tags numbers, names, bursts and a team, repeats, goes back and hides', async () => {
    const own = await deskGallery(site, 12);
    // The third to the fifth are a burst.
    await rowsOf(
      site,
      `update photos p set exif = jsonb_build_object('model', 'X100', 'takenAt', '2020-10-03T10:00:' || lpad((case when n between 3 and 5 then n else n * 4 end)::text, 2, '0'))
         from (select id, row_number() over (order by not featured, order_key, id) as n from photos where gallery_id = $1) placed where placed.id = p.id`,
      [own.galleryId],
    );
    await asOwnerOf(own, browser, WIDE, async (page) => {
      await page.goto(own.at(`/gallery/${own.galleryId}/edit`));
      await page.getByRole('link', { name: 'Tag athletes' }).click();
      await photoShown(page, 1, 12);
      await expect.poll(() => field(page).evaluate((input) => input === document.activeElement)).toBe(true);
      await typeLines(page, ['10', '10 7']);
      await photoShown(page, 3, 12);
      await page.getByRole('button', { name: /^Photo 5, in this burst/ }).waitFor();
      await page.keyboard.type('may');
      await expect.poll(() => page.getByRole('region', { name: 'Roster' }).getByRole('button').count()).toBe(1);
      await page.keyboard.press('Shift+Enter');
      await photoShown(page, 6, 12);
      await page.keyboard.press('.');
      await page.keyboard.press('-');
      await page.keyboard.type('41');
      await page.keyboard.press('Enter');
      await page.getByText('Nobody on these teams wears 41. Tag the number anyway? ⏎').waitFor();
      await page.keyboard.press('Enter');
      await typeLines(page, ['g', '', '7']);
      await photoShown(page, 12, 12);
      await page.keyboard.type('x');
      await page.keyboard.press('Enter');
      await onPhoto(page).getByText('Hidden from visitors').waitFor();
      await saved(page, 10);
      expect(await storedTags(own)).toEqual(['10', '7 10', '10', '10', '10', '10', '-', '41', '7 10 23', '', '7', '']);
      await page.getByRole('alert').getByText('Ada L. must not be published. This photo is now hidden.').waitFor();
      await expectSound(page);
      for (const _ of ['x', '7', 'g', '41']) await page.keyboard.press('Control+z');
      await photoShown(page, 8, 12);
      await saved(page, 7);
      await expect.poll(() => storedTags(own)).toEqual(['10', '7 10', '10', '10', '10', '10', '-', '', '', '', '', '']);
      // The owner released them, so photos whose tags were undone do not wait again.
      const shown = await rowsOf(site, 'select id from photos where gallery_id = $1 and show_in_gallery', [
        own.galleryId,
      ]);
      expect(shown).toHaveLength(12);
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keys' }).getByText('This photo and the whole burst').waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.press('ArrowLeft');
      await onPhoto(page).getByText('Nobody to name').waitFor();
      await page.keyboard.press('Home');
      await photoShown(page, 8, 12);
    });
  });

  test('two teams: a digit selects the team, a letter names it; the teams are chosen once', async () => {
    const own = await deskGallery(site, 4, { 'Hawks U12': HAWKS, 'Tides U12': TIDES });
    await own.call('PUT', `/api/v1/galleries/${own.galleryId}/teams`, { team_ids: [], not_published: 1 });
    await asOwnerOf(own, browser, WIDE, async (page) => {
      await page.goto(own.at(`/gallery/${own.galleryId}/tag`));
      await page.getByRole('heading', { name: 'Which teams play in these photos?' }).waitFor();
      await page.getByLabel('Hawks U12').check();
      await page.getByLabel('Tides U12').check();
      await expectSound(page);
      await page.getByRole('button', { name: 'Start tagging' }).click();
      await photoShown(page, 1, 4);
      await typeLines(page, ['10']);
      await page.getByText('Two players wear 10. Press 1 for Hawks, 2 for Tides.').waitFor();
      await expectSound(page);
      await page.keyboard.press('2');
      await photoShown(page, 2, 4);
      await typeLines(page, ['h10', '2.10']);
      await photoShown(page, 4, 4);
      await page
        .getByRole('region', { name: 'Roster' })
        .getByRole('button', { name: /7 Leo P\./ })
        .click();
      await onPhoto(page).getByText('Hawks 7 Leo P.').waitFor();
      await page.getByRole('button', { name: 'Remove Hawks 7 Leo P.' }).click();
      await onPhoto(page).getByText('Not tagged yet').waitFor();
      await saved(page, 3);
      const rows = await rowsOf<{ name: string }>(
        site,
        `select a.first_name as name from photo_tags t join athletes a on a.id = t.athlete_id join photos p on p.id = t.photo_id
          where t.gallery_id = $1 order by not p.featured, p.order_key, p.id`,
        [own.galleryId],
      );
      expect(rows.map(({ name }) => name)).toEqual(['Kai', 'Maya', 'Kai']);
    });
  });
});

describe('on a phone', () => {
  test('the number pad types, large keys act, and a swipe moves on', async () => {
    const own = await deskGallery(site, 6);
    await atDesk(own, PHONE, async (page) => {
      const pad = page.getByRole('group', { name: 'Number pad' });
      const press = (...keys: string[]) =>
        keys.reduce(
          (before, key) => before.then(() => pad.getByRole('button', { name: key, exact: true }).tap()),
          Promise.resolve(),
        );
      expect(await field(page).getAttribute('inputmode')).toBe('none');
      await press('1', '0', 'Next');
      await photoShown(page, 2, 6);
      await press('7', 'Another number', '1', '0', 'Next', 'Same', 'Nobody');
      await photoShown(page, 5, 6);
      // On a busy machine a simulated swipe may be lost.
      const swiped = (to: number, points: Parameters<typeof swipe>[1]) =>
        expect
          .poll(async () => {
            const photo = page.getByRole('img', { name: `Photo ${to} of 6`, exact: true });
            if (await photo.isVisible()) return true;
            await swipe(page, points);
            return photo.waitFor({ timeout: 5_000 }).then(
              () => true,
              () => false,
            );
          })
          .toBe(true);
      await swiped(6, { from: [320, 300], to: [90, 300] });
      await swiped(5, { from: [90, 300], to: [320, 300] });
      // So may a tap, most of all after a swipe.
      const typed = (key: string, before: string, after: string) =>
        expect
          .poll(async () => {
            if ((await field(page).inputValue()) === before) await press(key);
            const isTyped = async () => (await field(page).inputValue()) !== before;
            await vi.waitUntil(isTyped, { timeout: 5_000 }).catch(() => undefined);
            return field(page).inputValue();
          })
          .toBe(after);
      await typed('1', '', '1');
      await typed('2', '1', '12');
      await typed('Delete a digit', '12', '1');
      await page.getByRole('list', { name: 'Matches' }).getByRole('button', { name: '10 Maya R.' }).tap();
      await onPhoto(page).getByText('10 Maya R.').waitFor();
      await page.getByRole('button', { name: 'Undo' }).tap();
      await onPhoto(page).getByText('Not tagged yet').waitFor();
      await page.getByRole('button', { name: 'ABC' }).tap();
      expect(await field(page).getAttribute('inputmode')).toBe('text');
      await saved(page, 4);
      expect(await storedTags(own)).toEqual(['10', '7 10', '7 10', '-', '', '']);
      await expectSound(page);
    });
  });

  const SIZES: [string, BrowserContextOptions][] = [
    ['a phone', PHONE],
    ['a tablet', { ...WIDE, viewport: VIEWPORTS.tablet }],
    ['a desktop', WIDE],
  ];
  test('and on every screen, with text twice as large, everything is within reach and nothing scrolls sideways', async () => {
    const own = await deskGallery(site, 3);
    for (const [name, options] of SIZES)
      await atDesk(own, options, async (page) => {
        await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
        await field(page).fill('41');
        await page.keyboard.press('Enter');
        await page.getByText('Nobody on these teams wears 41').waitFor();
        expect(await scrollsSideways(page), name).toBe(false);
        await page.getByRole('button', { name: 'Hide' }).click({ trial: true });
        await page.getByRole('button', { name: 'Tag it' }).click({ trial: true });
      });
  });
});

test('two people tag one gallery: each has a range, and the other’s photos are gray', async () => {
  const own = await deskGallery(site, 120);
  await rowsOf(
    site,
    `insert into memberships (user_id, organization_id, role)
     select id, $1, 2 from users where email = 'coach@hawks.test' on conflict do nothing`,
    [own.affiliateId],
  );
  await atDesk(own, WIDE, async (page) => {
    await page.getByRole('button', { name: 'Take the next 100' }).click();
    await page.getByText('The next 100 photos are yours for 20 minutes.').waitFor();
    await photoShown(page, 1, 120);
    await visiting(browser, own.at(`/gallery/${own.galleryId}/tag`), { ...WIDE, as: COACH }, async (other) => {
      await photoShown(other, 101, 120);
      await other.getByRole('button', { name: 'Photo 100, someone else is tagging it' }).waitFor();
      await other.getByRole('button', { name: 'Take the next 100' }).click();
      await other.getByText('The next 20 photos are yours for 20 minutes.').waitFor();
      await typeLines(other, ['10']);
      await photoShown(other, 102, 120);
      await saved(other, 1);
      await expectSound(other);
    });
    await page.getByRole('button', { name: 'Take the next 100' }).click();
    await page.getByText('The next 100 photos are yours for 20 minutes.').waitFor();
  });
});

describe('no tag is lost', () => {
  // Five hundred lines and twenty seconds: src/features/tagging-desk/typed-lines.client.test.ts.
  test('when numbers are typed at ten a second, the network is cut, and some are undone meanwhile', async () => {
    const own = await deskGallery(site, 90, {
      Hawks: Array.from({ length: 8 }, (_, at) => ({ name: `Player ${at}`, number: String(at) })),
    });
    const numbers = Array.from({ length: 90 }, (_, at) => String((at * 3) % 8));
    await atDesk(own, { ...WIDE, allowed: CUT }, async (page) => {
      await typeLines(page, numbers.slice(0, 15), 100);
      await page.context().setOffline(true);
      // More than a batch of fifty waits.
      await typeLines(page, numbers.slice(15, 75), 100);
      await page.getByText(/^offline, \d+ kept here$/).waitFor();
      // Tags that are undone and typed again without a network arrive in this order.
      for (let undone = 0; undone < 5; undone += 1) await page.keyboard.press('Control+z');
      await typeLines(page, numbers.slice(70, 75), 100);
      await page.context().setOffline(false);
      await typeLines(page, numbers.slice(75), 100);
      await saved(page, 90);
      expect(await storedTags(own)).toEqual(numbers);
      for (let undone = 0; undone < 5; undone += 1) await page.keyboard.press('Control+z');
      await saved(page, 85);
      expect(await storedTags(own)).toEqual(numbers.map((number, at) => (at < 85 ? number : '')));
      await photoShown(page, 86, 90);
    });
  });

  test('when the tab is killed without a network: the next one sends them', async () => {
    const own = await deskGallery(site, 30);
    await atDesk(own, { ...WIDE, allowed: CUT }, async (page) => {
      await page.context().setOffline(true);
      await typeLines(
        page,
        Array.from({ length: 20 }, () => '10'),
      );
      await page.getByText('offline, 20 kept here').waitFor();
      const context = page.context();
      await page.close();
      await context.setOffline(false);
      const next = await context.newPage();
      await openDesk(next, own);
      await expect.poll(async () => (await storedTags(own)).join('')).toBe('10'.repeat(20));
    });
  });

  test('when the server is killed while they are sent', async () => {
    const own = await deskGallery(site, 60);
    await atDesk(own, { ...WIDE, allowed: CUT }, async (page) => {
      await typeLines(
        page,
        Array.from({ length: 30 }, () => '7'),
        50,
      );
      for (const pid of await webProcesses()) process.kill(pid, 'SIGKILL');
      await typeLines(
        page,
        Array.from({ length: 30 }, () => '10'),
        50,
      );
      await saved(page, 60);
      expect((await storedTags(own)).join(' ')).toBe(`${'7 '.repeat(30)}${'10 '.repeat(30)}`.trim());
    });
  });
});

/** The processes that listen now: the supervisor starts others in their place. */
async function webProcesses(): Promise<number[]> {
  const lines = (await site.log()).split('\n').filter((line) => line.includes('Server listening'));
  const newest = new Map(
    lines.map((line) => JSON.parse(line) as { name: string; pid: number }).map((one) => [one.name, one.pid]),
  );
  return [...newest.values()];
}

describe('against the clock', () => {
  /** A practiced volunteer: a look at the picture, a pause after each key. */
  const LOOK_MS = 800;
  const KEY_MS = 150;

  test('a practiced volunteer reaches 600 photos an hour with one number each, and 1,000 with bursts', async () => {
    const own = await deskGallery(site, 18);
    // After six single photos come four bursts of three.
    await rowsOf(
      site,
      `update photos p set exif = jsonb_build_object('model', 'X100', 'takenAt', to_char(timestamp '2020-10-03 10:00:00'
                + case when n <= 6 then n * interval '1 minute' else interval '1 hour' + (n - 7) / 3 * interval '1 minute' + (n - 7) % 3 * interval '1 second' end,
                'YYYY-MM-DD"T"HH24:MI:SS'))
         from (select id, row_number() over (order by not featured, order_key, id) as n from photos where gallery_id = $1) placed where placed.id = p.id`,
      [own.galleryId],
    );
    await atDesk(own, WIDE, async (page) => {
      await photoShown(page, 1, 18);
      const type = async (line: string, enter: string) => {
        await page.waitForTimeout(LOOK_MS);
        for (const key of line) {
          await page.keyboard.press(key);
          await page.waitForTimeout(KEY_MS);
        }
        await page.keyboard.press(enter);
      };
      const perHour = async (lines: number, enter: string, photos: number) => {
        const begun = Date.now();
        for (let at = 0; at < lines; at += 1) await type(at % 2 === 0 ? '10' : '7', enter);
        return (photos * 3_600_000) / (Date.now() - begun);
      };
      expect(await perHour(6, 'Enter', 6)).toBeGreaterThan(600);
      await photoShown(page, 7, 18);
      expect(await perHour(4, 'Shift+Enter', 12)).toBeGreaterThan(1_000);
      await page.getByText(/^18 of 18 tagged$/).waitFor();
      await saved(page, 18);
      expect((await storedTags(own)).join(' ')).toBe('10 7 10 7 10 7 10 10 10 7 7 7 10 10 10 7 7 7');
    });
  });
});

describe('with 1,400 photos', () => {
  const STEPS = 24;
  /** Processor time of the page for so many photos: keys, drawing, sending. */
  const workOf = async (photos: number): Promise<number> => {
    const own = await deskGallery(site, photos);
    let work = Number.NaN;
    await atDesk(own, WIDE, async (page) => {
      await photoShown(page, 1, photos);
      const taken = await openThreadClock(page);
      const before = await taken();
      await typeLines(
        page,
        Array.from({ length: STEPS }, (_, at) => (at % 2 === 0 ? '10' : '7')),
        100,
      );
      await photoShown(page, STEPS + 1, photos);
      await page.getByText(new RegExp(`^24 of ${photos.toLocaleString('en')} tagged · \\d+ a minute`)).waitFor();
      work = (await taken()) - before;
    });
    return work;
  };

  // The benchmark P23 has the milliseconds until the next photo is painted.
  test('⏎ takes about as much of the processor as with thirty', async () => {
    const few = await workOf(30);
    expect(await workOf(1_400)).toBeLessThan(3 * few);
  });
});
