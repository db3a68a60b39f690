/** Sending: signed, at least once, with pauses, without delaying others, and never into a private network. */
import { createHmac } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { takeEndpoints } from '#src/features/webhooks/webhook-deliveries.sql.ts';
import { WEBHOOK_TYPES } from '#src/features/webhooks/webhook-events.contract.ts';
import { createWebhookSender, type WebhookSenderDeps } from '#src/features/webhooks/webhook-sending.service.ts';
import type { Deliveries, EndpointWithSecret } from '#src/features/webhooks/webhooks.contract.ts';
import { createOrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { tooMany } from '#src/platform/limits/rate-limits.ts';
import { NOT_REACHABLE } from '#src/platform/outgoing/public-addresses.ts';
import { siteOrigin } from '#src/shared/addresses.ts';
import { openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';
import { useReceiver } from '#tests/support/webhook-receiver.ts';

const server = useTestServer({ env: { WEBHOOKS_TO_LOCALHOST: '1', RATE_LIMIT_FACTOR: '100' } });
const receiver = useReceiver();
let people: Neighborhood;
let galleryId: number;

beforeAll(async () => {
  people = await settleNeighborhood(server);
  galleryId = await openGallery(server, people.tokens.owner, people.hawks.id);
});
beforeEach(() => receiver.forget());
afterEach(async () => {
  await server.data.ownerQuery('delete from webhook_endpoints');
  await server.data.ownerQuery('delete from mail_outbox');
});

async function addEndpoint(url = receiver.url, { as = people.tokens.owner, of = people.hawks.id } = {}) {
  const payload = { webhook_endpoint: { url, events: WEBHOOK_TYPES } };
  const answer = await server.call({
    method: 'POST',
    url: `/api/v1/organizations/${of}/webhook_endpoints`,
    as,
    payload,
  });
  expect(answer.statusCode, answer.body).toBe(201);
  // The emails belong to another test.
  await server.data.ownerQuery('delete from mail_outbox');
  const { secret, webhook_endpoint: endpoint } = answer.json<EndpointWithSecret>();
  return { secret, id: endpoint.id };
}
const post = (id: number, what: string) =>
  server.call({ method: 'POST', url: `/api/v1/webhook_endpoints/${id}/${what}`, as: people.tokens.owner });
/** Queues messages for the endpoint. */
async function happen(id: number, times = 1): Promise<void> {
  await server.data.ownerQuery(
    `insert into webhook_deliveries (organization_id, endpoint_id, event_id, type, facts)
     select $1, $2, gen_random_uuid(), 'webhook.test', '{}' from generate_series(1, $3::int)`,
    [people.hawks.id, id, times],
  );
}
const log = async (id: number, query = '') =>
  (
    await server.call({
      method: 'GET',
      url: `/api/v1/webhook_endpoints/${id}/deliveries${query}`,
      as: people.tokens.owner,
    })
  ).json<Deliveries>().deliveries;
const sendDue = () => server.app.webhookSender.sendDue();
/** Makes all messages due and ends all pauses. */
const hurry = async () => {
  await server.data.ownerQuery('update webhook_deliveries set due_at = now()');
  await server.data.ownerQuery('update webhook_endpoints set retry_at = null, taken_until = null');
};
const endpointRow = async (id: number) =>
  (
    await server.data.ownerQuery<{ active: boolean; failures: number; slow: boolean; wait: number; taken: boolean }>(
      `select active, failures, slow, coalesce(round(extract(epoch from retry_at - now())), 0)::int as wait,
              taken_until is not null as taken from webhook_endpoints where id = $1`,
      [id],
    )
  )[0];
const signatureOf = (secret: string, id: string, at: string, body: string) =>
  `v1,${createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
    .update(`${id}.${at}.${body}`)
    .digest('base64')}`;

describe('a message', () => {
  test('is posted once, signed, and its result is in the log', async () => {
    receiver.answer = () => ({ text: 'thank you\u0000' });
    const { id, secret } = await addEndpoint();
    expect((await post(id, 'test')).statusCode).toBe(202);
    expect(await sendDue()).toBe(1);
    expect(await sendDue()).toBe(0);
    const [got] = receiver.received;
    expect(receiver.received).toHaveLength(1);
    const { 'webhook-id': eventId = '', 'webhook-timestamp': at = '' } = got?.headers ?? {};
    expect(got?.headers['webhook-signature']).toBe(signatureOf(secret, eventId, at, got?.body ?? ''));
    expect(Math.abs(Number(at) - Date.now() / 1000)).toBeLessThan(60);
    expect(got?.headers['content-type']).toBe('application/json');
    expect(await log(id)).toEqual([
      {
        id: expect.any(Number),
        event_id: eventId,
        type: 'webhook.test',
        organization_id: people.hawks.id,
        organization_name: 'hawks',
        occurred_at: expect.any(String),
        state: 'delivered',
        attempts: 1,
        attempted_at: expect.any(String),
        status: 200,
        duration_ms: expect.any(Number),
        answer: 'thank you',
        next_attempt_at: null,
      },
    ]);
  });

  test('that is refused is sent again with the same id, after growing pauses, until it is accepted', async () => {
    const { id, secret } = await addEndpoint();
    await happen(id);
    receiver.answer = () => ({ status: 500, text: 'x'.repeat(2_000) });
    const pauses: number[] = [];
    for (let round = 0; round < 8; round++) {
      await hurry();
      expect(await sendDue()).toBe(1);
      const [row] = await server.data.ownerQuery<{ wait: number }>(
        'select extract(epoch from due_at - now())::float8 as wait from webhook_deliveries',
      );
      pauses.push(row?.wait ?? 0);
    }
    for (const [round, pause] of [5, 60, 300, 1_800, 7_200, 21_600, 43_200, 43_200].entries()) {
      expect(pauses[round]).toBeGreaterThan(pause - 5);
      expect(pauses[round]).toBeLessThan(pause * 1.21);
    }
    expect(await log(id)).toMatchObject([
      { state: 'waiting', attempts: 8, status: 500, answer: `${'x'.repeat(499)}…` },
    ]);
    receiver.answer = () => ({ status: 204 });
    await hurry();
    expect(await sendDue()).toBe(1);
    expect(await log(id)).toMatchObject([{ state: 'delivered', attempts: 9, status: 204, answer: '' }]);
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(1);
    for (const { headers, body } of receiver.received)
      expect(headers['webhook-signature']).toBe(
        signatureOf(secret, headers['webhook-id'] ?? '', headers['webhook-timestamp'] ?? '', body),
      );
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  });

  test('that fails when its four days are over is given up', async () => {
    const { id } = await addEndpoint();
    await happen(id);
    await server.data.ownerQuery("update webhook_deliveries set give_up_at = now() - interval '1 second'");
    receiver.answer = () => ({ status: 503 });
    await sendDue();
    expect(await log(id)).toMatchObject([{ state: 'failed', attempts: 1, next_attempt_at: null }]);
    expect(await endpointRow(id)).toMatchObject({ active: true });
  });

  test('is signed with both secrets for a day after a rotation, and then with the new one', async () => {
    const { id, secret } = await addEndpoint();
    const rotated = (await post(id, 'secret')).json<EndpointWithSecret>();
    expect(rotated.secret).not.toBe(secret);
    await happen(id);
    await sendDue();
    await server.data.ownerQuery("update webhook_endpoints set former_until = now() - interval '1 second'");
    await happen(id);
    await sendDue();
    const signatures = receiver.received.map(({ headers, body }) => {
      const of = (each: string) =>
        signatureOf(each, headers['webhook-id'] ?? '', headers['webhook-timestamp'] ?? '', body);
      return [headers['webhook-signature'], `${of(rotated.secret)} ${of(secret)}`, of(rotated.secret)];
    });
    expect(signatures[0]?.[0]).toBe(signatures[0]?.[1]);
    expect(signatures[1]?.[0]).toBe(signatures[1]?.[2]);
  });

  test('does not follow a redirect', async () => {
    receiver.answer = () => ({ status: 307, headers: { location: `${receiver.url}/elsewhere` } });
    const { id } = await addEndpoint();
    await happen(id);
    await sendDue();
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hooks']);
    expect(await log(id)).toMatchObject([{ state: 'waiting', status: 307 }]);
  });

  test('without a response in time has failed, and says so', async () => {
    receiver.answer = () => ({ afterMs: 5_000 });
    const { id } = await addEndpoint();
    await happen(id);
    await senderWith({ attemptMs: 100 }).sendDue();
    expect(await log(id)).toMatchObject([{ state: 'waiting', status: null, answer: 'No answer within 0.1 seconds.' }]);
  });
});

/** Another worker, with other settings. */
const senderWith = (other: Partial<WebhookSenderDeps>) =>
  createWebhookSender({
    ...server.platform,
    organizations: createOrganizationService(server.platform),
    members: server.app.passwordChanges.members,
    origin: siteOrigin('sideline.localhost', 3000),
    ...other,
  });

describe('an endpoint', () => {
  test('that fails gets one message at a time, and all of them when it is back', async () => {
    const { id } = await addEndpoint();
    await happen(id, 30);
    receiver.answer = () => ({ status: 500 });
    await sendDue();
    // Those that were sent together.
    expect(receiver.received.length).toBeLessThanOrEqual(4);
    expect(await endpointRow(id)).toMatchObject({ failures: 1, wait: 5, taken: false });
    expect(await sendDue()).toBe(0);
    await hurry();
    expect(await sendDue()).toBe(1);
    expect(await endpointRow(id)).toMatchObject({ failures: 2, wait: 60 });
    receiver.answer = () => ({});
    for (const count of [1, 20, 9]) {
      await hurry();
      expect(await sendDue()).toBe(count);
    }
    expect((await log(id, '?limit=100')).filter(({ state }) => state === 'delivered')).toHaveLength(30);
    expect(await endpointRow(id)).toMatchObject({ failures: 0, wait: 0 });
  });

  test('is skipped for a quarter of an hour at most', async () => {
    const { id } = await addEndpoint();
    await happen(id);
    receiver.answer = () => ({ status: 500 });
    await server.data.ownerQuery('update webhook_endpoints set failures = 40');
    await sendDue();
    expect(await endpointRow(id)).toMatchObject({ failures: 41, wait: 900 });
  });

  test.each([
    ['that has failed for three days', 500, '3 days'],
    ['that says it is gone', 410, '1 second'],
  ])('%s is paused, and its members get an email', async (_which, status, since) => {
    const { id } = await addEndpoint(receiver.url, { as: people.tokens.parentMember });
    await happen(id, 3);
    receiver.answer = () => ({ status });
    await server.data.ownerQuery('update webhook_endpoints set failures = 9, failing_since = now() - $1::interval', [
      since,
    ]);
    await sendDue();
    expect(await endpointRow(id)).toMatchObject({ active: false });
    expect((await log(id)).map(({ state, answer }) => [state, answer])).toEqual([
      ['failed', 'The webhook was paused before it was sent.'],
      ['failed', 'The webhook was paused before it was sent.'],
      ['failed', ''],
    ]);
    const emails = await server.data.ownerQuery<{ recipient: string; subject: string; body_text: string }>(
      'select recipient, subject, body_text from mail_outbox',
    );
    expect(emails).toMatchObject([{ recipient: people.emails.owner, subject: 'A webhook of hawks is paused' }]);
    expect(emails[0]?.body_text).toContain(`http://lakeside.sideline.localhost:3000/hawks/webhooks/${id}`);
    // Nothing is recorded for it any more.
    await server.data.ownerQuery('update galleries set is_private = not is_private where id = $1', [galleryId]);
    expect(await log(id)).toHaveLength(3);
  });

  test('that has failed for a shorter time is not paused', async () => {
    const { id } = await addEndpoint();
    await happen(id);
    receiver.answer = () => ({ status: 500 });
    await server.data.ownerQuery(
      "update webhook_endpoints set failures = 9, failing_since = now() - interval '71 hours'",
    );
    await sendDue();
    expect(await endpointRow(id)).toMatchObject({ active: true, failures: 10 });
    expect(await server.data.ownerQuery('select from mail_outbox')).toEqual([]);
  });

  test('that is slow delays no other', async () => {
    const slow = await addEndpoint(`${receiver.url}/slow`);
    const quick = await addEndpoint(`${receiver.url}/quick`);
    await happen(slow.id, 8);
    const release = receiver.hold('/slow');
    const sending = sendDue();
    await expect.poll(() => receiver.received.filter(({ path }) => path.endsWith('/slow'))).toHaveLength(4);
    await happen(quick.id, 1);
    expect(await sendDue()).toBe(1);
    // No more than four at a time, while the other got its message.
    expect(receiver.received.filter(({ path }) => path.endsWith('/slow'))).toHaveLength(4);
    expect(await log(quick.id)).toMatchObject([{ state: 'delivered' }]);
    expect(await Promise.all([sending, release()])).toEqual([8, undefined]);
  });

  test('that is slow shares the places of all slow ones', async () => {
    const ids = [];
    for (const path of ['/a', '/b', '/c', '/d']) ids.push((await addEndpoint(receiver.url + path)).id);
    for (const id of ids) await happen(id);
    await server.data.ownerQuery('update webhook_endpoints set slow = id <> $1', [ids[3]]);
    const taken = await server.platform.database.write({ kind: 'system', why: 'test' }, (tx) =>
      takeEndpoints(tx, { limit: 10, slowLimit: 2, seconds: 60 }),
    );
    expect(taken).toHaveLength(3);
    expect(taken.filter(({ isSlow }) => isSlow)).toHaveLength(2);
    // Waiting endpoints come first in the next round, and no one else gets those that are taken.
    const next = await server.platform.database.write({ kind: 'system', why: 'test' }, (tx) =>
      takeEndpoints(tx, { limit: 10, slowLimit: 2, seconds: 60 }),
    );
    expect(next).toHaveLength(1);
    expect(taken.map(({ id }) => id)).not.toContain(next[0]?.id);
  });

  test('is marked as slow by its response time', async () => {
    const { id } = await addEndpoint();
    await happen(id);
    receiver.answer = () => ({ afterMs: 150 });
    await senderWith({ slowMs: 100 }).sendDue();
    expect(await endpointRow(id)).toMatchObject({ slow: true });
  });

  test('gets each message from one of several workers', async () => {
    const { id } = await addEndpoint();
    await happen(id, 15);
    const counts = await Promise.all([sendDue(), senderWith({}).sendDue(), senderWith({}).sendDue()]);
    expect(counts.toSorted((a, b) => a - b)).toEqual([0, 0, 15]);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(15);
  });

  test('of a worker that died is taken by another after a while', async () => {
    const { id } = await addEndpoint();
    await happen(id);
    await server.data.ownerQuery("update webhook_endpoints set taken_until = now() + interval '1 minute'");
    expect(await sendDue()).toBe(0);
    await server.data.ownerQuery("update webhook_endpoints set taken_until = now() - interval '1 second'");
    expect(await sendDue()).toBe(1);
  });

  test('of an organization that has reached its daily limit waits, and has not failed', async () => {
    const { id } = await addEndpoint();
    await happen(id, 2);
    const limits = {
      take: async ({ windowSeconds }: { windowSeconds: number }) => {
        if (windowSeconds === 86_400) throw tooMany(60);
      },
    };
    expect(await senderWith({ limits }).sendDue()).toBe(0);
    expect(await endpointRow(id)).toMatchObject({ failures: 0, wait: 600, taken: false });
    expect(await log(id)).toMatchObject([{ attempts: 0 }, { attempts: 0 }]);
    expect(receiver.received).toEqual([]);
  });

  test('of a deleted organization gets nothing', async () => {
    const { id } = await addEndpoint();
    await happen(id);
    await server.data.ownerQuery('update organizations set deleted_at = now() where id = $1', [people.hawks.id]);
    expect(await sendDue()).toBe(0);
    await server.data.ownerQuery('update organizations set deleted_at = null where id = $1', [people.hawks.id]);
  });
});

describe('a worker that is shutting down', () => {
  test('finishes running messages and starts no others', async () => {
    const { id } = await addEndpoint();
    await happen(id, 10);
    const release = receiver.hold();
    const sender = senderWith({});
    sender.start();
    await expect.poll(() => receiver.received.length).toBe(4);
    await Promise.all([sender.close(), release()]);
    expect((await log(id)).filter(({ state }) => state === 'delivered')).toHaveLength(4);
    expect(await endpointRow(id)).toMatchObject({ taken: false });
    expect(receiver.received).toHaveLength(4);
  });
});

describe('an address', () => {
  const strict = { config: { baseDomain: 'sideline.localhost', webhooksToLocalhost: false } };

  test('whose name resolves to a private network is not connected to, whatever it resolved to before', async () => {
    const { id } = await addEndpoint();
    await server.data.ownerQuery("update webhook_endpoints set url = 'https://hooks.club.org/' where id = $1", [id]);
    const answers = [['127.0.0.1'], ['10.0.0.7'], ['169.254.169.254'], ['::ffff:127.0.0.1'], []];
    const asked: string[] = [];
    const resolve = async (name: string) => {
      asked.push(name);
      return answers[asked.length - 1] ?? [];
    };
    await happen(id);
    for (const _answer of answers) {
      await hurry();
      expect(await senderWith({ config: strict.config, resolve }).sendDue()).toBe(1);
      expect(await log(id)).toMatchObject([{ state: 'waiting', status: null, answer: NOT_REACHABLE }]);
    }
    expect(asked).toEqual(answers.map(() => 'hooks.club.org'));
  });

  test('that is no longer allowed is not called', async () => {
    const { id } = await addEndpoint();
    await happen(id);
    expect(await senderWith({ config: strict.config }).sendDue()).toBe(1);
    expect(await log(id)).toMatchObject([
      { state: 'waiting', status: null, answer: 'The address must begin with https://.' },
    ]);
    expect(receiver.received).toEqual([]);
  });
});
