/** Webhooks over HTTP: who may manage them, what is refused, what is shown once, and the limits. */
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CONFIRM_PASSWORD_FIRST } from '#src/features/accounts/accounts.contract.ts';
import { WEBHOOK_TYPES } from '#src/features/webhooks/webhook-events.contract.ts';
import * as words from '#src/features/webhooks/webhooks.contract.ts';
import { openSecret, sign } from '#src/features/webhooks/webhook-signing.service.ts';
import { hashToken, randomToken } from '#src/platform/secrets.ts';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;
/** Belongs to the organization without administering it. */
let editor: string;

beforeAll(async () => {
  people = await settleNeighborhood(server);
  editor = randomToken(32);
  await server.data.ownerQuery(
    `with made as (insert into users (email, first_name, last_name, email_proven_at) values ('editor@people.test', 'Ed', 'Itor', now()) returning id),
          joined as (insert into memberships (user_id, organization_id, role) select id, $1, 1 from made)
     insert into sessions (token_hash, user_id, expires_at) select $2, id, now() + interval '1 day' from made`,
    [people.hawks.id, hashToken(editor)],
  );
});
beforeEach(async () => {
  await server.data.ownerQuery('delete from webhook_endpoints');
  await server.data.ownerQuery('truncate rate_counters');
  await server.data.ownerQuery('update sessions set confirmed_at = now()');
});

const URL = 'https://hooks.hawks-club.org/sideline?key=s3cret';
type As = string | null;
const add = (fields: object = {}, as: As = people.tokens.owner, of = people.hawks.id) =>
  server.call({
    method: 'POST',
    url: `/api/v1/organizations/${of}/webhook_endpoints`,
    as,
    payload: { webhook_endpoint: { url: URL, events: ['order.paid'], ...fields } },
  });
const added = async (fields: object = {}) => (await add(fields)).json<words.EndpointWithSecret>();
const one = (method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, as: As = people.tokens.owner, payload?: object) =>
  server.call({ method, url: `/api/v1/webhook_endpoints/${path}`, as, ...(payload ? { payload } : {}) });
const change = (id: number, webhook_endpoint: object, as: As = people.tokens.owner) =>
  one('PUT', String(id), as, { webhook_endpoint });
const list = async (as: As = people.tokens.owner, of = people.hawks.id) =>
  server.call({ method: 'GET', url: `/api/v1/organizations/${of}/webhook_endpoints`, as });
/** Stores a delivery in this state. */
async function deliver(endpointId: number, state: 'waiting' | 'delivered' | 'failed', times = 1): Promise<number[]> {
  const rows = await server.data.ownerQuery<{ id: number }>(
    `insert into webhook_deliveries (organization_id, endpoint_id, event_id, type, facts, state, attempts)
     select $1, $2, gen_random_uuid(), 'webhook.test', '{}', $3, 1 from generate_series(1, $4::int) returning id`,
    [people.hawks.id, endpointId, state, times],
  );
  return rows.map(({ id }) => id);
}

describe('adding a webhook', () => {
  test('returns its secret once, and stores it encrypted', async () => {
    const answer = await add({ events: ['payout.paid', 'order.paid', 'order.paid'] });
    expect(answer.statusCode).toBe(201);
    const { secret, webhook_endpoint: endpoint } = answer.json<words.EndpointWithSecret>();
    expect(endpoint).toEqual({
      id: expect.any(Number),
      organization_id: people.hawks.id,
      url: URL,
      events: ['order.paid', 'payout.paid'],
      of_affiliates: false,
      active: true,
      failing_since: null,
      paused_at: null,
      former_secret_until: null,
      created_at: expect.any(String),
    });
    expect(Buffer.from(secret.replace('whsec_', ''), 'base64')).toHaveLength(32);
    expect((await list()).json()).toEqual({ webhook_endpoints: [endpoint] });
    const [row] = await server.data.ownerQuery<{ secret: Buffer }>('select secret from webhook_endpoints');
    expect(row?.secret.toString('latin1')).not.toContain(secret.slice(6, 20));
    expect(openSecret(server.platform.keys.webhookSecrets, row?.secret ?? Buffer.alloc(0))).toBe(secret);
  });

  test('reports every problem, each in a sentence', async () => {
    const answer = await add({ url: 'http://coach:pw@127.0.0.1:22/#x', events: [] });
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({
      errors: {
        'webhook_endpoint.url': [
          words.URL_NOT_HTTPS,
          words.URL_WITH_PASSWORD,
          words.URL_WITH_HASH,
          words.URL_NOT_PUBLIC,
        ],
        'webhook_endpoint.events': [words.EVENTS_REQUIRED],
      },
    });
  });

  test.each([
    ['no address', { url: '  ' }, 'url', words.URL_REQUIRED],
    ['a number', { url: 7 }, 'url', words.URL_REQUIRED],
    ['a long address', { url: `https://a.org/${'x'.repeat(500)}` }, 'url', words.URL_TOO_LONG],
    ['an unknown event', { events: ['order.paid', 'order.stolen'] }, '1', words.EVENT_UNKNOWN],
    ['a text as events', { events: 'order.paid' }, 'events', words.EVENTS_REQUIRED],
    ['this site', { url: 'https://lakeside.sideline.localhost/api' }, 'url', words.URL_OUR_OWN],
  ])('with %s is refused', async (_what, fields, field, message) => {
    const answer = await add(fields);
    expect(answer.statusCode).toBe(422);
    const { errors } = answer.json<{ errors: Record<string, string[]> }>();
    expect(Object.values(errors).flat(), field).toContain(message);
    expect((await list()).json()).toEqual({ webhook_endpoints: [] });
  });

  test('is refused for a sixth, also when many are added at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 9 }, () => add()));
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([
      201, 201, 201, 201, 201, 409, 409, 409, 409,
    ]);
    expect((await add()).json()).toMatchObject({ error: words.TOO_MANY_ENDPOINTS });
    const { webhook_endpoints } = (await list()).json<{ webhook_endpoints: words.Endpoint[] }>();
    expect(webhook_endpoints).toHaveLength(5);
    expect((await one('DELETE', String(webhook_endpoints[2]?.id))).statusCode).toBe(204);
    expect((await add()).statusCode).toBe(201);
  });

  test('and changing the address or the secret need a recent password', async () => {
    const { webhook_endpoint: endpoint } = await added();
    await server.data.ownerQuery("update sessions set confirmed_at = now() - interval '11 minutes'");
    const refused = [
      await add(),
      await change(endpoint.id, { url: 'https://elsewhere.org/' }),
      await one('POST', `${endpoint.id}/secret`),
    ];
    for (const answer of refused) {
      expect(answer.statusCode).toBe(401);
      expect(answer.json()).toMatchObject({ error: CONFIRM_PASSWORD_FIRST });
    }
    expect((await change(endpoint.id, { events: ['payout.paid'], active: false })).statusCode).toBe(200);
  });
});

describe('webhooks of an organization', () => {
  test('are managed by its owner, the parent’s members and platform admins, and no one else', async () => {
    const { webhook_endpoint: endpoint } = await added();
    const [failed] = await deliver(endpoint.id, 'failed');
    const calls = [
      ['GET', `/api/v1/organizations/${people.hawks.id}/webhook_endpoints`, undefined],
      [
        'POST',
        `/api/v1/organizations/${people.hawks.id}/webhook_endpoints`,
        { webhook_endpoint: { url: URL, events: ['order.paid'] } },
      ],
      ['PUT', `/api/v1/webhook_endpoints/${endpoint.id}`, { webhook_endpoint: { active: false } }],
      ['POST', `/api/v1/webhook_endpoints/${endpoint.id}/secret`, undefined],
      ['POST', `/api/v1/webhook_endpoints/${endpoint.id}/test`, undefined],
      ['GET', `/api/v1/webhook_endpoints/${endpoint.id}/deliveries`, undefined],
      ['POST', `/api/v1/webhook_endpoints/${endpoint.id}/deliveries/${failed}/replay`, undefined],
      ['POST', `/api/v1/webhook_endpoints/${endpoint.id}/replay_failed`, undefined],
      ['DELETE', `/api/v1/webhook_endpoints/${endpoint.id}`, undefined],
    ] as const;
    const strangers: [As, number][] = [
      [null, 401],
      [people.tokens.neighbor, 404],
      [people.tokens.foreigner, 404],
      [editor, 404],
    ];
    for (const [as, status] of strangers)
      for (const [method, url, payload] of calls) {
        const answer = await server.call({ method, url, as, ...(payload ? { payload } : {}) });
        expect(answer.statusCode, `${method} ${url}`).toBe(status);
        expect(answer.body).not.toContain('hawks-club');
      }
    // A contributor has a key and no session.
    for (const [method, url, payload] of calls) {
      const headers = { 'x-contribute-key': 'AAAAAAAAAAAAAAAAAAAAAA' };
      expect((await server.call({ method, url, headers, ...(payload ? { payload } : {}) })).statusCode).toBe(401);
    }
    const [row] = await server.data.ownerQuery(
      `select e.active, e.former_secret, (select count(*)::int from webhook_deliveries) as messages, (select count(*)::int from webhook_endpoints) as endpoints
         from webhook_endpoints e`,
    );
    expect(row).toEqual({ active: true, former_secret: null, messages: 1, endpoints: 1 });
    for (const as of [people.tokens.owner, people.tokens.parentMember, people.tokens.admin])
      expect((await list(as)).statusCode).toBe(200);
  });

  test('of a parent belong to it alone', async () => {
    expect((await add({}, people.tokens.parentMember, people.parent.id)).statusCode).toBe(201);
    expect((await list()).json()).toEqual({ webhook_endpoints: [] });
    for (const as of [people.tokens.owner, people.tokens.neighbor, people.tokens.foreigner])
      expect((await list(as, people.parent.id)).statusCode).toBe(404);
  });

  test('are invisible to the database’s other tenants', async () => {
    const { webhook_endpoint: endpoint } = await added();
    await deliver(endpoint.id, 'failed');
    const seen = (organizationIds: number[]) =>
      server.platform.database.read({ kind: 'tenants', organizationIds }, async (db) => [
        (await db.selectFrom('webhook_endpoints').select('id').execute()).length,
        (await db.selectFrom('webhook_deliveries').select('id').execute()).length,
      ]);
    expect(await seen([people.hawks.id])).toEqual([1, 1]);
    expect(await seen([people.tides.id, people.parent.id])).toEqual([0, 0]);
    await expect(
      server.platform.database.write({ kind: 'tenants', organizationIds: [people.tides.id] }, (tx) =>
        tx
          .insertInto('webhook_deliveries')
          .values({
            organization_id: people.hawks.id,
            endpoint_id: endpoint.id,
            event_id: crypto.randomUUID(),
            type: 'x',
            facts: '{}',
          })
          .execute(),
      ),
    ).rejects.toThrow('row-level security');
    await expect(
      server.platform.database.write({ kind: 'tenants', organizationIds: [people.tides.id] }, (tx) =>
        sql`select write_webhook(${people.hawks.id}, 'order.paid', '{}')`.execute(tx),
      ),
    ).rejects.toThrow('permission denied');
  });

  test('are in the audit log for each change, without secrets', async () => {
    const { secret, webhook_endpoint: endpoint } = await added();
    await change(endpoint.id, { events: [...WEBHOOK_TYPES], active: false });
    await change(endpoint.id, { active: true });
    const rotated = (await one('POST', `${endpoint.id}/secret`)).json<words.EndpointWithSecret>();
    await deliver(endpoint.id, 'failed', 2);
    await one('POST', `${endpoint.id}/replay_failed`);
    await one('DELETE', String(endpoint.id));
    const lines = await server.data.ownerQuery<{
      action: string;
      details: Record<string, unknown>;
      organization: number;
    }>(
      `select action, details, organization_id as organization from audit_log where object_type = 'webhook' and object_id = $1 order by id`,
      [String(endpoint.id)],
    );
    expect(lines.map(({ action }) => action)).toEqual([
      'webhook.added',
      'webhook.changed',
      'webhook.changed',
      'webhook.secret_rotated',
      'webhook.replayed',
      'webhook.deleted',
    ]);
    expect(lines[1]?.details).toMatchObject({ host: 'hooks.hawks-club.org', active_before: true, active: false });
    const text = JSON.stringify(lines);
    for (const hidden of ['s3cret', secret, rotated.secret]) expect(text).not.toContain(hidden);
    expect(new Set(lines.map(({ organization }) => organization))).toEqual(new Set([people.hawks.id]));
  });
});

describe('changing a webhook', () => {
  test('keeps absent fields, and resets failures when the address changes', async () => {
    const { webhook_endpoint: endpoint } = await added();
    await server.data.ownerQuery('update webhook_endpoints set failures = 3, failing_since = now()');
    expect((await change(endpoint.id, { events: ['photo.ready'] })).json()).toMatchObject({
      url: URL,
      events: ['photo.ready'],
      failing_since: expect.any(String),
    });
    const url = 'https://hooks.hawks-club.org:8443/next';
    expect((await change(endpoint.id, { url })).json()).toMatchObject({ url, failing_since: null });
    expect((await change(endpoint.id, { url: 'https://10.0.0.1/' })).json()).toMatchObject({
      errors: { 'webhook_endpoint.url': [words.URL_NOT_PUBLIC] },
    });
  });

  test('turns a paused one on again', async () => {
    const { webhook_endpoint: endpoint } = await added();
    await server.data.ownerQuery(
      "update webhook_endpoints set active = false, paused_at = now(), failures = 9, failing_since = now() - interval '3 days', retry_at = now() + interval '1 hour'",
    );
    expect((await change(endpoint.id, { active: true })).json()).toMatchObject({
      active: true,
      paused_at: null,
      failing_since: null,
    });
    expect(await server.data.ownerQuery('select failures, retry_at from webhook_endpoints')).toEqual([
      { failures: 0, retry_at: null },
    ]);
  });
});

describe('the delivery log', () => {
  test('is paged by key, newest first, and filtered by state', async () => {
    const { webhook_endpoint: endpoint } = await added();
    const { webhook_endpoint: other } = await added();
    await deliver(other.id, 'failed');
    const ids = [...(await deliver(endpoint.id, 'delivered', 3)), ...(await deliver(endpoint.id, 'failed', 2))];
    const read = async (query: string) =>
      (await one('GET', `${endpoint.id}/deliveries${query}`)).json<words.Deliveries>();
    const first = await read('?limit=2');
    expect(first.deliveries.map(({ id }) => id)).toEqual([ids[4], ids[3]]);
    const rest = await read(`?limit=3&after=${first.next}`);
    expect([rest.deliveries.map(({ id }) => id), rest.next]).toEqual([[ids[2], ids[1], ids[0]], null]);
    expect((await read('?state=failed')).deliveries.map(({ id }) => id)).toEqual([ids[4], ids[3]]);
    for (const query of ['?state=lost', '?limit=0', '?after=x'])
      expect((await one('GET', `${endpoint.id}/deliveries${query}`)).statusCode, query).toBe(422);
  });

  test('sends one again with its id, but not a waiting one or another webhook’s', async () => {
    const { webhook_endpoint: endpoint } = await added();
    const { webhook_endpoint: other } = await added();
    const [delivered] = await deliver(endpoint.id, 'delivered');
    const [waiting] = await deliver(endpoint.id, 'waiting');
    const again = await one('POST', `${endpoint.id}/deliveries/${delivered}/replay`);
    expect([again.statusCode, again.json()]).toMatchObject([202, { id: delivered, state: 'waiting' }]);
    expect((await one('POST', `${endpoint.id}/deliveries/${waiting}/replay`)).json()).toMatchObject({
      error: words.STILL_WAITING,
    });
    expect((await one('POST', `${other.id}/deliveries/${delivered}/replay`)).statusCode).toBe(404);
    expect((await one('POST', `${endpoint.id}/deliveries/999999/replay`)).statusCode).toBe(404);
  });

  test('sends all failed ones again, and nothing else', async () => {
    const { webhook_endpoint: endpoint } = await added();
    await deliver(endpoint.id, 'failed', 3);
    await deliver(endpoint.id, 'delivered', 2);
    expect((await one('POST', `${endpoint.id}/replay_failed`)).json()).toEqual({ replayed: 3 });
    expect((await one('POST', `${endpoint.id}/replay_failed`)).json()).toMatchObject({ error: words.NOTHING_FAILED });
    expect(await server.data.ownerQuery("select from webhook_deliveries where state = 'waiting'")).toHaveLength(3);
  });

  test('sends nothing while the webhook is off', async () => {
    const { webhook_endpoint: endpoint } = await added();
    const [failed] = await deliver(endpoint.id, 'failed');
    await change(endpoint.id, { active: false });
    for (const path of ['test', 'replay_failed', `deliveries/${failed}/replay`]) {
      const answer = await one('POST', `${endpoint.id}/${path}`);
      expect([answer.statusCode, answer.json()]).toMatchObject([409, { error: words.ENDPOINT_IS_OFF }]);
    }
  });

  test.each([
    ['tests', words.TESTS_AN_HOUR, 'test', 202, 'webhook-tests'],
    ['replays of one', words.REPLAYS_AN_HOUR, 'deliveries/1/replay', 404, 'webhook-replays'],
    ['replays of all that failed', words.REPLAYS_OF_ALL_AN_HOUR, 'replay_failed', 409, 'webhook-replays-of-all'],
  ])('has a limit of %s an hour: %d', async (_what, limit, path, status, counter) => {
    const { webhook_endpoint: endpoint } = await added();
    const { webhook_endpoint: other } = await added();
    const ask = async () => (await one('POST', `${endpoint.id}/${path}`)).statusCode;
    expect(await ask()).toBe(status);
    const counted = 'update rate_counters set hits = hits + $2 where bucket ~ $1 returning hits';
    expect(await server.data.ownerQuery(counted, [`^${counter}:`, limit - 2])).toEqual([{ hits: limit - 1 }]);
    expect(await ask()).toBe(status);
    for (const { id } of [endpoint, other]) {
      const answer = await one('POST', `${id}/${path}`);
      expect(answer.statusCode).toBe(429);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
  });
});

test('deliveries older than thirty days are deleted by the nightly job, and nothing else', async () => {
  const { webhook_endpoint: endpoint } = await added();
  const [oldest] = await deliver(endpoint.id, 'delivered', 3);
  await server.data.ownerQuery(
    "update webhook_deliveries set occurred_at = now() - interval '1 day' * (case when id = $1 then 31 else 29 end)",
    [oldest],
  );
  expect(await server.app.webhookEndpoints.forgetOld()).toBe(1);
  expect(await server.data.ownerQuery('select from webhook_deliveries where id <> $1', [oldest])).toHaveLength(2);
});

test('a signature matches the example of Standard Webhooks', () => {
  const body = '{"test": 2432232314}';
  const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', atSeconds: 1614265330, body };
  expect(sign('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', message)).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  );
});
