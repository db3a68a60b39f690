/** Events are sent as docs/webhooks.md says: its examples are what is sent, and its example receiver accepts them. */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  WEBHOOK_DATA,
  WEBHOOK_TYPES,
  webhookPayload,
  type WebhookType,
} from '#src/features/webhooks/webhook-events.contract.ts';
import type { Deliveries, Delivery, Endpoint, EndpointWithSecret } from '#src/features/webhooks/webhooks.contract.ts';
import type { BulkPayOutAnswer } from '#src/features/payouts/payouts.contract.ts';
import { openPictureLab } from '#src/platform/images/picture-lab.ts';
import { buyPhotos, openSale } from '#tests/support/bought-photos.ts';
import { sellDue } from '#tests/support/due-orders.ts';
import { openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { payWith } from '#tests/support/payer.ts';
import { addPhoto } from '#tests/support/photo-uploads.ts';
import { makeCoupon, useSheet } from '#tests/support/shop-sheets.ts';
import { useTestServer } from '#tests/support/test-server.ts';
import { useReceiver } from '#tests/support/webhook-receiver.ts';
import { freePort } from '#tests/load/product.ts';

const server = useTestServer({ env: { WEBHOOKS_TO_LOCALHOST: '1', RATE_LIMIT_FACTOR: '100' } });
const receiver = useReceiver();
const lab = openPictureLab({ concurrency: 1 });
afterAll(() => lab.close());
let people: Neighborhood;
let manual: string;

async function addEndpoint(
  url: string,
  events: readonly WebhookType[],
  of = people.hawks.id,
  ofAffiliates = false,
): Promise<EndpointWithSecret> {
  const answer = await server.call({
    method: 'POST',
    url: `/api/v1/organizations/${of}/webhook_endpoints`,
    as: people.tokens.admin,
    payload: { webhook_endpoint: { url, events, ...(ofAffiliates && { of_affiliates: true }) } },
  });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<EndpointWithSecret>();
}

beforeAll(async () => {
  people = await settleNeighborhood(server);
  manual = await readFile(join(import.meta.dirname, '../../../docs/webhooks.md'), 'utf8');
});
beforeEach(async () => {
  receiver.forget();
  await server.data.ownerQuery('delete from webhook_endpoints');
  await addEndpoint(receiver.url, WEBHOOK_TYPES);
});

const examples = () =>
  [...manual.matchAll(/```json\n(.*?)\n```/gs)].map(([, text = '']) => JSON.parse(text) as Payload);
type Payload = { type: string; organization_id: number; data: Record<string, unknown> };

/** The messages since the last call, in order. */
async function told(): Promise<Payload[]> {
  await server.app.webhookSender.sendDue();
  return receiver.received.splice(0).map(({ payload }) => payload as Payload);
}

/** Without ids and times, which differ each time. */
function withoutWhatVaries(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutWhatVaries(each));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutWhatVaries(each, key)]));
  if (name.endsWith('_id') && typeof value === 'number') return 'an id';
  if (/^(timestamp|paid_at|sales_from|sales_to)$/.test(name) && typeof value === 'string') {
    expect(value).toBe(new Date(value).toISOString());
    return 'a moment';
  }
  return value;
}

function expectAsInTheManual(payload: Payload | undefined): void {
  const example = examples().find(({ type }) => type === payload?.type);
  expect(withoutWhatVaries(payload)).toEqual(withoutWhatVaries(example));
  expect(payload?.organization_id).toBe(people.hawks.id);
  webhookPayload.parse(payload);
  WEBHOOK_DATA[payload?.type as WebhookType].parse(payload?.data);
}

test('the manual has an example of each event, and of no other', () => {
  expect(examples().map(({ type }) => type)).toEqual([...WEBHOOK_TYPES, 'webhook.test']);
});

describe('an event is sent as in the manual', () => {
  test('for a paid order, and for each of its refunds', async () => {
    const sale = await openSale(server, people.tokens.owner, people.hawks.id, { photos: 2, priceDollars: 4 });
    await told();
    const vanityId = await buyPhotos(server, [sale], { donation: '$5.00' });
    const [paid, ...others] = await told();
    expect(others).toEqual([]);
    expectAsInTheManual(paid);
    expect(JSON.stringify(paid)).not.toMatch(/buyer|ann|55401|4242/i);
    const give = (amount: number) =>
      server.call({
        method: 'POST',
        url: `/api/v1/orders/${vanityId}/refunds`,
        as: people.tokens.admin,
        payload: { reason: 'A wrong photo', refund_key: randomUUID(), amount },
      });
    expect((await give(3.5)).statusCode).toBe(201);
    const [refunded, ...more] = await told();
    expect(more).toEqual([]);
    expectAsInTheManual(refunded);
    expect(refunded?.data['order_id']).toBe(paid?.data['order_id']);
    expect((await give(9.5)).statusCode).toBe(201);
    expect(await told()).toMatchObject([{ data: { refund: 9.5, refunded_so_far: 13, refunded_in_full: true } }]);
  });

  test('for a free order, when it is placed', async () => {
    const sale = await openSale(server, people.tokens.owner, people.hawks.id, { photos: 1, priceDollars: 0 });
    await told();
    await buyPhotos(server, [sale]);
    expect(await told()).toMatchObject([{ type: 'order.paid', data: { total: 0, photo_count: 1 } }]);
  });

  test.each([
    ['a pass', 40, []],
    ['a pass for nothing', 0, ['ALLFREE']],
  ])('for an order of photos and %s, with both', async (_what, subtotal, codes) => {
    const { hawks, tokens } = people;
    const sale = await openSale(server, tokens.owner, hawks.id, { photos: 1, priceDollars: 4 });
    const content = {
      offers: [{ id: 1, kind: 'gallery_pass', priceCents: 4000 }],
      ownPricesTakePart: false,
      earlyBird: null,
    } as const;
    await useSheet(server.data, { sellerId: hawks.id, galleryId: sale.galleryId }, content);
    const code = { code: 'ALLFREE', kind: 'percent', value: 10_000, maxUses: 9 } as const;
    if (codes.length > 0) await makeCoupon(server.data, { sellerId: hawks.id }, code);
    await told();
    const email = `${randomUUID()}@buyers.test`;
    const user = { first_name: 'Ann', last_name: 'Buyer', email, confirm_email: email, zip: '10001' };
    const answer = await server.call({
      method: 'POST',
      url: '/api/v1/orders',
      payload: {
        order: { user, donation: '', taxes: 0, subtotal, org_id: hawks.id, checkout_key: randomUUID() },
        stripe_token: subtotal === 0 ? null : await payWith(server),
        items: [{ id: sale.photoIds[0], gallery_id: sale.galleryId, sales_price: 4 }],
        passes: [{ kind: 'gallery_pass', gallery_id: sale.galleryId }],
        codes,
      },
    });
    expect(answer.statusCode, answer.body).toBe(201);
    const [paid, ...more] = await told();
    expect(more).toEqual([]);
    expect(WEBHOOK_DATA['order.paid'].safeParse(paid?.data).success).toBe(true);
    expect(paid?.data).toMatchObject({
      subtotal,
      photos: [{ photo_id: sale.photoIds[0], price: 0 }],
      passes: [
        {
          kind: 'gallery_pass',
          gallery_id: sale.galleryId,
          price: subtotal,
          valid_until: expect.stringMatching(/^\d{4}-/),
        },
      ],
    });
  });

  test('for a ready photo, and for its gallery that now has something to show', async () => {
    const galleryId = await openGallery(server, people.tokens.owner, people.hawks.id, { name: 'Cup Final' });
    const photo = await addPhoto(server, people.tokens.owner, galleryId, { name: 'Goal' });
    expect(await told()).toEqual([]);
    await server.app.uploads.ingest(photo.id, lab);
    const events = await told();
    expect(events.map(({ type }) => type).toSorted()).toEqual(['gallery.published', 'photo.ready']);
    for (const event of events) expectAsInTheManual(event);
    // It is sent once, and again when the gallery is published again after ten minutes.
    const change = (is_private: boolean) =>
      server.call({
        method: 'PUT',
        url: `/api/v1/galleries/${galleryId}`,
        as: people.tokens.owner,
        payload: { gallery: { is_private } },
      });
    await server.data.ownerQuery("update webhook_deliveries set occurred_at = now() - interval '11 minutes'");
    await change(true);
    expect(await told()).toEqual([]);
    await change(false);
    expect(await told()).toMatchObject([{ type: 'gallery.published', data: { gallery_id: galleryId } }]);
  });

  test('for an approved photo of a contributor', async () => {
    const galleryId = await openGallery(server, people.tokens.owner, people.hawks.id);
    const [photo] = await server.data.ownerQuery<{ id: number }>(
      `with sender as (
         insert into gallery_contributors (gallery_id, organization_id, name, email) values ($1, $2, 'Ana', 'ana@families.test') returning id)
       insert into photos (gallery_id, organization_id, gallery_contributor_id, name, order_key, show_in_gallery)
       select $1, $2, id, 'Save', 'a0', false from sender returning id`,
      [galleryId, people.hawks.id],
    );
    await server.data.ownerQuery(
      `update photos set status = 'ready', width = 640, height = 480, thumbhash = '\\x01', original_key = 'o', original_sha256 = repeat('0', 64),
              original_bytes = 1 where id = $1`,
      [photo?.id],
    );
    expect(await told()).toMatchObject([{ type: 'photo.ready', data: { contributed: true, waits_for_review: true } }]);
    const decide = (decision: string) =>
      server.call({
        method: 'PUT',
        url: `/api/v1/galleries/${galleryId}/contributions`,
        as: people.tokens.owner,
        payload: { ids: [photo?.id], decision },
      });
    expect((await decide('approve')).statusCode).toBe(200);
    const events = await told();
    expect(events.map(({ type }) => type).toSorted()).toEqual(['gallery.published', 'photo.approved']);
    expectAsInTheManual(events.find(({ type }) => type === 'photo.approved'));
    expect(JSON.stringify(events)).not.toMatch(/ana/i);
    await decide('approve');
    expect(await told()).toEqual([]);
  });

  test('for a payout that was sent', async () => {
    // Not the organization whose sales were refunded.
    const seller = people.stranger.id;
    await addEndpoint(receiver.url, WEBHOOK_TYPES, seller);
    const due = await sellDue(server, seller, { amounts: [1000, 2000] });
    expect((await told()).map(({ type }) => type)).toEqual(['order.paid', 'order.paid']);
    const admin = people.tokens.admin;
    const ids = due.map(({ id }) => id);
    const made = await server.call({ method: 'POST', url: '/api/v1/orders/bulk-pay-out', as: admin, payload: { ids } });
    const [payout] = made.json<BulkPayOutAnswer>().payouts;
    expect(await told()).toEqual([]);
    const payload = { reference: 'ACH 2026-0615' };
    const confirm = () =>
      server.call({ method: 'POST', url: `/api/v1/payouts/${payout?.id}/confirm`, as: admin, payload });
    expect((await confirm()).statusCode).toBeLessThan(300);
    await confirm();
    const events = await told();
    expect(events).toHaveLength(1);
    expectAsInTheManual(events[0] && { ...events[0], organization_id: people.hawks.id });
    expect(events[0]?.data['payout_id']).toBe(payout?.id);
  });
});

describe('an event is recorded', () => {
  const waiting = () =>
    server.data.ownerQuery<{ type: string; organization_id: number }>(
      'select type, organization_id from webhook_deliveries',
    );

  test('in the transaction of the change: a rollback sends nothing', async () => {
    const galleryId = await openGallery(server, people.tokens.owner, people.hawks.id);
    await expect(
      server.platform.database.write({ kind: 'tenants', organizationIds: [people.hawks.id] }, async (tx) => {
        await tx.updateTable('galleries').set({ public_photo_count: 1 }).where('id', '=', galleryId).execute();
        throw new Error('it is undone');
      }),
    ).rejects.toThrow('undone');
    expect(await waiting()).toEqual([]);
  });

  test('for the webhooks that chose it, with one id for all of them, and for no other organization', async () => {
    await addEndpoint(`${receiver.url}/second`, ['order.paid', 'payout.paid']);
    await addEndpoint(`${receiver.url}/other`, ['photo.ready']);
    await addEndpoint(`${receiver.url}/neighbor`, WEBHOOK_TYPES, people.tides.id);
    await addEndpoint(`${receiver.url}/parent`, WEBHOOK_TYPES, people.parent.id);
    await addEndpoint(`${receiver.url}/above-others`, WEBHOOK_TYPES, people.stranger.id, true);
    await addEndpoint(`${receiver.url}/sister`, WEBHOOK_TYPES, people.tides.id, true);
    await sellDue(server, people.hawks.id, { amounts: [1000] });
    await server.app.webhookSender.sendDue();
    expect(receiver.received.map(({ path }) => path).toSorted()).toEqual(['/hooks', '/hooks/second']);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  test('for a parent that includes its affiliates, with the affiliate’s number and the same id', async () => {
    const { webhook_endpoint: endpoint } = await addEndpoint(
      `${receiver.url}/parent`,
      ['order.paid', 'photo.ready', 'gallery.published'],
      people.parent.id,
      true,
    );
    expect(endpoint.of_affiliates).toBe(true);
    await sellDue(server, people.hawks.id, { amounts: [1000] });
    const galleryId = await openGallery(server, people.tokens.neighbor, people.tides.id);
    const photo = await addPhoto(server, people.tokens.neighbor, galleryId);
    await server.app.uploads.ingest(photo.id, lab);
    await server.app.webhookSender.sendDue();
    const toParent = receiver.received.filter(({ path }) => path === '/hooks/parent');
    expect(toParent.map(({ payload }) => [payload.type, (payload as Payload).organization_id]).toSorted()).toEqual([
      ['gallery.published', people.tides.id],
      ['order.paid', people.hawks.id],
      ['photo.ready', people.tides.id],
    ]);
    const [own] = receiver.received.filter(({ path }) => path === '/hooks');
    const [same] = toParent.filter(({ payload }) => payload.type === 'order.paid');
    expect([same?.headers['webhook-id'], same?.payload]).toEqual([own?.headers['webhook-id'], own?.payload]);
    const url = `/api/v1/webhook_endpoints/${endpoint.id}/deliveries`;
    const log = (await server.call({ method: 'GET', url, as: people.tokens.parentMember })).json<Deliveries>();
    expect(log.deliveries.map(({ organization_id }) => organization_id).toSorted()).toEqual(
      [people.hawks.id, people.tides.id, people.tides.id].toSorted(),
    );
    // Members of the affiliate do not see it.
    expect((await server.call({ method: 'GET', url, as: people.tokens.owner })).statusCode).toBe(404);
  });

  test('for a parent only while it includes affiliates, and the affiliate belongs to it', async () => {
    const { webhook_endpoint: endpoint } = await addEndpoint(receiver.url, ['order.paid'], people.parent.id, true);
    const ofParent = async () =>
      (await waiting()).filter(({ organization_id }) => organization_id === people.parent.id).length;
    const leave = (parent: number | null) =>
      server.data.ownerQuery('update organizations set parent_organization_id = $2 where id = $1', [
        people.tides.id,
        parent,
      ]);
    await leave(people.stranger.id);
    await sellDue(server, people.tides.id, { amounts: [1000] });
    await leave(people.parent.id);
    expect(await ofParent()).toBe(0);
    await sellDue(server, people.tides.id, { amounts: [1000] });
    expect(await ofParent()).toBe(1);
    const url = `/api/v1/webhook_endpoints/${endpoint.id}`;
    const payload = { webhook_endpoint: { of_affiliates: false } };
    const changed = await server.call({ method: 'PUT', url, as: people.tokens.parentMember, payload });
    expect(changed.json<Endpoint>().of_affiliates).toBe(false);
    await sellDue(server, people.tides.id, { amounts: [1000] });
    expect(await ofParent()).toBe(1);
  });

  test('only where a webhook is on', async () => {
    await server.data.ownerQuery('update webhook_endpoints set active = false');
    await sellDue(server, people.hawks.id, { amounts: [1000] });
    await sellDue(server, people.stranger.id, { amounts: [1000] });
    expect(await waiting()).toEqual([]);
  });
});

describe('the example receiver of the manual', () => {
  let folder: string;
  let running: ChildProcess;
  let said = '';
  afterAll(async () => {
    running?.kill();
    await rm(folder, { recursive: true, force: true });
  });

  test('accepts our signed messages once, and refuses those of others', async () => {
    const [, program = ''] = /```js\n(.*?)\n```/s.exec(manual) ?? [];
    folder = await mkdtemp(join(tmpdir(), 'sideline-receiver-'));
    const file = join(folder, 'receiver.mjs');
    await writeFile(file, program);
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/`;
    const { secret, webhook_endpoint: endpoint } = await addEndpoint(url, ['payout.paid']);
    running = spawn(process.execPath, [file], {
      env: { ...process.env, NODE_OPTIONS: '', WEBHOOK_SECRET: secret, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    running.stdout?.setEncoding('utf8').on('data', (part: string) => (said += part));
    await expect.poll(() => said).toBe('listening\n');
    const post = async (what: string) => {
      const answer = await server.call({
        method: 'POST',
        url: `/api/v1/webhook_endpoints/${endpoint.id}/${what}`,
        as: people.tokens.owner,
      });
      expect(answer.statusCode, answer.body).toBeLessThan(300);
      await server.app.webhookSender.sendDue();
      return answer.json<Delivery>();
    };
    const { id } = await post('test');
    const told = 'webhook.test {"message":"This is a test event. Nothing has happened."}\n';
    await expect.poll(() => said).toBe(`listening\n${told}`);
    // The same event is accepted again, and not processed again.
    await post(`deliveries/${id}/replay`);
    // Also with a second secret; after a day only the new one signs, which this receiver does not have.
    await post('secret');
    await post('test');
    await expect.poll(() => said).toBe(`listening\n${told}${told}`);
    await server.data.ownerQuery("update webhook_endpoints set former_until = now() - interval '1 second'");
    await post('test');
    const log = await server.data.ownerQuery('select state, attempts, status from webhook_deliveries order by id');
    expect(log).toEqual([
      { state: 'delivered', attempts: 2, status: 204 },
      { state: 'delivered', attempts: 1, status: 204 },
      { state: 'waiting', attempts: 1, status: 401 },
    ]);
    const forged = await fetch(url, { method: 'POST', body: '{"type":"order.paid","data":{}}' });
    expect(forged.status).toBe(401);
    expect(said).toBe(`listening\n${told}${told}`);
  });
});
