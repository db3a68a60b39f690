/** A streaming replica answers visitors only if it has all the data, and nothing else (decision record 0068). */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { PhotosPage } from '#src/features/photos/photos.contract.ts';
import { readPosition } from '#src/platform/db/replica.ts';
import { addReadyPhoto, openGallery, settleAnother } from '#tests/support/neighborhood.ts';
import { cookieOf } from '#tests/support/photo-uploads.ts';
import { startStreamingPair, type StreamingPair } from '#tests/support/streaming-replica.ts';
import { openTestDatabase } from '#tests/support/test-database.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const MAX_LAG_SECONDS = 2;
/** A process checks both every half second, and on a busy machine rarely just between a change and the next query. */
const SOON = { timeout: 50_000, interval: 200 };

let pair: StreamingPair;
const server = useTestServer({
  database: async () => {
    pair = await startStreamingPair();
    return openTestDatabase(pair, pair.stop);
  },
  env: () => ({
    DATABASE_URL: pair.ownerUrl,
    DATABASE_REPLICA_URL: pair.replicaUrl,
    DATABASE_REPLICA_MAX_LAG_SECONDS: String(MAX_LAG_SECONDS),
    ALLOW_SANDBOX: '1',
  }),
});

const figures = () => server.platform.database.replicaFigures() ?? { used: -1, missed: -1, lagMs: null };

async function openShopWindow() {
  const people = await settleAnother(server);
  const galleryId = await openGallery(server, people.tokens.owner, people.hawks.id, { name: 'Cup final' });
  const gallery = { id: galleryId, organizationId: people.hawks.id };
  const photoId = await addReadyPhoto(server, gallery, { name: 'Kickoff' });
  await addReadyPhoto(server, gallery, { name: 'Goal' });
  const ask = async (headers: Record<string, string> = {}, limit = 5) => {
    const url = `/api/v1/galleries/${galleryId}/gallery_photos?limit=${limit}`;
    const answer = await server.call({ method: 'GET', url, headers });
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json<PhotosPage>().photos.map(({ name }) => name);
  };
  const change = (text: string) => server.data.ownerQuery(text, [photoId]);
  let names = 0;
  /** Renames it, and returns whether visitors get the new name from the replica. */
  const rename = async () => {
    await change(`update photos set name = 'Name ${++names}' where id = $1`);
    await replicaHasAll();
    const before = figures().used;
    expect(await ask()).toContain(`Name ${names}`);
    return figures().used > before;
  };
  return { people, galleryId, ask, change, rename };
}

async function replicaHasAll(): Promise<void> {
  const [now] = await server.data.ownerQuery<{ at: string }>('select pg_current_wal_lsn()::text as at');
  const wanted = readPosition(now?.at ?? '');
  await expect.poll(async () => readPosition((await pair.replayed()) ?? '') >= wanted).toBe(true);
}

test(
  'what visitors see comes from the replica if it is up to date, and is hidden immediately if it is not',
  { timeout: 150_000 },
  async () => {
    const { people, galleryId, ask, change, rename } = await openShopWindow();
    await ask();
    await expect.poll(rename, SOON).toBe(true);
    expect(figures().lagMs).not.toBeNull();

    // It is paused: a photo that is hidden disappears, and one that is shown again is back.
    await pair.hold();
    const { used } = figures();
    const before = await ask();
    await change('update photos set show_in_gallery = false where id = $1');
    expect(await ask()).toEqual(before.filter((name) => name === 'Goal'));
    await change('update photos set show_in_gallery = true where id = $1');
    expect(await ask()).toEqual(before);
    expect(figures().used).toBe(used);

    // It has all the data, but not recently enough: it does not answer either.
    await sleep(MAX_LAG_SECONDS * 1000 + 600);
    const { missed } = figures();
    for (let times = 0; times < 2; times++) expect(await ask({}, 4)).toEqual(before);
    expect(figures()).toMatchObject({ used, missed: missed + 1 });

    await pair.release();
    await expect.poll(rename, SOON).toBe(true);

    // A user with a session, a key or a visitor's cookie is never shown the replica's data.
    const like = await server.call({
      method: 'POST',
      url: `/api/v1/galleries/${galleryId}/gallery_photos/${await photoOf(galleryId)}/add_vote`,
    });
    const calm = figures();
    for (const headers of [
      { authorization: `Bearer ${people.tokens.owner}` },
      { cookie: `token=${people.tokens.owner}` },
      { cookie: `visitor=${cookieOf(like, 'visitor')}` },
      { cookie: `gal_${galleryId}=x` },
    ])
      for (let times = 0; times < 3; times++) await ask(headers);
    expect(figures()).toMatchObject({ used: calm.used, missed: calm.missed });

    // Without it everything works.
    await pair.stopReplica();
    await change(`update photos set name = 'Without' where id = $1`);
    expect(await ask()).toContain('Without');
  },
);

async function photoOf(galleryId: number): Promise<number> {
  await server.data.ownerQuery('update galleries set allow_voting = true where id = $1', [galleryId]);
  const [row] = await server.data.ownerQuery<{ id: number }>('select id from photos where gallery_id = $1 limit 1', [
    galleryId,
  ]);
  return row?.id ?? 0;
}

test('positions in the log are compared as numbers', () => {
  expect(readPosition('1/0')).toBeGreaterThan(readPosition('0/FFFFFFFF'));
  expect(readPosition('A/B374D848')).toBe(0xa_b374d848n);
});
