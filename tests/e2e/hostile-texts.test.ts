/**
 * Script in everything that people may write: a real browser runs none of it, and its policy has nothing to block
 * (threat 19).
 */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwnerOf, ownGallery, type OwnGallery } from '#tests/e2e/own-gallery.ts';
import { visiting, WIDE } from '#tests/e2e/public-pages.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';

const site = useRunningSite();
const RUN = 'window.ran=1';
const PAYLOADS = [
  `<script>${RUN}</script>`,
  `"><img src=x onerror=${RUN}>`,
  `'><svg onload=${RUN}>`,
  `</title><script>${RUN}</script>`,
  `</script><script>${RUN}</script>`,
  `<!--</script>--><iframe srcdoc="<script>parent.${RUN}</script>">`,
  `" autofocus onfocus=${RUN} x="`,
  `javascript:${RUN}`,
  `<a href="javascript:${RUN}">go</a>`,
  `{{constructor.constructor('${RUN}')()}}`,
  `\${${RUN}}`,
  `<math><mtext><style><img src onerror=${RUN}></style>`,
];
let browser: Browser;
let own: OwnGallery;

beforeAll(async () => {
  browser = await launchBrowser();
  own = await ownGallery(site.port, 1);
  const { galleryId, photoIds, call } = own;
  const all = PAYLOADS.join(' ');
  await call('PUT', `/api/v1/galleries/${galleryId}`, {
    gallery: {
      name: all.slice(0, 150),
      photos_by: all.slice(150, 330),
      display_goal: true,
      target_goal: 100,
      goal_description: all.slice(0, 480),
    },
  });
  await call('PUT', `/api/v1/galleries/${galleryId}/gallery_photos/${photoIds[0]}`, {
    photo: { name: all.slice(-180) },
  });
  // No keyword has a comma or is longer than fifty characters.
  const keywords = PAYLOADS.filter((payload) => payload.length <= 50);
  await call('POST', `/api/v1/galleries/${galleryId}/add_keywords`, { photo: { id: photoIds[0], keywords } });
});
afterAll(() => browser?.close());

const PAGES = (): string[] => {
  const { galleryId, photoIds } = own;
  return [`/gallery/${galleryId}`, `/gallery/${galleryId}/photo/${photoIds[0]}`, ''];
};
const hasRun = `'ran' in window`;

test('a visitor sees it as text, in pages and lists', async () => {
  for (const path of PAGES())
    await visiting(browser, own.at(path), WIDE, async (page) => {
      page.on('dialog', () => expect.unreachable('a dialog was opened'));
      expect(await page.evaluate(hasRun), path).toBe(false);
      if (path.includes('/gallery/')) expect(await page.locator('main').textContent()).toContain(RUN);
      expect(await page.locator('main :is(iframe, [onerror], [onload], [onfocus])').count()).toBe(0);
      const links = await page.locator('a').evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).protocol));
      expect(links).not.toContain('javascript:');
    });
});

test('so do its owner and the platform admin', async () => {
  await asOwnerOf(own, browser, WIDE, async (page) => {
    for (const path of ['/dashboard', `/gallery/${own.galleryId}/edit`]) {
      await page.goto(own.at(path));
      await page
        .getByText(RUN)
        .or(page.locator(`input[value*="${RUN}"]`))
        .first()
        .waitFor();
      expect(await page.evaluate(hasRun), path).toBe(false);
    }
  });
});
