/** Sponsors' banners, over HTTP: what counts, what does not, and where a click leads. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { SponsorCount } from '#src/features/branding/sponsors.contract.ts';
import { sponsorLink } from '#src/features/branding/sponsors.rules.ts';
import { settleAnother, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;
const PERSON =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Mobile/15E148 Safari/604.1';
const ROBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

beforeAll(async () => {
  people = await settleNeighborhood(server);
  await giveBanners(people.hawks.id);
});

const giveBanners = (id: number) =>
  server.data.ownerQuery(
    `update organizations set tablet_ad_key = 'a/tablet.png', tablet_ad_url = 'https://bakery.example/?from=hawks',
       mobile_ad_key = 'a/mobile.png', mobile_ad_url = 'javascript:alert(1)' where id = $1`,
    [id],
  );

type From = { as?: string | null; agent?: string; ip?: string };
const see = (id: number, slot: unknown, { as = null, agent = PERSON, ip = '203.0.113.7' }: From = {}) =>
  server.call({
    method: 'POST',
    url: `/api/v1/organizations/${id}/sponsor_views`,
    as,
    headers: { 'user-agent': agent },
    payload: { slot },
    remoteAddress: ip,
  });
const press = (id: number, slot: string, { as = null, agent = PERSON }: From = {}) =>
  server.call({
    method: 'GET',
    url: `/api/v1/organizations/${id}/sponsors/${slot}`,
    as,
    headers: { 'user-agent': agent },
  });
const counts = async (as: string | null = people.tokens.owner) =>
  server.call({ method: 'GET', url: `/api/v1/organizations/${people.hawks.id}/sponsors`, as });

describe('a sponsor’s banner', () => {
  test('is counted by position and day for visitors, and neither for its members nor for robots', async () => {
    for (const slot of ['tablet', 'tablet', 'mobile']) {
      const answer = await see(people.hawks.id, slot);
      expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([204, undefined]);
    }
    // A member of another club is a visitor here.
    await see(people.hawks.id, 'mobile', { as: people.tokens.neighbor });
    for (const as of [people.tokens.owner, people.tokens.parentMember, people.tokens.admin])
      expect((await see(people.hawks.id, 'tablet', { as })).statusCode).toBe(204);
    for (const agent of [ROBOT, '']) expect((await see(people.hawks.id, 'tablet', { agent })).statusCode).toBe(204);
    const followed = await press(people.hawks.id, 'tablet');
    expect([followed.statusCode, followed.headers['location'], followed.headers['set-cookie']]).toEqual([
      302,
      'https://bakery.example/?from=hawks',
      undefined,
    ]);
    expect((await press(people.hawks.id, 'tablet', { agent: ROBOT })).statusCode).toBe(302);
    expect((await press(people.hawks.id, 'tablet', { as: people.tokens.owner })).statusCode).toBe(302);
    const rows = (await counts()).json<SponsorCount[]>();
    expect(rows.map(({ slot, impressions, clicks }) => [slot, impressions, clicks])).toEqual([
      ['mobile', 2, 0],
      ['tablet', 2, 1],
    ]);
    expect(rows[0]?.day).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  test('leads nowhere but to a stored web address', async () => {
    for (const [id, slot] of [
      [people.hawks.id, 'mobile'],
      [people.tides.id, 'tablet'],
      [9_999_999, 'tablet'],
    ] as const)
      expect((await press(id, slot)).statusCode).toBe(404);
    expect((await press(people.hawks.id, 'wide')).statusCode).toBe(404);
  });

  test('that does not exist is not counted', async () => {
    expect((await see(people.tides.id, 'tablet')).statusCode).toBe(404);
    expect((await see(people.hawks.id, 'wide')).statusCode).toBe(422);
  });

  test('shows its counts to members only', async () => {
    expect((await counts(null)).statusCode).toBe(401);
    expect((await counts(people.tokens.neighbor)).statusCode).toBe(404);
    expect((await counts(people.tokens.parentMember)).statusCode).toBe(200);
  });

  test('is rate-limited for each address', async () => {
    const { hawks } = await settleAnother(server);
    await giveBanners(hawks.id);
    const statuses: number[] = [];
    for (let times = 0; times < 125; times++)
      statuses.push((await see(hawks.id, 'mobile', { ip: '198.51.100.9' })).statusCode);
    expect(statuses.slice(0, 100).every((status) => status === 204)).toBe(true);
    expect(statuses.at(-1)).toBe(429);
  });
});

test.each([
  ['https://bakery.example/a?b=c', 'https://bakery.example/a?b=c'],
  ['http://bakery.example', 'http://bakery.example/'],
  ['javascript:alert(1)', null],
  ['data:text/html,x', null],
  ['//bakery.example', null],
  ['bakery.example', null],
  [null, null],
])('the link %j leads to %j', (link, to) => {
  expect(sponsorLink(link)).toBe(to);
});
