/** Orders as members page through them and as platform admins find them. */
import { beforeAll, describe, expect, test } from 'vitest';
import { ORDERS_A_PAGE, readSearch, burdenOf } from '#src/features/refunds/refunds.rules.ts';
import { createRefundLists } from '#src/features/refunds/refund-lists.service.ts';
import { ORDER_FILE_READS, ORDER_FILES_ARE_BUSY, STATUS_NOT_VALID } from '#src/features/refunds/refunds.contract.ts';
import { DAY_NOT_VALID, DAYS_NOT_IN_ORDER } from '#src/shared/day-filter.ts';
import { cents } from '#src/shared/money.ts';
import {
  addReadyPhoto,
  openGallery,
  settleAnother,
  settleNeighborhood,
  type Neighborhood,
} from '#tests/support/neighborhood.ts';
import { callerOf } from '#tests/support/payer.ts';
import { sellPhotos } from '#tests/support/sold-orders.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;
const sold: { id: number; vanityId: string }[] = [];
/** One photo of each club. */
const photos: { id: number; gallery_id: number }[] = [];

beforeAll(async () => {
  people = await settleNeighborhood(server);
  for (const [club, token, count] of [
    [people.hawks, people.tokens.owner, ORDERS_A_PAGE + 3],
    [people.tides, people.tokens.neighbor, 2],
  ] as const) {
    const galleryId = await openGallery(server, token, club.id);
    const photo = {
      id: await addReadyPhoto(server, { id: galleryId, organizationId: club.id }),
      gallery_id: galleryId,
    };
    photos.push(photo);
    for (let number = 0; number < count; number++)
      sold.push(await sellPhotos(server, club.id, [photo], { email: `buyer${number}@${club.path}.test` }));
  }
});

const list = async (
  token: string | null,
  club = people.hawks,
  search: string | null = null,
  after: number | null = null,
) =>
  server.app.refundLists.ofOrganization(
    await callerOf(server, token),
    { id: club.id, parentOrganizationId: club.parentId },
    { search: search ?? '', after },
  );

describe('the orders of an organization', () => {
  test('are listed newest first, page by page, with their amounts', async () => {
    const first = await list(people.tokens.owner);
    expect(first.orders).toHaveLength(ORDERS_A_PAGE);
    const second = await list(people.tokens.owner, people.hawks, null, first.next);
    expect([second.orders.length, second.next]).toEqual([3, null]);
    const ids = [...first.orders, ...second.orders].map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect(new Set(ids).size).toBe(ORDERS_A_PAGE + 3);
    expect(first.orders[0]).toMatchObject({
      buyer: 'Maria Jensen',
      photos: 1,
      totalCents: 400,
      refundedCents: 0,
      leftCents: 400,
    });
  });

  test.each([
    ['part of an address', 'BUYER7@', 1],
    ['part of a name', 'aria jen', ORDERS_A_PAGE],
    ['a wildcard, literally', '%', 0],
    ['nothing that is there', 'nobody', 0],
  ])('are found by %s', async (_what, search, count) => {
    expect((await list(people.tokens.owner, people.hawks, search)).orders).toHaveLength(count);
  });

  test('are found by number and by the last part of their link, but not those of others', async () => {
    const [own, others] = [sold[3], sold.at(-1)];
    for (const search of [String(own?.id), `#${own?.id}`, own?.vanityId ?? ''])
      expect((await list(people.tokens.owner, people.hawks, search)).orders.map(({ id }) => id)).toEqual([own?.id]);
    expect((await list(people.tokens.owner, people.hawks, others?.vanityId)).orders).toEqual([]);
    const family = await list(people.tokens.parentMember, people.parent, others?.vanityId);
    expect(family.orders.map(({ id, seller }) => [id, seller.name])).toEqual([[others?.id, 'tides']]);
  });

  describe('of a state and of some days', () => {
    const orders = (query: string, token: string | null = people.tokens.neighbor, format = '') =>
      server.call({
        method: 'GET',
        url: `/api/v1/affiliates/${people.tides.id}/orders${format}${query}`,
        ...(token === null ? {} : { as: token }),
      });
    /** Late in the evening of October 2 in New York. */
    const late = { status: 'refunded', email: 'late@tides.test', paidAt: '2025-10-03T02:30:00Z' };
    beforeAll(async () => {
      await sellPhotos(server, people.tides.id, photos.slice(1), late);
    });

    test.each([
      ['', 3],
      ['?status=&from=&to=', 3],
      ['?status=refunded', 1],
      ['?status=disputed', 0],
      ['?status=paid&search=buyer1', 1],
      ['?from=2025-10-02&to=2025-10-02', 1],
      ['?from=2025-10-03', 2],
      ['?to=2025-10-01', 0],
    ])('%s lists %i, and so many are in the file', async (query, count) => {
      expect(JSON.parse((await orders(query)).body).orders).toHaveLength(count);
      expect((await orders(query, people.tokens.neighbor, '.csv')).body.trim().split('\r\n')).toHaveLength(count + 1);
    });

    test('have their amounts, their day and the words of their state in the file', async () => {
      const { headers, body } = await orders('?status=refunded', people.tokens.neighbor, '.csv');
      expect(headers['content-disposition']).toBe('attachment; filename="orders.csv"');
      expect(body).toContain('"2025-10-02","Maria Jensen","late@tides.test"');
      expect(body).toMatch(/"1","0","4\.00","0\.00","0\.00","","4\.00","0\.00","0\.00","Refunded"\r\n$/);
    });

    test('are for a parent those of the days that its affiliates have, in the list and in the file', async () => {
      const { tides, tokens } = await settleAnother(server);
      await server.data.ownerQuery("update organizations set time_zone = 'America/Los_Angeles' where id = $1", [
        tides.id,
      ]);
      const galleryId = await openGallery(server, tokens.neighbor, tides.id);
      const photo = {
        id: await addReadyPhoto(server, { id: galleryId, organizationId: tides.id }),
        gallery_id: galleryId,
      };
      // Late in the evening of October 2 there, and October 3 in the parent's New York.
      await sellPhotos(server, tides.id, [photo], { email: 'west@tides.test', paidAt: '2025-10-03T05:30:00Z' });
      const found = async (format: string, day: string) =>
        (
          await server.call({
            method: 'GET',
            url: `/api/v1/affiliates/${tides.parentId}/orders${format}?from=${day}&to=${day}`,
            as: tokens.parentMember,
          })
        ).body;
      for (const format of ['', '.csv']) {
        expect(await found(format, '2025-10-02')).toContain('west@tides.test');
        expect(await found(format, '2025-10-03')).not.toContain('west@tides.test');
      }
      expect(await found('.csv', '2025-10-02')).toContain('"2025-10-02","Maria Jensen","west@tides.test"');
    });

    test('and a state or days that do not exist are refused by name', async () => {
      const answer = await orders('?status=lost&from=yesterday', people.tokens.neighbor, '.csv');
      expect([answer.statusCode, JSON.parse(answer.body).errors]).toEqual([
        422,
        { status: [STATUS_NOT_VALID], from: [DAY_NOT_VALID] },
      ]);
      const reversed = await orders('?from=2025-10-03&to=2025-10-02');
      expect(JSON.parse(reversed.body).errors).toEqual({ to: [DAYS_NOT_IN_ORDER] });
    });

    test('and the file is refused to visitors and other organizations', async () => {
      const status = async (token: string | null) => (await orders('', token, '.csv')).statusCode;
      expect([await status(null), await status(people.tokens.owner), await status(people.tokens.foreigner)]).toEqual([
        401, 404, 404,
      ]);
      expect(await status(people.tokens.parentMember)).toBe(200);
    });
  });

  test('are only for its members, the parent’s members and platform admins', async () => {
    await expect(list(null)).rejects.toMatchObject({ code: 'unauthenticated' });
    for (const token of [people.tokens.neighbor, people.tokens.foreigner])
      await expect(list(token)).rejects.toMatchObject({ code: 'not_found' });
    for (const token of [people.tokens.parentMember, people.tokens.admin])
      expect((await list(token)).orders).toHaveLength(ORDERS_A_PAGE);
  });
});

describe('the file of orders', () => {
  /** The lists with a database whose reads are counted, and begin when they may. */
  function listsThat(mayRead: Promise<void>) {
    const scopes: (readonly number[])[] = [];
    const { database } = server.platform;
    const read: typeof database.read = async (scope, work) => {
      if (scope.kind === 'tenants') scopes.push(scope.organizationIds);
      await mayRead;
      return database.read(scope, work);
    };
    return {
      scopes,
      lists: createRefundLists({ database: { ...database, read }, organizations: server.app.organizations }),
    };
  }

  test('of a parent has every order once, and no page reads orders of several organizations', async () => {
    const { parent, hawks, tides, tokens } = await settleAnother(server);
    const sell = (sellerId: number, count: number) =>
      server.data.ownerQuery(
        `insert into orders (vanity_id, organization_id, checkout_key, content_hash, status, first_name, last_name, email_address,
                             subtotal_cents, tax_cents, donation_cents, share_bps, paid_at)
         select md5($1::text || n), $1::bigint, md5($1::text || n), '\\x00', 'paid', 'Ann', 'Buyer', 'ann@buyers.test', n, 0, 0, 2000, now()
           from generate_series(1, $2::int) as n`,
        [sellerId, count],
      );
    await sell(hawks.id, 1_007);
    await sell(tides.id, 3);
    const { lists, scopes } = listsThat(Promise.resolve());
    let file = '';
    for await (const piece of await lists.csv(await callerOf(server, tokens.parentMember), parent.id, {}))
      file += piece;
    const rows = file.trim().split('\r\n').slice(1);
    const ids = rows.map((row) => Number(row.split(',')[0]?.replaceAll('"', '')));
    expect([ids.length, new Set(ids).size]).toEqual([1_010, 1_010]);
    const ofOne = ids.filter((_id, index) => rows[index]?.includes(`"${hawks.path}"`));
    expect(ofOne).toHaveLength(1_007);
    expect(ofOne).toEqual(ofOne.toSorted((a, b) => b - a));
    expect(scopes.toSorted()).toEqual([[parent.id], [hawks.id], [hawks.id], [tides.id]].toSorted());
  });

  test('waits for others, and is refused for a few seconds while too many wait', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { lists } = listsThat(promise);
    const caller = await callerOf(server, people.tokens.owner);
    const most = ORDER_FILE_READS.atOnce + ORDER_FILE_READS.waiting;
    const outcomes = Array.from({ length: most + 1 }, () =>
      lists.csv(caller, people.hawks.id, {}).then(
        () => 'begun',
        (error: unknown) => error,
      ),
    );
    const refused = { code: 'unavailable', message: ORDER_FILES_ARE_BUSY, details: { retryAfterSeconds: 5 } };
    expect(await Promise.race(outcomes)).toMatchObject(refused);
    resolve();
    expect((await Promise.all(outcomes)).filter((outcome) => outcome === 'begun')).toHaveLength(most);
  });
});

test('platform admins find an order by number, link, whole address or the card company’s id; others may not', async () => {
  const overview = async (token: string, search: string) =>
    server.app.refundLists.overview(await callerOf(server, token), search, null);
  for (const search of [String(sold[0]?.id), sold[0]?.vanityId ?? '', 'Buyer0@HAWKS.test'])
    expect((await overview(people.tokens.admin, search)).found?.map(({ id }) => id)).toEqual([sold[0]?.id]);
  await server.data.ownerQuery(
    `with paid as (select id, organization_id from orders where id = $1), refund as (
       insert into payment_attempts (order_id, organization_id, kind, idempotency_key, amount_cents, state, provider_ref, sent_at, decided_at)
       select id, organization_id, 'refund', gen_random_uuid(), 100, 'failed', 're_1Q', now(), now() from paid)
     insert into payment_disputes (id, order_id, organization_id, amount_cents, status)
     select 'du_1Q', id, organization_id, 100, 'won' from paid`,
    [sold[0]?.id],
  );
  for (const search of ['re_1Q', 'du_1Q'])
    expect((await overview(people.tokens.admin, search)).found?.map(({ id }) => id)).toEqual([sold[0]?.id]);
  expect((await overview(people.tokens.admin, 'buyer')).found).toEqual([]);
  await expect(overview(people.tokens.owner, '1')).rejects.toMatchObject({ code: 'forbidden' });
});

test.each<[string, Partial<Parameters<typeof burdenOf>[0]>, number, [number, number, number]]>([
  ['the whole of the books’ example', {}, 1_583, [1_200, 300, 83]],
  ['a part', {}, 100, [77, 18, 5]],
  ['the rest after a part', { refundedCents: 100 }, 1_483, [1_123, 282, 78]],
  ['over the seller’s own account', { processor: 'custom' }, 1_583, [1_283, 300, 0]],
])('the parts of a refund for %s', (_what, changes, amount, [organization, platform, tax]) => {
  const order = {
    subtotalCents: 1_000,
    taxCents: 83,
    donationCents: 500,
    shareBps: 2_000,
    processor: 'platform' as const,
    refundedCents: 0,
    ...changes,
  };
  expect(burdenOf(order, cents(amount))).toEqual({
    organizationCents: organization,
    platformCents: platform,
    taxCents: tax,
  });
});

test.each([
  ['', null],
  ['   ', null],
  ['12', { id: 12, vanityId: null, text: '12' }],
  ['x'.repeat(200), { id: null, vanityId: null, text: 'x'.repeat(100) }],
])('the search text %j is parsed', (text, wanted) => {
  expect(readSearch(text)).toEqual(wanted);
});

test('an order that is searched for is listed once, although its refund is requested', async () => {
  const [order, other] = [sold[0], sold[1]];
  for (const each of [order, other])
    await server.call({
      method: 'POST',
      url: `/api/v1/orders/${each?.vanityId}/refund_requests`,
      as: people.tokens.owner,
      payload: { reason: 'Blurred' },
    });
  const admin = await callerOf(server, people.tokens.admin);
  const listed = async (search: string | null) => {
    const { found, open, hasFoundRequests } = await server.app.refundLists.overview(admin, search, null);
    return [found?.map(({ id }) => id) ?? null, open.map(({ id }) => id), hasFoundRequests];
  };
  expect(await listed(String(order?.id))).toEqual([[order?.id], [other?.id], true]);
  expect(await listed(null)).toEqual([null, [order?.id, other?.id], false]);
});
