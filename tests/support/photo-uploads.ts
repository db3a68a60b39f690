/** Adds photos to a gallery like an API client: policy, bytes into the store, claim. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { PhotoAnswer } from '#src/features/photos/photos.contract.ts';
import { quartersJpeg } from '#tests/support/pictures.ts';
import type { TestServer } from '#tests/support/test-server.ts';

export type Upload = { bytes?: Buffer; filename?: string; name?: string; batch?: string };

/** Requests a policy and stores the bytes under its key, without a network. */
export async function putUpload(
  server: TestServer,
  token: string,
  galleryId: number,
  { bytes, filename = 'IMG_0001.jpg' }: Upload = {},
): Promise<string> {
  const policy = await server.call({
    method: 'POST',
    url: `/api/v1/policy?gallery_id=${galleryId}`,
    as: token,
    payload: { filename },
  });
  expect(policy.statusCode, policy.body).toBe(200);
  const { key } = policy.json<{ key: string }>();
  await server.platform.storage.put(key, bytes ?? (await quartersJpeg(640, 480)), { contentType: 'image/jpeg' });
  return key;
}

/** A claimed photo; it is `processing` unless the server runs jobs. */
export async function addPhoto(
  server: TestServer,
  token: string,
  galleryId: number,
  upload: Upload = {},
): Promise<PhotoAnswer> {
  const key = await putUpload(server, token, galleryId, upload);
  const { name, batch } = upload;
  const photo = { key, ...(name === undefined ? {} : { name }), ...(batch === undefined ? {} : { batch }) };
  const answer = await server.call({
    method: 'POST',
    url: `/api/v1/galleries/${galleryId}/gallery_photos`,
    as: token,
    payload: { photo },
  });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<PhotoAnswer>();
}

/** Waits until the worker has decided about these photos; returns them as the token's holder sees them. */
export async function untilDecided(
  server: TestServer,
  token: string,
  galleryId: number,
  photoIds: readonly number[],
): Promise<PhotoAnswer[]> {
  for (const deadline = Date.now() + 50_000; Date.now() < deadline; await pause(50)) {
    const photos = await listPhotos(server, token, galleryId);
    const asked = photoIds.map((id) => photos.find((photo) => photo.id === id));
    if (asked.every((photo) => photo !== undefined && photo.status !== 'processing')) return asked as PhotoAnswer[];
  }
  throw new Error('the photos were not developed within 50 seconds');
}

/** All photos that the token's holder sees, in order. */
export async function listPhotos(server: TestServer, token: string | null, galleryId: number): Promise<PhotoAnswer[]> {
  const answer = await server.call({ method: 'GET', url: `/api/v1/galleries/${galleryId}/full`, as: token });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<{ gallery_photo: PhotoAnswer[] }[]>()[0]?.gallery_photo ?? [];
}

/** The value of a cookie that a response sets; null if it sets none of that name. */
export function cookieOf(answer: { headers: Record<string, unknown> }, name: string): string | null {
  const set = [answer.headers['set-cookie'] ?? []].flat() as string[];
  const found = set.find((cookie) => cookie.startsWith(`${name}=`));
  return found?.slice(name.length + 1).split(';')[0] ?? null;
}
