/** P23: how soon the tagging desk paints the next of 1,400 photos after ⏎, at four photos a second. */
import { readFile } from 'node:fs/promises';
import { TOKEN_COOKIE } from '#src/http/cookies.ts';
import { withClient } from '#src/platform/db/client.ts';
import { cameraPhotos } from '#tests/load/camera-photos.ts';
import { makeGallery, type MadeGallery } from '#tests/load/made-gallery.ts';
import { makeOwner } from '#tests/load/made-owner.ts';
import { UNCACHED } from '#tests/load/open-bench.ts';
import { median } from '#tests/load/process-cpu.ts';
import type { Product } from '#tests/load/product.ts';
import type { BenchRow } from '#tests/load/rows.ts';
import { launchBrowser, VIEWPORTS } from '#tests/support/browser.ts';
import { copyPhoto } from '#tests/support/site-database.ts';
import { countStepTimes, percentile, stepTimes, typeLines } from '#tests/support/tagging-desks.ts';

const PHOTOS = 1_400;
const STEPS = 150;
const EVERY_MS = 250;

/** A ready gallery whose photos are copies of one, with a team of one player who wears 10. */
async function makeDesk(product: Product, file: string): Promise<{ made: MadeGallery; authorization: string }> {
  const made = await makeGallery(product.ownerUrl, 0);
  const owner = await makeOwner(product, made.organizationId);
  const key = await owner.store(made.galleryId, await readFile(file), 'bench.jpg');
  const photoId = await owner.claim(made.galleryId, key);
  while (!(await owner.isReady(made.galleryId, photoId))) await new Promise((resolve) => setTimeout(resolve, 200));
  await copyPhoto(product.ownerUrl, photoId, PHOTOS - 1);
  await withClient(product.ownerUrl, (client) =>
    client.query(
      `with season as (insert into seasons (organization_id, name, first_day, last_day) values ($1, 'Bench', '2020-01-01', '2030-01-01') returning id),
            team as (insert into teams (organization_id, season_id, name, short_name) select $1, id, 'Bench', 'Bench' from season returning id),
            plays as (insert into gallery_teams (gallery_id, team_id, organization_id) select $2, id, $1 from team),
            player as (insert into athletes (organization_id, first_name, last_name, folded_name, consent) values ($1, 'Bench', 'Player', 'bench player', 'yes') returning id)
       insert into entries (organization_id, athlete_id, team_id, number) select $1, player.id, team.id, '10' from player, team`,
      [made.organizationId, made.galleryId],
    ),
  );
  return { made, authorization: owner.authorization };
}

export const taggingRow: BenchRow = {
  name: 'P23',
  what: 'tagging: ⏎ until the next of 1,400 photos is painted',
  notQuick: 'a camera file, and a minute of typing',
  measure: async (bench) => {
    const product = await bench.product(UNCACHED);
    const [file = ''] = await cameraPhotos(bench);
    const { made, authorization } = await makeDesk(product, file);
    const browser = await launchBrowser({ endsBySignals: false });
    const context = await browser.newContext({ viewport: VIEWPORTS.desktop });
    try {
      const value = authorization.replace('Bearer ', '');
      await context.addCookies([{ name: TOKEN_COOKIE, value, url: product.url, httpOnly: true }]);
      const page = await context.newPage();
      await page.goto(`${product.url}/${made.domainName}/gallery/${made.galleryId}/tag`, { waitUntil: 'networkidle' });
      await countStepTimes(page);
      await typeLines(
        page,
        Array.from({ length: STEPS }, () => '10'),
        EVERY_MS,
      );
      await page.getByText(`${STEPS} tagged, all saved`).waitFor();
      const times = await stepTimes(page);
      return {
        figures: { 'p95, ms': { value: percentile(times, 95), must: 150, aim: 100 } },
        details: { 'median ms': median(times), 'slowest ms': Math.max(...times), steps: times.length },
      };
    } finally {
      await context.close();
    }
  },
};
