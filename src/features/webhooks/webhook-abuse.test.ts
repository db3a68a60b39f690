/** What one user with a free account could do with webhooks to everyone else, and to a machine that is not a receiver. */
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { EndpointWithSecret } from '#src/features/webhooks/webhooks.contract.ts';
import { SENDS_A_MINUTE } from '#src/features/webhooks/webhooks.contract.ts';
import { createWebhookSender } from '#src/features/webhooks/webhook-sending.service.ts';
import { createOrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { siteOrigin } from '#src/shared/addresses.ts';
import { addReadyPhoto, openGallery, settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';
import { useReceiver } from '#tests/support/webhook-receiver.ts';

const server = useTestServer({ env: { WEBHOOKS_TO_LOCALHOST: '1' } });
const receiver = useReceiver();
let people: Neighborhood;

beforeAll(async () => {
  people = await settleAnother(server);
});
beforeEach(() => receiver.forget());
afterEach(async () => {
  await server.data.ownerQuery('delete from webhook_endpoints');
  await server.data.ownerQuery('delete from rate_counters');
});

const call = (method: 'POST' | 'PUT', url: string, payload?: object) =>
  server.call({ method, url, as: people.tokens.owner, ...(payload ? { payload } : {}) });

async function addEndpoint(events = ['gallery.published']): Promise<number> {
  const body = { webhook_endpoint: { url: receiver.url, events } };
  const answer = await call('POST', `/api/v1/organizations/${people.hawks.id}/webhook_endpoints`, body);
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<EndpointWithSecret>().webhook_endpoint.id;
}
const happen = (id: number, times = 1) =>
  server.data.ownerQuery(
    `insert into webhook_deliveries (organization_id, endpoint_id, event_id, type, facts)
     select $1, $2, gen_random_uuid(), 'webhook.test', '{}' from generate_series(1, $3::int)`,
    [people.hawks.id, id, times],
  );
const sendDue = () => server.app.webhookSender.sendDue();
const isSlow = async (id: number) =>
  (await server.data.ownerQuery<{ slow: boolean }>('select slow from webhook_endpoints where id = $1', [id]))[0]?.slow;

/** A sender for which `slowMs` is long. */
const impatient = () =>
  createWebhookSender({
    ...server.platform,
    organizations: createOrganizationService(server.platform),
    members: async () => [],
    origin: siteOrigin('sideline.localhost', 3000),
    begin: null,
    observeJob: () => undefined,
    slowMs: 100,
  });

describe('a receiver that refuses messages permanently', () => {
  test('sends the organization’s members only a few emails a day, even if it is switched on again and again', async () => {
    receiver.answer = () => ({ status: 410 });
    const id = await addEndpoint();
    for (let time = 0; time < 8; time++) {
      await call('PUT', `/api/v1/webhook_endpoints/${id}`, { webhook_endpoint: { active: true } });
      await happen(id);
      expect(await sendDue()).toBe(1);
      await server.data.ownerQuery('update webhook_deliveries set due_at = now()');
    }
    const rows = await server.data.ownerQuery<{ paused: boolean }>(
      'select paused_at is not null as paused from webhook_endpoints where id = $1',
      [id],
    );
    expect(rows).toEqual([{ paused: true }]);
    const emails = await server.data.ownerQuery(
      "select from mail_outbox where recipient = $1 and subject like '%paused%'",
      [people.emails.owner],
    );
    expect(emails).toHaveLength(5);
  });
});

describe('adding or redirecting a webhook', () => {
  test('notifies the organization’s members by email, with its host only, a few times a day', async () => {
    await server.data.ownerQuery("delete from mail_outbox where subject like 'New webhook%'");
    const told = () =>
      server.data.ownerQuery<{ recipient: string; text: string }>(
        "select recipient, html || body_text as text from mail_outbox where subject like 'New webhook%' order by id",
      );
    const id = await addEndpoint();
    expect(await told()).toMatchObject([{ recipient: people.emails.owner }]);
    const change = (body: object) => call('PUT', `/api/v1/webhook_endpoints/${id}`, { webhook_endpoint: body });
    await change({ events: ['order.paid'] });
    expect(await told()).toHaveLength(1);
    for (let time = 0; time < 14; time++) await change({ url: `${receiver.url}/secret-${time}` });
    const emails = await told();
    expect(emails).toHaveLength(10);
    expect(emails.filter(({ text }) => text.includes('secret'))).toEqual([]);
    expect(emails.at(-1)?.text).toContain(new URL(receiver.url).host);
  });
});

describe('places for fast receivers', () => {
  test('are not given to new ones, nor to slow ones that are switched on again', async () => {
    const id = await addEndpoint();
    expect(await isSlow(id)).toBe(true);
    await happen(id);
    await sendDue();
    expect(await isSlow(id), 'it was quick').toBe(false);
    receiver.answer = () => ({ afterMs: 150 });
    await happen(id);
    await impatient().sendDue();
    expect(await isSlow(id)).toBe(true);
    const body = { webhook_endpoint: { active: true, url: `${receiver.url}/elsewhere` } };
    expect((await call('PUT', `/api/v1/webhook_endpoints/${id}`, body)).statusCode).toBe(200);
    expect(await isSlow(id)).toBe(true);
  });

  test('are lost after the first slow message', async () => {
    const id = await addEndpoint();
    await server.data.ownerQuery('update webhook_endpoints set slow = false');
    await happen(id, 12);
    receiver.answer = () => ({ afterMs: 150 });
    expect(await impatient().sendDue(), 'four at a time, once').toBe(4);
    expect(await isSlow(id)).toBe(true);
    expect(await impatient().sendDue(), 'on a slow one’s place: all').toBe(8);
  });
});

describe('a machine that is not a receiver', () => {
  test('gets no more messages in a minute than one organization may send', async () => {
    const id = await addEndpoint();
    await server.data.ownerQuery(
      `insert into rate_counters (bucket, window_start, hits)
       select 'webhooks:' || $1::bigint || ':minute', at, $2 from generate_series(date_trunc('minute', now()), now() + interval '1 minute', interval '1 minute') at`,
      [people.hawks.id, SENDS_A_MINUTE],
    );
    await happen(id, 3);
    expect(await sendDue()).toBe(0);
    expect(receiver.received).toEqual([]);
    const [row] = await server.data.ownerQuery<{ wait: number; failures: number }>(
      'select round(extract(epoch from retry_at - now()))::int as wait, failures from webhook_endpoints where id = $1',
      [id],
    );
    expect(row).toEqual({ wait: 10, failures: 0 });
  });

  test('gets one message about a gallery in ten minutes, however often it is hidden and published', async () => {
    const id = await addEndpoint();
    const galleryId = await openGallery(server, people.tokens.owner, people.hawks.id);
    await addReadyPhoto(server, { id: galleryId, organizationId: people.hawks.id });
    const other = await openGallery(server, people.tokens.owner, people.hawks.id);
    await addReadyPhoto(server, { id: other, organizationId: people.hawks.id });
    const noted = async () =>
      (
        await server.data.ownerQuery<{ gallery: string }>(
          "select facts ->> 'galleryId' as gallery from webhook_deliveries where endpoint_id = $1 and type = 'gallery.published' order by id",
          [id],
        )
      ).map(({ gallery }) => Number(gallery));
    expect(await noted()).toEqual([galleryId, other]);
    for (let time = 0; time < 5; time++)
      for (const isPrivate of [true, false]) {
        const body = { gallery: { is_private: isPrivate } };
        expect((await call('PUT', `/api/v1/galleries/${galleryId}`, body)).statusCode).toBe(200);
      }
    expect(await noted()).toEqual([galleryId, other]);
    await server.data.ownerQuery("update webhook_deliveries set occurred_at = now() - interval '11 minutes'");
    for (const isPrivate of [true, false])
      await call('PUT', `/api/v1/galleries/${galleryId}`, { gallery: { is_private: isPrivate } });
    expect(await noted()).toEqual([galleryId, other, galleryId]);
  });
});

describe('a busy affiliate', () => {
  const full = (bucket: string) =>
    server.data.ownerQuery(
      `insert into rate_counters (bucket, window_start, hits)
       select $1, at, $2 from generate_series(date_trunc('minute', now()), now() + interval '1 minute', interval '1 minute') at`,
      [`webhooks:${bucket}:minute`, SENDS_A_MINUTE],
    );
  const named = () =>
    receiver.received.map(({ body }) => (JSON.parse(body) as { organization_id: number }).organization_id);

  /** An endpoint of the parent with messages of its affiliate, all due before the parent's. */
  async function ofParent({ own, below }: { own: number; below: number }): Promise<void> {
    const [row] = await server.data.ownerQuery<{ id: number }>(
      `insert into webhook_endpoints (organization_id, place, url, events, of_affiliates, secret)
       select $1, 1, $2, '{order.paid}', true, secret from webhook_endpoints where id = $3 returning id`,
      [people.parent.id, receiver.url, await addEndpoint()],
    );
    for (const [about, count, secondsAgo] of [
      [people.hawks.id, below, 60],
      [null, own, 1],
    ])
      await server.data.ownerQuery(
        `insert into webhook_deliveries (organization_id, endpoint_id, event_id, type, facts, about_organization_id, due_at)
         select $1, $2, gen_random_uuid(), 'webhook.test', '{}', $3, now() - make_interval(secs => $5)
           from generate_series(1, $4::int)`,
        [people.parent.id, row?.id, about, count, secondsAgo],
      );
  }

  test('waits behind its parent’s own messages, however long it has waited', async () => {
    await ofParent({ own: 2, below: 30 });
    expect(await sendDue()).toBe(20);
    expect(named().slice(0, 4).toSorted()).toEqual(
      [people.hawks.id, people.hawks.id, people.parent.id, people.parent.id].toSorted(),
    );
    expect(await sendDue()).toBe(12);
  });

  test('that has reached its limit uses up nothing of its parent’s, and delays nothing', async () => {
    await full(`${people.parent.id}:affiliates`);
    await ofParent({ own: 1, below: 30 });
    expect(await sendDue()).toBe(1);
    expect(named()).toEqual([people.parent.id]);
    expect(await sendDue()).toBe(0);
    const late = 'select from webhook_endpoints where retry_at > now()';
    expect(await server.data.ownerQuery(late), 'the next own one is sent at once').toEqual([]);
  });

  test('still sends to its parent’s webhook when its parent has reached the limit', async () => {
    await full(String(people.parent.id));
    await ofParent({ own: 3, below: 2 });
    expect(await sendDue()).toBe(2);
    expect(named()).toEqual([people.hawks.id, people.hawks.id]);
  });
});
