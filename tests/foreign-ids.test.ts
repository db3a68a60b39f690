/**
 * Callers who may not touch an object read the same answer for its id as for one that no object has, so that no one learns
 * which ids exist: every call that is not open to anyone, with a body that it accepts (threat model 2.2).
 */
import { beforeAll, expect, test } from 'vitest';
import { addReadyPhoto, openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { addRoster } from '#tests/support/rosters.ts';
import { sellPhotos } from '#tests/support/sold-orders.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
/** By the name of a parameter, or by what is before it in the address. */
let ids: Record<string, number>;
let examples: Map<string, unknown>;
const UNKNOWN = 4_000_000_000_000_000;

type Document = {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { example?: unknown }> } }>>;
};

beforeAll(async () => {
  people = await settleNeighborhood(server);
  const { id } = people.hawks;
  const make = async (url: string, payload: object): Promise<number> => {
    const answer = await server.call({ method: 'POST', url, as: people.tokens.owner, payload });
    expect(answer.statusCode, answer.body).toBeLessThan(300);
    const made = answer.json<{ id?: number; webhook_endpoint?: { id: number }; api_token?: { id: number } }>();
    return made.id ?? made.webhook_endpoint?.id ?? made.api_token?.id ?? 0;
  };
  const galleries = await openGallery(server, people.tokens.owner, id, { is_private: true });
  const gallery = { id: galleries, organizationId: id };
  const photo = await addReadyPhoto(server, gallery);
  const { id: orders } = await sellPhotos(server, id, [{ id: photo, gallery_id: galleries }]);
  await addRoster(server, id);
  const endpoint = { url: 'https://receiver.club.org/hook', events: ['order.paid'] };
  const webhook = await make(`/api/v1/organizations/${id}/webhook_endpoints`, { webhook_endpoint: endpoint });
  const offers = [{ kind: 'bundle', photos: 3, price: 5 }];
  const first = async (table: string, column = 'id') => {
    const text = `select ${column} as id from ${table} where organization_id = $1`;
    return Number((await server.data.ownerQuery<{ id: number }>(text, [id]))[0]?.id);
  };
  ids = {
    galleries,
    photoId: photo,
    orders,
    orderId: orders,
    affiliates: id,
    organizations: id,
    charges: id,
    seasons: await first('seasons'),
    teams: await first('teams'),
    athletes: await first('athletes'),
    webhook_endpoints: webhook,
    deliveryId: await make(`/api/v1/webhook_endpoints/${webhook}/test`, {}),
    price_sheets: await make(`/api/v1/affiliates/${id}/price_sheets`, { price_sheet: { name: 'Fall', offers } }),
    couponId: await make(`/api/v1/affiliates/${id}/coupons`, { coupon: { kind: 'percent', value: 10 } }),
    exportId: await make(`/api/v1/affiliates/${id}/exports`, {}),
    userId: await first('memberships', 'user_id'),
  };
  const document = (await server.call({ url: '/api/openapi.json' })).json<Document>();
  examples = new Map(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { requestBody }]) => [
        `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
        requestBody?.content['application/json']?.example,
      ]),
    ),
  );
});

/** The address with these ids, and the unknown one for everything else. */
const addressOf = (pattern: string, known: Record<string, number>): string =>
  pattern
    .replaceAll(/(\w+)\/:(\w+)/g, (_all, before: string, name: string) => {
      if (name === 'month') return `${before}/2026-10`;
      return `${before}/${known[name] ?? known[before] ?? UNKNOWN}`;
    })
    .replace(/:\w+/g, 'logo');

test.each(['neighbor', 'foreigner'] as const)('%s learns of no object of another organization', async (who) => {
  const answerTo = async (method: string, pattern: string, known: Record<string, number>) => {
    const payload = examples.get(`${method} ${pattern}`);
    const answer = await server.call({
      method: method as 'GET',
      url: addressOf(pattern, known),
      as: people.tokens[who],
      ...(payload === undefined ? {} : { payload: payload as object }),
    });
    return `${answer.statusCode} ${answer.body.replaceAll(/"request_id":"[^"]*"/g, '')}`;
  };
  expect(Object.entries(ids).filter(([, id]) => !(id > 0))).toEqual([]);
  const routes = server.built.routes.filter(
    ({ method, url, access }) => !['HEAD', 'OPTIONS'].includes(method) && access.who !== 'anyone' && url.includes('/:'),
  );
  expect(routes.length).toBeGreaterThan(100);
  const told: string[] = [];
  let known = 0;
  for (const { method, url } of routes) {
    if (addressOf(url, ids) === addressOf(url, {})) continue;
    known += 1;
    const [theirs, unknown] = [await answerTo(method, url, ids), await answerTo(method, url, {})];
    if (theirs !== unknown) told.push(`${method} ${url}: ${theirs.slice(0, 90)} but ${unknown.slice(0, 90)}`);
  }
  expect(told).toEqual([]);
  expect(known).toBeGreaterThan(80);
});
