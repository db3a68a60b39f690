/** Uploads that are interrupted: a reload, a lost network, an ended session, photos that already exist. */
import sharp from 'sharp';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UPGRADE_FOR_MORE_PHOTOS } from '#src/features/photos/photos.contract.ts';
import {
  CHOSEN_AGAIN,
  knownOffer,
  photosLeftWords,
  leftOut,
  SESSION_ENDED,
  UPLOAD_SUCCESSFUL,
  WAITING_FOR_NETWORK,
} from '#src/features/uploads/upload-tray.contract.ts';
import { checkAxe, launchBrowser, listenForComplaints, scrollsSideways, VIEWPORTS } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { stampPhoto } from '#tests/support/stamped-photo.ts';
import { callFrom, signUpVolunteer, type Volunteer } from '#tests/support/volunteer.ts';

const site = useRunningSite();
let browser: Browser;
let plain: Buffer;
beforeAll(async () => {
  browser = await launchBrowser();
  plain = await sharp({ create: { width: 300, height: 200, channels: 3, background: { r: 40, g: 120, b: 90 } } })
    .jpeg()
    .toBuffer();
});
afterAll(() => browser?.close());

const WIDE: BrowserContextOptions = { viewport: VIEWPORTS.desktop, reducedMotion: 'reduce' };
const PHONE: BrowserContextOptions = {
  viewport: VIEWPORTS.phone,
  hasTouch: true,
  isMobile: true,
  reducedMotion: 'reduce',
};

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';

/** A volunteer's editor; no errors are allowed except those in `allowed`. */
async function uploading(
  options: BrowserContextOptions & { allowed?: RegExp },
  work: (page: Page, volunteer: Volunteer) => Promise<void>,
): Promise<void> {
  const { allowed, ...contextOptions } = options;
  const context = await browser.newContext(contextOptions);
  try {
    const page = await context.newPage();
    const complaints = listenForComplaints(page);
    // Leaving during an upload asks first.
    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto(site.url('/support', 'www'));
    const volunteer = await signUpVolunteer(page);
    await page.goto(site.url(volunteer.editor, 'www'));
    await work(page, volunteer);
    expect(complaints().filter((line) => !allowed?.test(line))).toEqual([]);
  } finally {
    await context.close();
  }
}

/** Photos taken a minute apart; their names do not show it. */
const photos = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({
    name: `IMG_${((from + index) * 7) % 10}_${from + index}.jpg`,
    mimeType: 'image/jpeg',
    buffer: stampPhoto(plain, new Date(Date.UTC(2026, 8, 12, 14, from + index)), from + index),
  }));
const choose = (page: Page, some: ReturnType<typeof photos>) => page.getByLabel('Photos to upload').setInputFiles(some);
const tray = (page: Page) => page.getByRole('region', { name: 'Uploads' });

type Listed = { name: string; status: string };
async function readyNames(page: Page, { galleryId }: Volunteer): Promise<string[]> {
  const answer = await callFrom<{ photos: Listed[] }>(
    page,
    'GET',
    `/api/v1/galleries/${galleryId}/gallery_photos?limit=100`,
  );
  return answer.photos.filter(({ status }) => status === 'ready').map(({ name }) => name);
}
const expectPhotos = (page: Page, volunteer: Volunteer, names: string[]) =>
  expect.poll(() => readyNames(page, volunteer), { interval: 300 }).toEqual(names);
const namesOf = (some: ReturnType<typeof photos>) => some.map(({ name }) => name);
/** Opening a database that the product has not made yet would create an empty one. */
const keptFiles = (page: Page) =>
  page.evaluate(async () => {
    const databases = await indexedDB.databases();
    if (!databases.some(({ name }) => name === 'sideline-uploads')) return 0;
    return new Promise<number>((resolve) => {
      const opening = indexedDB.open('sideline-uploads');
      opening.addEventListener('success', () => {
        const counting = opening.result.transaction('files').objectStore('files').count();
        counting.addEventListener('success', () => {
          opening.result.close();
          resolve(counting.result);
        });
      });
    });
  });

describe('uploads', () => {
  test('continue after a reload, in capture order, and send nothing twice', async () => {
    // The first call after a reload, whether a photo had arrived completely, is answered by 422 if it had not.
    await uploading({ ...WIDE, allowed: /422/ }, async (page, volunteer) => {
      const all = photos(6);
      let sent = 0;
      let isOpen = false;
      // Three arrive; the others are being sent when the page closes.
      await page.route('**/storage', (route) => (isOpen || ++sent <= 3 ? route.continue() : undefined));
      await choose(page, all.toReversed());
      await tray(page).getByText('Uploaded 3 of 6').waitFor();
      await expect.poll(() => keptFiles(page)).toBe(3);
      // The tray is at the bottom right, one line high, not over the photos.
      await expect.poll(() => tray(page).getByRole('listitem').count()).toBe(0);
      // Counted from here on: on a slow machine the tray tries them again before the page is reloaded.
      const again: string[] = [];
      page.on('request', (request) => request.url().endsWith('/storage') && again.push(request.url()));
      isOpen = true;
      await page.reload();
      await expectPhotos(page, volunteer, namesOf(all));
      expect(again).toHaveLength(3);
      // The count survives the reload: not "3 of 3".
      await expect.poll(() => tray(page).getByRole('heading').allTextContents()).toEqual(['6 photos are in']);
      await expect.poll(() => keptFiles(page)).toBe(0);
    });
  });

  test('wait for the network and continue automatically, on a phone', async () => {
    await uploading(
      { ...PHONE, allowed: /ERR_INTERNET_DISCONNECTED|Failed to load resource/ },
      async (page, volunteer) => {
        await choose(page, photos(1));
        await page.getByText(UPLOAD_SUCCESSFUL, { exact: true }).waitFor();
        await expectPhotos(page, volunteer, namesOf(photos(1)));
        await page.context().setOffline(true);
        await choose(page, photos(3, 1));
        await tray(page).getByText(WAITING_FOR_NETWORK).waitFor();
        expect(await checkAxe(page)).toEqual([]);
        expect(await scrollsSideways(page)).toBe(false);
        await page.context().setOffline(false);
        await expectPhotos(page, volunteer, [...namesOf(photos(3, 1)), ...namesOf(photos(1))]);
      },
    );
  });

  test('wait while the session has ended, and continue after a login in another tab', async () => {
    await uploading({ ...WIDE, allowed: /401/ }, async (page, volunteer) => {
      await page.context().clearCookies();
      await choose(page, photos(2));
      await tray(page).getByText(SESSION_ENDED).waitFor();
      expect(await checkAxe(page)).toEqual([]);
      const [login] = await Promise.all([
        page.context().waitForEvent('page'),
        tray(page).getByRole('link', { name: 'Log In' }).click(),
      ]);
      await login.waitForURL(({ pathname }) => pathname === '/login');
      await login.getByLabel('Email').fill(volunteer.email);
      await login.getByLabel('Password').fill(volunteer.password);
      await login.getByRole('button', { name: 'Login' }).click();
      await login.waitForURL(({ pathname }) => pathname.endsWith('/dashboard'));
      await expectPhotos(login, volunteer, namesOf(photos(2)));
    });
  });

  test('are stopped and deleted by logging out', async () => {
    await uploading(WIDE, async (page) => {
      await page.route('**/storage', () => undefined);
      await choose(page, photos(3));
      await expect.poll(() => keptFiles(page)).toBe(3);
      await page.evaluate(() => {
        const { __reactRouterDataRouter: router } = window as unknown as {
          __reactRouterDataRouter: { navigate: (to: string) => void };
        };
        router.navigate('/logout');
      });
      await page.getByRole('link', { name: 'Log in again' }).waitFor();
      await tray(page).waitFor({ state: 'detached' });
      await expect.poll(() => keptFiles(page)).toBe(0);
    });
  });
});

describe('photos that are already in the gallery', () => {
  test('are skipped while others are uploaded, and are uploaded again on demand', async () => {
    await uploading(WIDE, async (page, volunteer) => {
      const first = photos(2);
      await choose(page, first);
      await expectPhotos(page, volunteer, namesOf(first));
      await page.reload();
      // The same bytes under another name, and twice among the new ones.
      const fresh = photos(2, 2);
      const twins = [...first, ...fresh.slice(0, 1)].map((photo) => ({ ...photo, name: `copy of ${photo.name}` }));
      await choose(page, [...fresh, ...twins]);
      await tray(page).getByRole('heading', { name: '2 photos are in' }).waitFor();
      await tray(page).getByText('3 already here, skipped').waitFor();
      await expectPhotos(page, volunteer, [...namesOf(fresh), ...namesOf(first)]);
      await tray(page).getByRole('button', { name: 'Show files' }).click();
      await tray(page).getByText(knownOffer(3)).waitFor();
      await tray(page).getByText(CHOSEN_AGAIN).waitFor();
      expect(await checkAxe(page)).toEqual([]);
      await tray(page)
        .getByRole('button', { name: `Upload again: copy of ${first[0]?.name}` })
        .click();
      await expect.poll(async () => (await readyNames(page, volunteer)).length).toBe(5);
      await tray(page).getByRole('heading', { name: '3 photos are in' }).waitFor();
    });
  });
});

test('the start guide leads from a gallery without photos to sharing, and disappears after the first visit', async () => {
  await uploading(PHONE, async (page, volunteer) => {
    const guide = page.getByRole('region', { name: 'Three steps to your first sale' });
    const dashboard = site.url(`/${volunteer.club}/dashboard`, 'www');
    await page.goto(dashboard);
    await guide.getByRole('link', { name: 'Add photos' }).click();
    // What is left of the free plan is shown before anything is chosen.
    await page.getByText(photosLeftWords(500, 500)).waitFor();
    await choose(page, photos(1));
    await tray(page).getByRole('heading', { name: '1 photo is in' }).waitFor();
    await expectPhotos(page, volunteer, namesOf(photos(1)));
    await page.goto(dashboard);
    await guide.getByRole('link', { name: 'Share gallery' }).click();
    await page.getByRole('button', { name: 'Copy link' }).waitFor();

    // A headless browser counts as a robot, whose visits are not counted.
    const family = await (await browser.newContext({ ...PHONE, userAgent: IPHONE })).newPage();
    await family.goto(site.url(`/${volunteer.club}/gallery/${volunteer.galleryId}`, 'www'));
    await expect
      .poll(
        async () => {
          await page.goto(dashboard);
          await page.getByRole('heading', { name: 'Last 30 days' }).waitFor();
          return guide.count();
        },
        { interval: 500 },
      )
      .toBe(0);
    await family.context().close();
  });
});

test('a phone stays awake during uploads, and its tiles show the photos immediately', async () => {
  await uploading(PHONE, async (page, volunteer) => {
    await page.evaluate(() => {
      const screen = { asked: 0, released: 0 };
      Object.assign(window, { screenLocks: screen });
      const lock = { released: false, release: () => Promise.resolve(void screen.released++) };
      navigator.wakeLock.request = () => {
        screen.asked++;
        return Promise.resolve(lock as unknown as WakeLockSentinel);
      };
    });
    const locks = () => page.evaluate(() => ({ ...(window as unknown as { screenLocks: object }).screenLocks }));
    let goOn = () => {};
    const held = new Promise<void>((resolve) => (goOn = resolve));
    await page.route('**/storage', async (route) => {
      await held;
      await route.continue();
    });
    await choose(page, photos(2));
    await expect.poll(locks).toEqual({ asked: 1, released: 0 });
    goOn();
    await tray(page).getByRole('heading', { name: '2 photos are in' }).waitFor();
    await expect.poll(locks).toEqual({ asked: 1, released: 1 });
    // The tile's background is the file itself, drawn in the browser.
    const tiles = page.getByRole('list', { name: 'Photos', exact: true }).getByRole('listitem');
    await expect
      .poll(() =>
        tiles.evaluateAll((all) => all.map((tile) => getComputedStyle(tile).backgroundImage.startsWith('url("blob:'))),
      )
      .toEqual([true, true]);
    await expectPhotos(page, volunteer, namesOf(photos(2)));
  });
});

test('the limit of the free plan leads to the upgrade; a file that is not an image is left out', async () => {
  await uploading({ ...PHONE, allowed: /403/ }, async (page, volunteer) => {
    await page.route('**/api/v1/policy*', (route) =>
      route.fulfill({ status: 403, json: { error: UPGRADE_FOR_MORE_PHOTOS, errors: {} } }),
    );
    await choose(page, photos(5));
    await tray(page).getByRole('heading', { name: '5 not uploaded' }).waitFor();
    const upgrade = tray(page).getByRole('link', { name: 'Upgrade' });
    await expect.poll(() => upgrade.getAttribute('href')).toContain(`/${volunteer.club}/upgrade-account`);
    await tray(page).getByText(UPGRADE_FOR_MORE_PHOTOS).first().waitFor();
    expect(await checkAxe(page)).toEqual([]);
    expect(await scrollsSideways(page)).toBe(false);
    await page.getByRole('button', { name: 'Close uploads' }).click();

    const transfer = await page.evaluateHandle(() => {
      const data = new DataTransfer();
      data.items.add(new File(['a;b'], 'players.csv', { type: 'text/csv' }));
      data.items.add(new File(['x'], 'clip.mp4', { type: 'video/mp4' }));
      return data;
    });
    for (const type of ['dragenter', 'dragover', 'drop'])
      await page.dispatchEvent('main', type, { dataTransfer: transfer });
    await page.getByText(leftOut(2)).waitFor();
    await expect.poll(() => tray(page).count()).toBe(0);
  });
});
