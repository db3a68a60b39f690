/** The audit log: written with the action, read by the people concerned, never changed. */
import { beforeAll, describe, expect, test } from 'vitest';
import {
  ENTRY_NOT_FOUND,
  NO_ORGANIZATION_FOUND,
  NO_ACCOUNT_FOUND,
  REFUSALS_A_DAY,
  type AuditPage,
} from '#src/features/audit/audit.contract.ts';
import { AUDIT_COLUMNS } from '#src/features/audit/audit.rules.ts';
import { DAY_NOT_VALID, DAYS_NOT_IN_ORDER } from '#src/shared/day-filter.ts';
import { tenantScope } from '#src/platform/db/db.ts';
import {
  addReadyPhoto,
  openGallery,
  settleAnother,
  settleNeighborhood,
  type Neighborhood,
} from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;

const note = (organizationId: number | null, objectId: string) =>
  server.platform.database.write(
    { kind: 'tenants', organizationIds: organizationId === null ? [] : [organizationId] },
    (tx) =>
      server.app.audit.record(
        tx,
        { actor: { kind: 'visitor' }, ip: '2001:db8:0:1::/64' },
        { organizationId, action: 'thing.done', object: ['thing', objectId], details: { to: 'this' } },
      ),
  );

const read = async (as: string | null, query = '') => {
  const answer = await server.call({
    method: 'GET',
    url: `/api/v1/affiliates/${people.hawks.id}/audit_log${query}`,
    as,
  });
  return { status: answer.statusCode, page: answer.json<AuditPage>() };
};

beforeAll(async () => {
  people = await settleNeighborhood(server);
  for (const objectId of ['1', '2', '3']) await note(people.hawks.id, objectId);
  await note(people.tides.id, 'of a neighbor');
  await note(null, 'of nobody');
});

test('members, the parent’s members and platform admins read it, newest first and page by page', async () => {
  for (const token of [people.tokens.owner, people.tokens.parentMember, people.tokens.admin]) {
    const first = await read(token, '?limit=2');
    expect(first.status).toBe(200);
    expect(first.page.entries.map((entry) => entry.object_id)).toEqual(['3', '2']);
    expect(first.page.entries[0]).toMatchObject({ action: 'thing.done', details: { to: 'this' }, actor: null });
    const second = await read(token, `?limit=2&after=${first.page.next}`);
    expect(second.page.entries.map((entry) => entry.object_id)).toEqual(['1']);
    expect(second.page.next).toBeNull();
  }
});

test('it is found by its object', async () => {
  const { page } = await read(people.tokens.owner, '?object_type=thing&object_id=2');
  expect(page.entries.map((entry) => entry.object_id)).toEqual(['2']);
});

test('it names a photo and its gallery by their present names, as long as they are there', async () => {
  const { hawks, tokens } = await settleAnother(server);
  const galleryId = await openGallery(server, tokens.owner, hawks.id, { name: 'Cup Final' });
  const photoId = await addReadyPhoto(server, { id: galleryId, organizationId: hawks.id }, { name: 'IMG_1' });
  const things = [
    ['photo', photoId],
    ['photo', 'none'],
    ['photo', 7],
  ] as const;
  await server.platform.database.write(tenantScope(hawks.id), async (tx) => {
    for (const object of things)
      await server.app.audit.record(tx, null, { action: 'thing.named', organizationId: hawks.id, object });
  });
  const answer = await server.call({
    method: 'GET',
    url: `/api/v1/affiliates/${hawks.id}/audit_log`,
    as: tokens.owner,
  });
  const { entries } = answer.json<AuditPage>();
  const names = entries.filter(({ action }) => action === 'thing.named').map((entry) => entry.object_name);
  expect(names.toReversed()).toEqual(['IMG_1 (Cup Final)', null, null]);
});

test('only platform admins see network addresses', async () => {
  expect((await read(people.tokens.owner)).page.entries[0]?.ip).toBeNull();
  expect((await read(people.tokens.admin)).page.entries[0]?.ip).toBe('2001:db8:0:1::/64');
});

test('it is closed to visitors, other organizations and other parents, and invalid filters are refused', async () => {
  expect((await read(null)).status).toBe(401);
  expect((await read(people.tokens.neighbor)).status).toBe(404);
  expect((await read(people.tokens.foreigner)).status).toBe(404);
  expect((await read(people.tokens.owner, '?after=x')).status).toBe(422);
  expect((await read(people.tokens.owner, '?limit=0')).status).toBe(422);
});

test('an action that fails adds no entry', async () => {
  const failing = server.platform.database.write(
    { kind: 'tenants', organizationIds: [people.hawks.id] },
    async (tx) => {
      const failed = { organizationId: people.hawks.id, action: 'thing.failed', object: ['thing', 4] } as const;
      await server.app.audit.record(tx, null, failed);
      throw new Error('changed my mind');
    },
  );
  await expect(failing).rejects.toThrow('changed my mind');
  expect((await read(people.tokens.owner, '?object_id=4')).page.entries).toEqual([]);
});

describe('the log of the whole platform', () => {
  const search = async (as: string | null, query = '') => {
    const answer = await server.call({ method: 'GET', url: `/api/v1/audit_log${query}`, as });
    return { status: answer.statusCode, page: answer.json<AuditPage>(), body: answer.body };
  };
  const found = async (query: string) =>
    (await search(people.tokens.admin, query)).page.entries.map((entry) => entry.object_id);
  /** With entries of their own: the tests above read all of theirs. */
  let others: Neighborhood;
  let ownerId: number;
  beforeAll(async () => {
    others = await settleAnother(server);
    const { hawks, tides, emails } = others;
    const [owner] = await server.data.ownerQuery<{ id: number }>('select id from users where email = $1', [
      emails.owner,
    ]);
    ownerId = owner?.id ?? 0;
    const lines: [number | null, number | null, string, string, string, object, string][] = [
      [ownerId, hawks.id, 'price.changed', 'gallery', '71', { before: 2, after: 4 }, '2026-03-01T04:59:59Z'],
      [ownerId, hawks.id, 'price.changed', 'gallery', '72', { before: 4, after: 5 }, '2026-03-01T05:00:00Z'],
      [ownerId, tides.id, 'price.dropped', 'gallery', '73', { note: '=1+1' }, '2026-03-02T04:59:59Z'],
      [null, null, 'price.dropped', 'photo', '74', {}, '2026-03-02T05:00:00Z'],
    ];
    for (const [actor, organization, ...rest] of lines)
      await server.data.ownerQuery(
        `insert into audit_log (actor_id, organization_id, action, object_type, object_id, details, at) values ($1, $2, $3, $4, $5, $6, $7)`,
        [actor, organization, ...rest],
      );
  });

  test('is for platform admins only, and includes entries without an organization', async () => {
    const { owner, parentMember, neighbor, admin } = people.tokens;
    for (const path of ['', '.csv', '/1']) {
      expect((await search(null, path)).status).toBe(401);
      for (const token of [owner, parentMember, neighbor]) expect((await search(token, path)).status, path).toBe(403);
    }
    const { status, page } = await search(admin);
    expect(status).toBe(200);
    expect(page.entries.map((entry) => entry.object_id)).toEqual(
      expect.arrayContaining(['of nobody', 'of a neighbor', '1', '74']),
    );
  });

  test('is filtered by user, organization, action, object and days of the platform’s time zone', async () => {
    const { hawks, emails } = others;
    for (const [query, expected] of [
      [`?person=${ownerId}`, ['73', '72', '71']],
      [`?person=${emails.owner.toUpperCase()}`, ['73', '72', '71']],
      [`?organization=${hawks.id}&action=price.changed`, ['72', '71']],
      [`?organization=${hawks.path}&action=price.changed`, ['72', '71']],
      ['?action=price.dropped', ['74', '73']],
      ['?object_type=gallery&object_id=73', ['73']],
      // Midnight in New York is five in the morning in UTC.
      ['?from=2026-03-01&to=2026-03-01', ['73', '72']],
      ['?to=2026-02-28', ['71']],
      ['?from=2026-03-02&to=2026-03-02', ['74']],
      ['?from=2099-01-01', []],
      ['?to=2001-01-01', []],
      [`?action=price.changed&person=${ownerId}&from=2026-03-01&to=2026-03-31`, ['72']],
      ['?organization=&person=&action=price.changed', ['72', '71']],
    ] as const)
      expect(await found(query), query).toEqual(expected);
  });

  test('comes page by page, and each entry can be opened', async () => {
    const first = (await search(people.tokens.admin, '?object_type=gallery&limit=2')).page;
    expect(first.entries.map((entry) => entry.object_id)).toEqual(['73', '72']);
    expect(await found(`?object_type=gallery&limit=2&after=${first.next}`)).toEqual(['71']);
    const { status, body } = await search(people.tokens.admin, `/${first.entries[1]?.id}`);
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({
      actor: { id: ownerId, name: 'owner Person' },
      organization_name: others.hawks.path,
      action: 'price.changed',
      details: { before: 4, after: 5 },
      ip: null,
    });
    expect((await search(people.tokens.admin, '/999999')).body).toContain(ENTRY_NOT_FOUND);
  });

  test('is a file without active formulas', async () => {
    const answer = await server.call({
      method: 'GET',
      url: '/api/v1/audit_log.csv?from=2026-02-01&to=2026-03-31',
      as: people.tokens.admin,
    });
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'cache-control': 'private, no-store',
      'content-disposition': 'attachment; filename="audit-log.csv"',
    });
    const rows = answer.body.trimEnd().split('\r\n');
    expect(rows[0]).toBe(`\uFEFF"${AUDIT_COLUMNS.map(([head]) => head).join('","')}"`);
    expect(rows.slice(1).map((row) => row.split('","')[8])).toEqual(['74', '73', '72', '71']);
    expect(rows[2]).toContain(`"{""note"":""=1+1""}"`);
  });

  test('reports all invalid filters at once', async () => {
    const unknown = await search(people.tokens.admin, '?person=who@people.test&organization=nowhere');
    expect([unknown.status, JSON.parse(unknown.body)]).toMatchObject([
      422,
      { errors: { person: [NO_ACCOUNT_FOUND], organization: [NO_ORGANIZATION_FOUND] } },
    ]);
    const days = await search(people.tokens.admin, '?from=2026-02-30&to=soon');
    expect([days.status, JSON.parse(days.body)]).toMatchObject([
      422,
      { errors: { from: [DAY_NOT_VALID], to: [DAY_NOT_VALID] } },
    ]);
    const order = await search(people.tokens.admin, '?from=2026-03-02&to=2026-03-01');
    expect([order.status, JSON.parse(order.body)]).toMatchObject([422, { errors: { to: [DAYS_NOT_IN_ORDER] } }]);
    expect((await search(people.tokens.admin, '?after=x')).status).toBe(422);
  });
});

describe('platform admin calls made by someone else (threat 18)', () => {
  const refused = (email: string) =>
    server.data.ownerQuery<{ object_id: string; organization_id: number | null }>(
      `select object_id, organization_id from audit_log
        where action = 'platform_call.refused' and actor_id = (select id from users where email = $1) order by id`,
      [email],
    );
  const page = { host: 'lakeside.sideline.localhost:3000' };

  test('are refused with an entry that only platform admins read, one a day for each call', async () => {
    const { tokens, emails, hawks } = await settleAnother(server);
    const asked = [
      { method: 'POST', url: '/api/v1/organizations' },
      { method: 'POST', url: '/api/v1/organizations' },
      { method: 'DELETE', url: '/api/v1/organizations/rival' },
      { method: 'PUT', url: '/api/v1/orders/1' },
      { method: 'GET', url: '/api/v1/audit_log' },
    ] as const;
    for (const request of asked)
      expect((await server.call({ ...request, as: tokens.owner })).statusCode).toBeOneOf([403, 404]);
    const noted = await refused(emails.owner);
    expect(noted.map((line) => line.object_id)).toEqual([
      'POST /api/v1/organizations',
      'DELETE /api/v1/organizations/:domainName',
      'PUT /api/v1/orders/:id',
      'GET /api/v1/audit_log',
    ]);
    expect(noted.every((line) => line.organization_id === null)).toBe(true);
    const url = `/api/v1/affiliates/${hawks.id}/audit_log`;
    expect((await server.call({ method: 'GET', url, as: tokens.owner })).json<AuditPage>().entries).toEqual([]);
  });

  test('leave none for calls that a link of another site could make, and none for visitors and platform admins', async () => {
    const before = await server.data.ownerQuery('select from audit_log');
    const cookie = `token=${people.tokens.neighbor}`;
    const url = '/api/v1/audit_log';
    const link = { ...page, cookie, 'sec-fetch-site': 'cross-site' };
    expect((await server.call({ method: 'GET', url, headers: link })).statusCode).toBe(403);
    expect((await server.call({ method: 'GET', url })).statusCode).toBe(401);
    expect((await server.call({ method: 'GET', url, as: people.tokens.admin })).statusCode).toBe(200);
    expect(await server.data.ownerQuery('select from audit_log')).toEqual(before);
  });

  test(`are at most ${REFUSALS_A_DAY} lines a day of one person, who is refused all the same`, async () => {
    const { tokens, emails } = await settleAnother(server);
    const calls = server.built.routes.filter(({ access }) => access.who === 'platform-admin');
    expect(calls.length).toBeGreaterThan(REFUSALS_A_DAY);
    for (const { method, url } of calls) {
      const request = { method: method as 'GET', url: url.replaceAll(/:\w+/g, '1'), as: tokens.foreigner };
      expect((await server.call(request)).statusCode).toBeOneOf([403, 404]);
    }
    expect(await refused(emails.foreigner)).toHaveLength(REFUSALS_A_DAY);
  });
});
