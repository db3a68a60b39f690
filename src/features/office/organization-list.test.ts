/** `GET /api/v1/organizations` and the office's lists, over HTTP and the service. */
import { beforeAll, describe, expect, test } from 'vitest';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';

const server = useTestServer();
let people: Neighborhood;
let admin: Caller;

beforeAll(async () => {
  people = await settleNeighborhood(server);
  admin = await callerOf(people.tokens.admin);
  for (const [id, contact, email] of [
    [people.hawks.id, 'Rosa Maria Lind', 'rosa@hawks.test'],
    [people.tides.id, 'Åsa Berg', 'asa@tides.test'],
    [people.stranger.id, 'Bo', 'bo@riverside.test'],
  ])
    await server.data.ownerQuery('update organizations set contact_name = $2, contact_email = $3 where id = $1', [
      id,
      contact,
      email,
    ]);
});

async function callerOf(token: string | null): Promise<Caller> {
  return { actor: await server.app.accounts.actorOf(token), visitorId: null, unlocks: new Map(), ip: '127.0.0.1' };
}
async function list(query = '', as: string | null = people.tokens.admin) {
  const answer = await server.call({ method: 'GET', url: `/api/v1/organizations${query}`, as });
  return { status: answer.statusCode, rows: answer.json<Record<string, unknown>[]>() };
}

describe('GET /api/v1/organizations', () => {
  test('returns all of them to a platform admin, with the fields that lists need', async () => {
    const { rows } = await list();
    expect(rows.map(({ domain_name }) => domain_name)).toEqual(['hawks', 'lakeside', 'riverside', 'www', 'tides']);
    expect(rows[0]).toEqual({
      id: people.hawks.id,
      name: 'hawks',
      domain_name: 'hawks',
      logo_url: null,
      kind: 'affiliate',
      parent_organization_id: people.parent.id,
    });
  });

  test('is paged by key', async () => {
    const first = (await list('?limit=2')).rows;
    const second = (await list(`?limit=2&after=${String(first.at(-1)?.['id'])}`)).rows;
    const third = (await list(`?limit=2&after=${String(second.at(-1)?.['id'])}`)).rows;
    expect([first, second, third].flat().map(({ name }) => name)).toEqual([
      'hawks',
      'lakeside',
      'riverside',
      'Sideline',
      'tides',
    ]);
  });

  test.each([
    ['?q=HAW', ['hawks']],
    ['?q=asa', ['tides']],
    ['?q=OWNER@people.test', ['hawks']],
    ['?q=owner@people', []],
    ['?q=%25', []],
    ['?q=_', []],
    [`?q=nothing`, []],
  ])('%s', async (query, names) => {
    expect((await list(query)).rows.map(({ name }) => name)).toEqual(names);
  });

  test.each(['?limit=0', '?limit=x', '?limit=1001', '?after=x', `?q=${'a'.repeat(101)}`])(
    'refuses %s with a message',
    async (query) => {
      const answer = await list(query);
      expect(answer.status).toBe(422);
      expect(JSON.stringify(answer.rows)).toMatch(/must be|please|Not an id/);
    },
  );

  test.each(['owner', 'parentMember', 'visitor'] as const)('returns the public fields to a %s', async (who) => {
    const { rows } = await list('', who === 'visitor' ? null : people.tokens[who]);
    for (const row of rows) expect(Object.keys(row)).toEqual(['id', 'name', 'domain_name', 'logo_url']);
  });

  test('returns them to a platform admin who requests them', async () => {
    expect(Object.keys((await list('?for_search=true')).rows[0] ?? {})).not.toContain('kind');
  });
});

describe('parents and affiliates', () => {
  test('list a parent before its affiliates', async () => {
    const { rows, count } = await server.app.organizationList.families(admin, {
      search: '',
      after: null,
      before: null,
    });
    expect(rows.map(({ name }) => name)).toEqual(['lakeside', 'hawks', 'tides', 'riverside', 'Sideline']);
    expect(count).toBe(5);
  });

  test.each(['owner', 'parentMember'] as const)('are not for a %s', async (who) => {
    const caller = await callerOf(people.tokens[who]);
    const nothing = { search: '', after: null, before: null };
    await expect(server.app.organizationList.families(caller, nothing)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(
      server.app.organizationList.accounts(caller, { ...nothing, sort: 'id', direction: 'asc' }),
    ).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe('accounts', () => {
  const accounts = (wish: object) =>
    server.app.organizationList.accounts(admin, {
      search: '',
      after: null,
      before: null,
      sort: 'id',
      direction: 'asc',
      ...wish,
    });
  test.each([
    ['id', 'asc', ['lakeside', 'hawks', 'tides', 'riverside']],
    ['id', 'desc', ['riverside', 'tides', 'hawks', 'lakeside']],
    ['first_name', 'asc', ['tides', 'riverside', 'lakeside', 'hawks']],
    ['last_name', 'asc', ['lakeside', 'riverside', 'tides', 'hawks']],
    ['email', 'asc', ['tides', 'riverside', 'lakeside', 'hawks']],
    ['organization', 'desc', ['tides', 'riverside', 'lakeside', 'hawks']],
  ])('are sorted by %s %s, in both directions of paging', async (sort, direction, names) => {
    expect((await accounts({ sort, direction })).rows.map(({ name }) => name)).toEqual(names);
    const { rows } = await accounts({ sort, direction });
    const [, , third] = rows;
    const before = await accounts({ sort, direction, before: third?.id });
    const after = await accounts({ sort, direction, after: third?.id });
    expect(before.rows.map(({ name }) => name)).toEqual(names.slice(0, 2));
    expect(after.rows.map(({ name }) => name)).toEqual(names.slice(3));
  });

  test.each([
    ['lind', ['hawks']],
    ['RIVERSIDE.test', ['riverside']],
    ['Asa', ['tides']],
    ['sideline', []],
  ])('are found by "%s"', async (search, names) => {
    expect((await accounts({ search })).rows.map(({ name }) => name)).toEqual(names);
  });

  test('are found by id', async () => {
    expect((await accounts({ search: String(people.hawks.id) })).rows.map(({ name }) => name)).toContain('hawks');
  });
});
