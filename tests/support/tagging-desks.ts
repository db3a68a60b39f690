/** A gallery with a roster of invented players, as the tagging desk opens it; and robots that type in it. */
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { ownGallery, type OwnGallery } from '#tests/e2e/own-gallery.ts';
import type { RunningSite } from '#tests/support/running-site.ts';
import { multiplyPhoto } from '#tests/support/site-database.ts';

type Player = { name: string; number: string | null; consent?: string };

/** Makes a season with these teams, who play in the gallery in this order. */
export async function addTeams(own: OwnGallery, teams: Record<string, readonly Player[]>): Promise<void> {
  const below = `/api/v1/affiliates/${own.affiliateId}`;
  const season = await own.call<{ id: number }>('POST', `${below}/seasons`, {
    season: { name: `Fall ${randomUUID().slice(0, 8)}`, first_day: '2020-01-01', last_day: '2021-12-31' },
  });
  const ids: number[] = [];
  for (const [name, players] of Object.entries(teams)) {
    const team = await own.call<{ id: number }>('POST', `${below}/teams`, { team: { season_id: season.id, name } });
    ids.push(team.id);
    for (const { name: full, number, consent = 'yes' } of players) {
      const [first_name = '', last_name = ''] = full.split(' ');
      const athlete = { first_name, last_name, consent, entries: [{ team_id: team.id, number }] };
      await own.call('POST', `${below}/athletes`, { athlete });
    }
  }
  await own.call('PUT', `/api/v1/galleries/${own.galleryId}/teams`, { team_ids: ids });
}

type Tagged = { tags: { number: string | null }[]; checked: boolean };

/**
 * What the server has stored, in the gallery's order: numbers of each photo from the smallest, `-` for no one to name.
 */
export async function storedTags(own: OwnGallery): Promise<string[]> {
  const stored: string[] = [];
  let after: string | null = null;
  do {
    const query: string = after === null ? '' : `&after=${encodeURIComponent(after)}`;
    const page: { photos: Tagged[]; next: string | null } = await own.call(
      'GET',
      `/api/v1/galleries/${own.galleryId}/tagging?limit=100${query}`,
    );
    for (const { tags, checked } of page.photos)
      stored.push(
        checked
          ? '-'
          : tags
              .map(({ number }) => Number(number))
              .toSorted((one, other) => one - other)
              .join(' '),
      );
    after = page.next;
  } while (after !== null);
  return stored;
}

export async function openDesk(page: Page, own: OwnGallery): Promise<void> {
  await page.goto(own.at(`/gallery/${own.galleryId}/tag`));
  await page.getByLabel('Who is on this photo?').waitFor();
}

/** Types lines, each at its time. @param everyMs between the beginnings of two lines */
export async function typeLines(page: Page, lines: readonly string[], everyMs = 0): Promise<void> {
  const begun = Date.now();
  for (const [at, line] of lines.entries()) {
    const early = begun + at * everyMs - Date.now();
    if (early > 0) await page.waitForTimeout(early);
    await page.keyboard.type(line);
    await page.keyboard.press('Enter');
  }
}

/** Counts, in the page itself, the milliseconds from each ⏎ until another photo is painted. */
export async function countStepTimes(page: Page): Promise<void> {
  await page.evaluate(() => {
    const counted = window as unknown as { stepTimes: number[] };
    counted.stepTimes = [];
    const shown = () => document.querySelector<HTMLImageElement>('.desk-stage img[data-photo]:not([data-waits])');
    document.addEventListener(
      'keydown',
      ({ key, timeStamp }) => {
        if (key !== 'Enter') return;
        const before = shown()?.dataset['photo'];
        const look = () => {
          const image = shown();
          const isNew = image?.dataset['photo'] !== before && image?.complete === true && image.naturalWidth > 0;
          if (!isNew && performance.now() - timeStamp < 5_000) return void requestAnimationFrame(look);
          // What is drawn in this frame is painted before the next one begins.
          requestAnimationFrame(() => counted.stepTimes.push(performance.now() - timeStamp));
        };
        requestAnimationFrame(look);
      },
      { capture: true },
    );
  });
}

export const stepTimes = (page: Page): Promise<number[]> =>
  page.evaluate(() => (window as unknown as { stepTimes: number[] }).stepTimes);

/** Processor time that the page's own thread has taken so far, drawing included, in milliseconds: other work on the machine does not change it. */
export async function openThreadClock(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000;
  };
}

/** A percentile: the value below which this many of a hundred are. */
export function percentile(values: readonly number[], of: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil((of / 100) * sorted.length) - 1)] ?? Number.NaN;
}

export const HAWKS = [
  { name: 'Maya Rivera', number: '10' },
  { name: 'Leo Park', number: '7' },
  { name: 'Ada Lindqvist', number: '23', consent: 'no' },
];
export const TIDES = [{ name: 'Kai Brandt', number: '10' }];

/** One photo is uploaded, the others are copies: uploading has tests of its own. */
export async function deskGallery(
  site: RunningSite,
  photos: number,
  teams: Parameters<typeof addTeams>[1] = { Hawks: HAWKS },
): Promise<OwnGallery> {
  const own = await ownGallery(site.port, 1);
  await multiplyPhoto(site, own.photoIds[0] ?? 0, photos - 1);
  await addTeams(own, teams);
  // The owner says that none of the children is in these photos.
  const hold = `/api/v1/galleries/${own.galleryId}/hold`;
  const { through } = await own.call<{ through: string | null }>('GET', hold);
  if (through !== null) await own.call('POST', `${hold}/none`, { through });
  return own;
}
