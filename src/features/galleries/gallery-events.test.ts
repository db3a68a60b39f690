/** Uploads a photo like a browser, over a real connection, while its owner's page listens. */
import type { AddressInfo } from 'node:net';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createGalleryEvents } from '#src/features/galleries/gallery-events.service.ts';
import type { PhotoAnswer } from '#src/features/photos/photos.contract.ts';
import type { BuiltServer } from '#src/http/build-server.ts';
import { buildProduct } from '#src/server.ts';
import { openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { quartersJpeg } from '#tests/support/pictures.ts';
import { useTestServer } from '#tests/support/test-server.ts';
import { formEntries, jpegBlob, postForm } from '#tests/support/upload-form.ts';

const server = useTestServer({ works: true });
let people: Neighborhood;
let origin: string;
let listening: BuiltServer['server'];
let galleryId: number;

beforeAll(async () => {
  people = await settleNeighborhood(server);
});
beforeEach(async () => {
  galleryId = await openGallery(server, people.tokens.owner, people.hawks.id);
  const { app, platform } = server;
  ({ server: listening } = await buildProduct({ app, platform, metrics: null }));
  await listening.listen({ host: '127.0.0.1', port: 0 });
  origin = `http://localhost:${(listening.server.address() as AddressInfo).port}`;
});
afterEach(() => listening.close());

type Heard = { name: string; data: Record<string, unknown> };

/** Opens the gallery's event stream; `heard` fills while the page is open. */
async function openPage(
  token: string,
  id: number,
): Promise<{ status: number; heard: Heard[]; ended: Promise<void>; close: () => void }> {
  const abort = new AbortController();
  const answer = await fetch(`${origin}/api/v1/galleries/${id}/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: abort.signal,
  });
  const heard: Heard[] = [];
  const listen = async () => {
    let text = '';
    for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(part) ?? [];
        if (name !== undefined && data !== undefined)
          heard.push({ name, data: JSON.parse(data) as Record<string, unknown> });
      }
    }
  };
  return { status: answer.status, heard, ended: listen().catch(() => undefined), close: () => abort.abort() };
}

async function post<Answer>(path: string, body: object): Promise<Answer> {
  const answer = await fetch(origin + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${people.tokens.owner}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.ok, await answer.clone().text()).toBe(true);
  return (await answer.json()) as Answer;
}

const until = (what: () => boolean) => vi.waitUntil(what, 15_000);

async function uploadAsBrowser(bytes: Buffer): Promise<PhotoAnswer> {
  const {
    error: _error,
    url,
    ...fields
  } = await post<{ error: false; url: string } & Record<string, string>>(
    `/api/v1/policy?timestamp=${Date.now()}&gallery_id=${galleryId}`,
    { affiliate_id: people.hawks.id, filename: 'IMG_0007.jpg' },
  );
  const stored = await postForm(url, formEntries({ url, fields: fields as Record<string, string> }, jpegBlob(bytes)));
  expect(stored.status, stored.xml).toBe(201);
  return post<PhotoAnswer>(`/api/v1/galleries/${galleryId}/gallery_photos`, {
    photo: { image_url: stored.element('Location'), name: 'Goal' },
  });
}

describe('an open page of the gallery', () => {
  test('gets events when its photos arrive, become ready or fail, and for its sales, and none of other galleries', async () => {
    const other = await openGallery(server, people.tokens.owner, people.hawks.id);
    const [page, elsewhere] = [
      await openPage(people.tokens.owner, galleryId),
      await openPage(people.tokens.parentMember, other),
    ];
    const photo = await uploadAsBrowser(await quartersJpeg(800, 600));
    await until(() => page.heard.some((event) => event.name === 'photo.ready'));
    expect(page.heard).toEqual([
      { name: 'photo.added', data: { photo_id: photo.id, name: 'Goal', status: 'processing' } },
      { name: 'photo.ready', data: { photo_id: photo.id, name: 'Goal', status: 'ready', width: 800, height: 600 } },
    ]);
    const bad = await uploadAsBrowser(Buffer.from('no picture at all'));
    await until(() => page.heard.length === 4);
    expect(page.heard[3]).toEqual({
      name: 'photo.failed',
      data: { photo_id: bad.id, status: 'failed', problem: 'This file is not a JPEG image.' },
    });
    await server.app.galleries.announceOrderPaid({ galleryIds: [galleryId, galleryId], vanityId: 'abc' });
    await until(() => page.heard.length === 5);
    expect(page.heard[4]).toEqual({ name: 'order.paid', data: { vanity_id: 'abc' } });
    expect(elsewhere.heard).toEqual([]);
    page.close();
    elsewhere.close();
  });

  test('is only for members', async () => {
    for (const [token, status] of [
      [people.tokens.neighbor, 404],
      [people.tokens.foreigner, 404],
      ['nobody', 401],
    ] as const) {
      const page = await openPage(token, galleryId);
      expect(page.status).toBe(status);
      page.close();
    }
  });

  test('does not keep the server from shutting down', async () => {
    const page = await openPage(people.tokens.owner, galleryId);
    await Promise.all([listening.close(), page.ended]);
  });
});

test('notices of the same moment are sent in one transaction', async () => {
  const { database } = server.platform;
  const sent: string[][] = [];
  const notify = async (_channel: string, ...payloads: string[]) => void sent.push(payloads);
  const events = createGalleryEvents({ database: { ...database, notify } });
  const paid = (vanityId: string) => ({ name: 'order.paid', data: { vanity_id: vanityId } }) as const;

  await Promise.all([events.announceNow([1, 1, 2], paid('first')), events.announceNow([1], paid('second'))]);
  await events.announceNow([1], paid('third'));

  expect(sent.map((payloads) => payloads.length)).toEqual([3, 1]);
});
