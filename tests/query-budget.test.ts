/** How many statements each call and page sends to the database: a fixed number, however much there is to show. */
import pg from 'pg';
import { beforeAll, expect, test, vi } from 'vitest';
import { addReadyPhoto, openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { addAthlete, addSeason, addTeam, type SeededTeam } from '#tests/support/rosters.ts';
import { sellPhotos } from '#tests/support/sold-orders.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const noon = new Date();
const server = useTestServer({ pages: true, clock: { now: () => noon }, env: { PAGE_CACHE_MB: '0' } });
let people: Neighborhood;
let galleryId: number;
let photoId: number;
let vanityId: string;
/** Of another club, which tags photos: a club without a roster needs no more queries than before. */
let tagged: { galleryId: number; teams: SeededTeam[] };

beforeAll(async () => {
  people = await settleNeighborhood(server);
  galleryId = await openGallery(server, people.tokens.owner, people.hawks.id, { name: 'Cup final' });
  const { id } = people.tides;
  const season = await addSeason(server, id);
  const teams = [await addTeam(server, id, season, 'Tides U12'), await addTeam(server, id, season, 'Tides U14')];
  tagged = { galleryId: await openGallery(server, people.tokens.neighbor, id), teams };
  await server.data.ownerQuery(
    'insert into gallery_teams (gallery_id, organization_id, team_id) select $1, $2, unnest($3::bigint[])',
    [tagged.galleryId, id, teams.map((team) => team.id)],
  );
  ({ photoId, vanityId } = await addMore(1));
});

/** Galleries, photos with keywords, orders. */
async function addMore(times: number) {
  let made = { photoId: 0, vanityId: '' };
  for (let time = 0; time < times; time++) {
    const organizationId = people.hawks.id;
    const other = await openGallery(server, people.tokens.owner, organizationId, { name: `Game ${time}` });
    for (const id of [other, galleryId, galleryId]) {
      const photo = await addReadyPhoto(server, { id, organizationId });
      await server.data.ownerQuery(
        `insert into photo_keywords (photo_id, gallery_id, organization_id, name) values ($1, $2, $3, 'goal'), ($1, $2, $3, $4)`,
        [photo, id, organizationId, `player ${photo % 7}`],
      );
      const order = await sellPhotos(server, organizationId, [{ id: photo, gallery_id: id }]);
      made = { photoId: photo, vanityId: order.vanityId };
    }
    await addTagged(time);
  }
  return { photoId: made.photoId, vanityId: made.vanityId };
}

/** Athletes of each consent on two teams, and a photo of each. */
async function addTagged(time: number): Promise<void> {
  const organizationId = people.tides.id;
  for (const [at, { id: teamId }] of tagged.teams.entries()) {
    const consent = (['yes', 'family', 'no', 'unknown'] as const)[(time + at) % 4] ?? 'yes';
    const number = String(time * 2 + at);
    const athlete = await addAthlete(server, organizationId, { firstName: `Child${number}`, teamId, number, consent });
    const photo = await addReadyPhoto(server, { id: tagged.galleryId, organizationId });
    await server.data.ownerQuery(
      `insert into photo_tags (organization_id, gallery_id, photo_id, athlete_id, team_id, number, how) values ($1, $2, $3, $4, $5, $6, 'hand')`,
      [organizationId, tagged.galleryId, photo, athlete.id, teamId, number],
    );
  }
}

const BOOKENDS = /^\s*(?:begin|commit|rollback)/;
const textOf = ([query]: readonly unknown[]): string =>
  typeof query === 'string' ? query : ((query as { text?: string }).text ?? '');

type Who = 'visitor' | 'owner' | 'neighbor' | 'admin';

/**
 * How often a request is repeated when it took more than its budget: on a busy machine, queries that are sent together
 * may be separated, and a slow answer makes the process ping the database.
 */
const TRIES = 5;

/**
 * The fewest statements of a request, repeated until they are within its budget; the first one also fills the caches.
 */
async function statementsOf(who: Who, url: string, budget: number): Promise<number> {
  const get = () =>
    server.call({
      method: 'GET',
      url,
      headers: {
        host: `${people.parent.path}.sideline.localhost:3000`,
        ...(who === 'visitor' ? {} : { cookie: `token=${people.tokens[who]}` }),
        'sec-fetch-site': 'same-origin',
        'sec-fetch-mode': 'navigate',
        'sec-fetch-dest': 'document',
      },
    });
  await get();
  let fewest = Infinity;
  for (let time = 0; time < TRIES && fewest > budget; time++) {
    const statements = vi.spyOn(pg.Client.prototype, 'query');
    try {
      const answer = await get();
      if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode}`);
      const count = statements.mock.calls.filter((call) => !BOOKENDS.test(textOf(call))).length;
      fewest = Math.min(fewest, count);
    } finally {
      statements.mockRestore();
    }
  }
  return fewest;
}

/** Who requests what, and its number of statements. */
const BUDGET: Record<string, number> = {
  'visitor /': 1,
  'visitor /{club}': 2,
  'visitor /{club}?search=game': 3,
  'visitor /{club}/gallery/{gallery}': 2,
  'visitor /{club}/gallery/{gallery}?search=goal': 6,
  'visitor /{club}/gallery/{gallery}/photo/{photo}': 8,
  'visitor /{club}/favorites': 0,
  'visitor /{club}/checkout': 0,
  'visitor /{club}/order/{order}': 2,
  'visitor /find-my-order': 0,
  'visitor /api/v1/galleries/{gallery}/full': 2,
  'visitor /api/v1/galleries/{gallery}/gallery_photos': 1,
  'visitor /api/v1/galleries/{gallery}/gallery_photos?search=goal': 1,
  'visitor /api/v1/orders/{order}': 2,
  'visitor /api/v1/organizations': 1,
  'visitor /api/v1/organizations/{organization}': 0,
  'visitor /sitemap-galleries.xml?page=1': 0,
  'owner /users/current': 3,
  'owner /{club}/dashboard': 11,
  'owner /{club}/gallery/{gallery}/edit': 16,
  'owner /{club}/gallery/{gallery}/review': 9,
  'owner /{club}/orders': 9,
  'owner /{club}/report': 11,
  'owner /{club}/statements': 7,
  'owner /{club}/activity': 6,
  'owner /{club}/webhooks': 6,
  'owner /{club}/api-tokens': 6,
  'owner /{club}/prices': 8,
  'owner /{club}/prices/codes': 8,
  'owner /{club}/takedowns': 8,
  'owner /{club}/settings': 12,
  'neighbor /{tagging club}/roster': 14,
  'neighbor /{tagging club}/roster?team={team}': 14,
  'neighbor /{tagging club}/roster/import': 12,
  'neighbor /{tagging club}/roster/settings': 11,
  'neighbor /{tagging club}/gallery/{tagged gallery}/tag': 19,
  'neighbor /{tagging club}/gallery/{tagged gallery}/tag?teams': 19,
  'neighbor /{tagging club}/gallery/{tagged gallery}/edit': 21,
  'neighbor /api/v1/galleries/{tagged gallery}/tagging': 6,
  'neighbor /api/v1/galleries/{tagged gallery}/teams': 5,
  'neighbor /api/v1/affiliates/{tagging organization}/seasons': 2,
  'neighbor /api/v1/affiliates/{tagging organization}/teams': 2,
  'neighbor /api/v1/affiliates/{tagging organization}/athletes': 3,
  'neighbor /api/v1/affiliates/{tagging organization}/athletes?q=chi': 3,
  'owner /api/v1/galleries/{gallery}/gallery_photos': 4,
  'admin /admin-report': 7,
  'admin /admin/audit-log': 7,
  'admin /admin/organizations': 6,
  'admin /admin/pay-outs': 8,
  'admin /admin/promo-codes': 5,
  'admin /admin/questions': 5,
  'admin /admin/refunds': 8,
  'admin /admin/reconciliation': 6,
  'admin /admin/version': 5,
  'admin /admin/health': 9,
  'admin /admin/health?view=jobs': 6,
  'admin /admin/health?view=emails': 6,
  'owner /api/v1/galleries/{gallery}/collaborators': 6,
  'owner /api/v1/galleries/{gallery}/contributions': 4,
  'owner /api/v1/affiliates/{club}?org_id={parent}': 6,
  'owner /api/v1/affiliates/{organization}/orders': 3,
  'owner /api/v1/affiliates/{organization}/api_tokens': 2,
  'owner /api/v1/affiliates/{organization}/price_sheets': 4,
  'owner /api/v1/affiliates/{organization}/coupons': 2,
  'owner /api/v1/affiliates/{organization}/statements': 3,
  'admin /api/v1/organizations/{organization}/members': 2,
  'admin /api/v1/organizations/{organization}/terms': 3,
  'admin /api/v1/promo_codes': 2,
  'admin /api/v1/payouts?status=all': 2,
};

const addressOf = (name: string): string =>
  name
    .replace(/^\w+ /, '')
    .replaceAll('{tagging club}', people.tides.path)
    .replaceAll('{tagging organization}', String(people.tides.id))
    .replaceAll('{tagged gallery}', String(tagged.galleryId))
    .replaceAll('{team}', String(tagged.teams[0]?.id))
    .replaceAll('{club}', people.hawks.path)
    .replaceAll('{organization}', String(people.hawks.id))
    .replaceAll('{gallery}', String(galleryId))
    .replaceAll('{photo}', String(photoId))
    .replaceAll('{parent}', String(people.parent.id))
    .replaceAll('{order}', vanityId);

async function countAll(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [name, budget] of Object.entries(BUDGET))
    counts[name] = await statementsOf(name.split(' ')[0] as Who, addressOf(name), budget);
  return counts;
}

test('each call and page takes as many statements as it is allowed, and no more if there is much to show', async () => {
  const overBudget = async () =>
    Object.entries(await countAll()).filter(([name, count]) => count > (BUDGET[name] ?? 0));
  expect(await overBudget()).toEqual([]);
  await addMore(8);
  expect(await overBudget()).toEqual([]);
}, 240_000);
