/**
 * Public pictures through a CDN, as a browser loads them: from another site, and from ours again once an address has
 * expired.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '#tests/load/product.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { CDN_TOKEN, FakeCdn } from '#tests/support/fake-cdn.ts';
import { openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { addPhoto, untilDecided } from '#tests/support/photo-uploads.ts';
import { quartersJpeg } from '#tests/support/pictures.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const env: Record<string, string> = { CDN_PURGE_TOKEN: CDN_TOKEN, CDN_PURGE_PRIVATE: '1' };
const cdn = new FakeCdn();
const late = { ms: 0 };
let port = 0;
beforeAll(async () => {
  port = await freePort();
  const address = await cdn.start();
  Object.assign(env, { PORT: String(port), PICTURES_CDN_URL: address, CDN_PURGE_URL: `${address}/purge` });
});
const server = useTestServer({ env, works: true, pages: true, clock: { now: () => new Date(Date.now() + late.ms) } });

let people: Neighborhood;
let browser: Browser;
let gallery: string;
beforeAll(async () => {
  cdn.origin = async (path) => {
    const answer = await server.call({ method: 'GET', url: path, headers: { host: 'pictures.example' } });
    return {
      status: answer.statusCode,
      headers: answer.headers as Record<string, string>,
      body: answer.rawPayload,
    };
  };
  people = await settleNeighborhood(server);
  const { owner } = people.tokens;
  const galleryId = await openGallery(server, owner, people.hawks.id);
  const { id } = await addPhoto(server, owner, galleryId, { bytes: await quartersJpeg(1800, 1200), name: 'Kickoff' });
  await untilDecided(server, owner, galleryId, [id]);
  gallery = `http://${people.parent.path}.sideline.localhost:${port}/${people.hawks.path}/gallery/${galleryId}`;
  await server.built.server.listen({ port, host: '127.0.0.1' });
  browser = await launchBrowser();
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await cdn.stop();
});

/** Where the largest picture on the screen comes from, once it is painted. */
const shownFrom = (page: Page) =>
  page.evaluate(() => {
    const drawn = [...document.images].filter((image) => image.complete && image.naturalWidth > 0);
    return drawn.sort((a, b) => b.clientWidth - a.clientWidth)[0]?.currentSrc ?? '';
  });

test('a visitor’s pictures come from the CDN, and the cart stores our own addresses', async () => {
  const page = await browser.newPage();
  const refused: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && refused.push(message.text())));
  await page.goto(gallery);
  await expect.poll(() => shownFrom(page)).toMatch(new RegExp(`^${env['PICTURES_CDN_URL']}/api/v1/pictures/`));
  await page.getByRole('button', { name: /cart/i }).first().click();
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('cartItems') ?? ''))
    .toContain('"image_url":"/api/v1/');
  expect(refused).toEqual([]);
  await page.close();
});

test('a page that is open for longer than its addresses are valid gets its pictures from us', async () => {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(gallery);
  await expect.poll(() => shownFrom(page)).toContain('/api/v1/pictures/');
  late.ms = 301_000;
  const sentOn = page.waitForResponse((answer) => answer.url().startsWith(`http://www.sideline.localhost:${port}/`));
  await page
    .getByRole('link', { name: /Kickoff/ })
    .first()
    .click();
  expect((await sentOn).status()).toBe(200);
  await expect
    .poll(() => page.evaluate(() => [...document.images].every((image) => image.naturalWidth > 0)))
    .toBe(true);
  late.ms = 0;
  await page.close();
});
