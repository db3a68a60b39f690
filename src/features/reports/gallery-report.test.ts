/** A gallery's report for its owner, and the visits it counts, over HTTP, for every caller. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { GalleryReport } from '#src/features/reports/reports.contract.ts';
import { machineDay } from '#src/shared/dates.ts';
import { addDays } from '#src/shared/day-range.ts';
import { buyPhotos, openSale, type ForSale } from '#tests/support/bought-photos.ts';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { reportCharge } from '#tests/support/refunds.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;
let final: ForSale;
let other: ForSale;
const PERSON =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Mobile/15E148 Safari/604.1';
const ROBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const today = (): string => machineDay(new Date());

beforeAll(async () => {
  people = await settleNeighborhood(server);
  final = await openSale(server, people.tokens.owner, people.hawks.id, { photos: 3 });
  other = await openSale(server, people.tokens.owner, people.hawks.id, { name: 'Training', priceDollars: 7 });
});

type From = { as?: string | null; agent?: string; ip?: string };
const visit = (id: number | string, { as = null, agent = PERSON, ip = '203.0.113.7' }: From = {}) =>
  server.call({
    method: 'POST',
    url: `/api/v1/galleries/${id}/visits`,
    as,
    headers: { 'user-agent': agent },
    remoteAddress: ip,
  });
const ask = (id: number, as: string | null, query = '') =>
  server.call({ method: 'GET', url: `/api/v1/galleries/${id}/report${query}`, as });
async function report(id: number, days: '30' | 'all' = '30'): Promise<GalleryReport> {
  const answer = await ask(id, people.tokens.owner, `?days=${days}`);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<GalleryReport>();
}

describe('visits', () => {
  test('are counted for visitors, by day, and neither for members nor for robots', async () => {
    for (let times = 0; times < 3; times++) {
      const answer = await visit(final.galleryId);
      expect([answer.statusCode, answer.body, answer.headers['set-cookie']]).toEqual([204, '', undefined]);
    }
    await visit(final.galleryId, { as: people.tokens.neighbor });
    for (const as of [people.tokens.owner, people.tokens.parentMember, people.tokens.admin])
      expect((await visit(final.galleryId, { as })).statusCode).toBe(204);
    for (const agent of [ROBOT, '']) expect((await visit(final.galleryId, { agent })).statusCode).toBe(204);
    const { totals, steps } = await report(final.galleryId);
    expect(totals.visits).toBe(4);
    expect(steps.at(-1)).toMatchObject({ day: today(), visits: 4 });
    expect(steps).toHaveLength(30);
    expect((await report(other.galleryId)).totals.visits).toBe(0);
  });

  test('many at once are all counted', async () => {
    const gallery = await openSale(server, people.tokens.owner, people.hawks.id, { name: 'Rush' });
    await Promise.all(Array.from({ length: 20 }, () => visit(gallery.galleryId, { ip: '198.51.100.20' })));
    expect((await report(gallery.galleryId)).totals.visits).toBe(20);
  });

  test('of a gallery that no one may see are not counted, and each address has a limit', async () => {
    for (const id of [9_999_999, 'abc', '0']) expect((await visit(id)).statusCode).toBe(404);
    const gallery = await openSale(server, people.tokens.owner, people.hawks.id, { name: 'Locked' });
    const change = (fields: object) =>
      server.call({
        method: 'PUT',
        url: `/api/v1/galleries/${gallery.galleryId}`,
        as: people.tokens.owner,
        payload: { gallery: fields },
      });
    await change({ password_required: true, password: 'goalkeeper' });
    expect((await visit(gallery.galleryId)).statusCode).toBe(204);
    expect((await report(gallery.galleryId)).totals.visits).toBe(0);
    await change({ password_required: false });
    const rush = await Promise.all(Array.from({ length: 200 }, () => visit(gallery.galleryId, { ip: '198.51.100.9' })));
    expect(new Set(rush.map(({ statusCode }) => statusCode))).toEqual(new Set([204]));
    const { visits } = (await report(gallery.galleryId)).totals;
    expect(visits).toBeGreaterThanOrEqual(120);
    expect(visits).toBeLessThan(200);
  });
});

describe('a gallery’s report', () => {
  test('shows its sales and donations net of refunds, its likes and votes, and its best sellers', async () => {
    const [first, second, third] = final.photoIds as [number, number, number];
    const both = { ...final, photoIds: [first, second] };
    const old = await buyPhotos(server, [{ ...final, photoIds: [second] }]);
    await server.data.ownerQuery("update orders set paid_at = paid_at - interval '40 days' where vanity_id = $1", [
      old,
    ]);
    await buyPhotos(server, [both, other], { donation: '$5.00' });
    await buyPhotos(server, [{ ...final, photoIds: [second] }]);
    const partly = await buyPhotos(server, [{ ...final, photoIds: [third] }, other]);
    await reportCharge(server, partly, { refundedCents: 550 });
    const gone = await buyPhotos(server, [{ ...final, photoIds: [first] }]);
    await reportCharge(server, gone, { refundedCents: 400 });
    await server.data.ownerQuery(
      `insert into photo_likes (photo_id, visitor_id, created_at) values ($1, $2, now()), ($1, $3, now() - interval '40 days')`,
      [first, randomUUID(), randomUUID()],
    );
    await server.data.ownerQuery('insert into photo_votes (photo_id, visitor_id) values ($1, $2)', [
      first,
      randomUUID(),
    ]);

    const month = await report(final.galleryId);
    expect(month.unit).toBe('day');
    expect(month.totals).toMatchObject({ orders: 3, photos: 4, sales: 14, donations: 5, likes: 1, votes: 1 });
    expect(month.best_sellers.map(({ id, sold, sales }) => [id, sold, sales])).toEqual([
      [second, 2, 8],
      [first, 1, 4],
      [third, 1, 2],
    ]);
    expect(month.best_sellers[0]?.image_url).toContain(`/gallery_photos/${second}?v=`);

    const ever = await report(final.galleryId, 'all');
    expect(ever.totals).toMatchObject({ orders: 4, photos: 5, sales: 18, donations: 5, likes: 2 });
    expect(ever.steps.map(({ day }) => day)).toEqual(
      Array.from({ length: ever.steps.length }, (_, index) => addDays(today(), index + 1 - ever.steps.length)),
    );
    expect(ever.best_sellers[0]).toMatchObject({ id: second, sold: 3, sales: 12 });
    expect((await report(other.galleryId)).totals).toMatchObject({ sales: 10.5, donations: 0, photos: 2 });
  });

  test('is for its members only', async () => {
    expect((await ask(final.galleryId, null)).statusCode).toBe(401);
    for (const as of [people.tokens.neighbor, people.tokens.foreigner])
      expect((await ask(final.galleryId, as)).statusCode).toBe(404);
    for (const as of [people.tokens.parentMember, people.tokens.admin])
      expect((await ask(final.galleryId, as)).statusCode).toBe(200);
    const wrong = await ask(final.galleryId, people.tokens.owner, '?days=7');
    expect([wrong.statusCode, wrong.json<{ errors: object }>().errors]).toEqual([
      422,
      { days: ['Please choose 30 or all.'] },
    ]);
  });

  test('of a gallery without activity has thirty empty days', async () => {
    const quiet = await openSale(server, people.tokens.neighbor, people.tides.id);
    const answer = (await ask(quiet.galleryId, people.tokens.neighbor, '?days=all')).json<GalleryReport>();
    expect(answer.steps).toHaveLength(30);
    expect(answer.totals).toEqual({ orders: 0, photos: 0, sales: 0, donations: 0, likes: 0, votes: 0, visits: 0 });
    expect(answer.best_sellers).toEqual([]);
  });
});
