/** The limit of all requests of one sender, pictures included: it slows down copying of whole galleries. */
import { expect, test } from 'vitest';
import { openGallery, settleNeighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

/** A hundredth of the usual limit: thirty requests a minute. */
const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '0.01' } });

test('an address that asks for too many pictures has to wait, and no other address', async () => {
  const ask = (remoteAddress: string) =>
    server.call({ method: 'GET', url: '/api/v1/galleries/1/gallery_photos/1', remoteAddress });
  const answers = await Promise.all(Array.from({ length: 40 }, () => ask('203.0.113.5')));
  const refused = answers.filter(({ statusCode }) => statusCode === 429);
  expect(answers.filter(({ statusCode }) => statusCode === 404).length).toBeGreaterThanOrEqual(30);
  expect(refused.length).toBeGreaterThan(0);
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
  expect((await ask('203.0.113.6')).statusCode).toBe(404);
});

test('answers from the cache count, too', async () => {
  const { tokens, hawks } = await settleNeighborhood(server);
  const galleryId = await openGallery(server, tokens.owner, hawks.id);
  const ask = () =>
    server.call({
      method: 'GET',
      url: `/api/v1/galleries/${galleryId}/gallery_photos`,
      remoteAddress: '203.0.113.7',
    });
  for (let times = 0; times < 2; times++) await ask();
  const answers = await Promise.all(Array.from({ length: 40 }, ask));
  expect(answers.filter(({ headers }) => headers.etag !== undefined).length).toBeGreaterThan(20);
  expect(answers.filter(({ statusCode }) => statusCode === 429).length).toBeGreaterThan(0);
});
