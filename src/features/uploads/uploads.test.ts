import { beforeAll, describe, expect, test } from 'vitest';
import { UPGRADE_FOR_MORE_PHOTOS } from '#src/features/photos/photos.contract.ts';
import { policyAnswer } from '#src/shared/upload-policy.ts';
import {
  BYTES_USED_UP,
  FILE_NAME_REQUIRED,
  GALLERY_REQUIRED,
  HASHES_EXPECTED,
  ONLY_JPEG,
  TOO_MANY_HASHES,
  UPLOAD_CLAIMED,
  UPLOAD_NOT_STORED,
  UPLOAD_UNKNOWN,
  UPLOADS_ON_THEIR_WAY,
} from '#src/features/uploads/uploads.contract.ts';
import { openGallery, settleAnother, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { addPhoto, listPhotos, putUpload } from '#tests/support/photo-uploads.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;
let galleryId: number;

beforeAll(async () => {
  people = await settleNeighborhood(server);
  galleryId = await openGallery(server, people.tokens.owner, people.hawks.id);
});

const policy = (as: string | null, query: string, payload: object, remoteAddress = '127.0.0.1') =>
  server.call({ method: 'POST', url: `/api/v1/policy${query}`, as, payload, remoteAddress });
const claim = (as: string | null, id: number, photo: object) =>
  server.call({ method: 'POST', url: `/api/v1/galleries/${id}/gallery_photos`, as, payload: { photo } });

/** A gallery of a new free organization, with space for this many photos. */
async function openFree(space = 500) {
  const { tides, tokens, emails } = await settleAnother(server);
  const token = tokens.neighbor;
  const id = await openGallery(server, token, tides.id);
  const fill = (count: number) =>
    server.data.ownerQuery(
      `insert into photos (gallery_id, organization_id, name, order_key)
       select $1, $2, 'filler', 'b' || lpad(n::text, 3, '0') || 'V' from generate_series(1, $3::int) n`,
      [id, tides.id, count],
    );
  await fill(500 - space);
  const ask = () => policy(token, `?gallery_id=${id}`, { filename: 'a.jpg' });
  return { id, organizationId: tides.id, token, email: emails.neighbor, fill, ask };
}

describe('a policy', () => {
  test('is a signed form for one new private JPEG of at most 10 MB, for ten minutes by the server’s clock', async () => {
    const before = Date.now();
    const answer = await policy(people.tokens.owner, `?timestamp=1&gallery_id=${galleryId}`, {
      affiliate_id: people.hawks.id,
      filename: 'IMG 1.JPEG',
    });
    expect(answer.statusCode).toBe(200);
    const { error, url, ...fields } = policyAnswer.parse(answer.json());
    expect({ error, url }).toEqual({ error: false, url: 'http://localhost/storage' });
    expect(fields).toMatchObject({ acl: 'private', 'Content-Type': 'image/jpeg', success_action_status: '201' });
    expect(fields.key).toMatch(new RegExp(`^uploads/${people.hawks.id}/${galleryId}/[0-9a-f]{32}\\.jpg$`));
    const signed = JSON.parse(Buffer.from(fields.policy, 'base64').toString()) as {
      expiration: string;
      conditions: unknown[];
    };
    expect(signed.conditions).toContainEqual(['content-length-range', 1, 10_485_760]);
    const minutes = (Date.parse(signed.expiration) - before) / 60_000;
    expect(minutes).toBeGreaterThan(9.9);
    expect(minutes).toBeLessThan(10.1);
  });

  test('is for members of the gallery, under the gallery’s club', async () => {
    const body = { filename: 'a.jpg' };
    expect((await policy(null, `?gallery_id=${galleryId}`, body)).statusCode).toBe(401);
    expect((await policy(people.tokens.neighbor, `?gallery_id=${galleryId}`, body)).statusCode).toBe(404);
    expect(
      (await policy(people.tokens.owner, `?gallery_id=${galleryId}`, { ...body, affiliate_id: people.tides.id }))
        .statusCode,
    ).toBe(404);
    expect(
      (await policy(people.tokens.parentMember, `?gallery_id=${galleryId}`, { ...body, affiliate_id: people.hawks.id }))
        .statusCode,
    ).toBe(200);
    expect((await policy(people.tokens.owner, '', body)).json()).toMatchObject({ error: GALLERY_REQUIRED });
  });

  test.each([
    ['x.svg', ONLY_JPEG],
    ['x.jpg.html', ONLY_JPEG],
    ['../../etc/passwd', ONLY_JPEG],
    ['IMG.HEIC', ONLY_JPEG],
    ['', FILE_NAME_REQUIRED],
    ['  ', FILE_NAME_REQUIRED],
    [7, FILE_NAME_REQUIRED],
  ])('for %j is refused', async (filename, message) => {
    const answer = await policy(people.tokens.owner, `?gallery_id=${galleryId}`, { filename });
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({ error: message, errors: { filename: [message] } });
  });

  test.each([`${'n'.repeat(1_000)}.jpg`, '../../etc/passwd.jpg', 'CON.jpg', 'Năm học ⚽.jpg'])(
    'treats %j only as a label',
    async (filename) => {
      const answer = await policy(people.tokens.owner, `?gallery_id=${galleryId}`, { filename });
      const { key } = answer.json<{ key: string }>();
      const [row] = await server.data.ownerQuery<{ filename: string }>('select filename from uploads where key = $1', [
        key,
      ]);
      expect(row?.filename.length).toBeLessThanOrEqual(200);
      expect(row?.filename).not.toMatch(/[\\/]/);
    },
  );
});

describe('a claim', () => {
  test('creates a photo that is processing, once', async () => {
    const key = await putUpload(server, people.tokens.owner, galleryId, { filename: 'Goal 23.jpg' });
    const answer = await claim(people.tokens.owner, galleryId, { key, exif: { gps: 1 }, width: 5, status: 'ready' });
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({
      name: 'Goal 23',
      status: 'processing',
      problem: null,
      width: null,
      sequence_index: 0,
      gallery_id: galleryId,
      show_in_gallery: true,
    });
    const again = await claim(people.tokens.owner, galleryId, { key });
    expect(again.statusCode).toBe(409);
    expect(again.json()).toMatchObject({ error: UPLOAD_CLAIMED });
    const jobs = await server.data.ownerQuery(
      "select data from pgboss.job where name = 'photo.ingest' and data->>'photoId' = $1",
      [String(answer.json<{ id: number }>().id)],
    );
    expect(jobs).toHaveLength(1);
  });

  test('of ten at once creates one', async () => {
    const key = await putUpload(server, people.tokens.owner, galleryId);
    const statuses = (
      await Promise.all(Array.from({ length: 10 }, () => claim(people.tokens.owner, galleryId, { key })))
    ).map((answer) => answer.statusCode);
    expect(statuses.toSorted()).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
  });

  test('accepts the Location that the storage returned, plain and URL-encoded', async () => {
    for (const spell of [
      (location: string) => location,
      (location: string) => location.replace(/uploads.*/, (path) => encodeURIComponent(path)),
    ]) {
      const key = await putUpload(server, people.tokens.owner, galleryId);
      const location = spell(server.platform.storage.locationOf(key, 'http://localhost'));
      expect(
        (await claim(people.tokens.owner, galleryId, { image_url: location, name: 'By address' })).statusCode,
        location,
      ).toBe(201);
    }
  });

  test.each([
    'http://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
    'http://localhost/storage/../../etc/passwd',
    'https://evil.example/uploads/1/2/0123.jpg',
    'not an address',
  ])('fetches nothing: %s is unknown', async (address) => {
    const answer = await claim(people.tokens.owner, galleryId, { image_url: address });
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({ error: UPLOAD_UNKNOWN });
  });

  test('is refused for uploads of another gallery, another person, or none (threat 50)', async () => {
    const otherId = await openGallery(server, people.tokens.owner, people.hawks.id);
    const key = await putUpload(server, people.tokens.owner, otherId);
    expect((await claim(people.tokens.owner, galleryId, { key })).json()).toMatchObject({ error: UPLOAD_UNKNOWN });
    expect((await claim(people.tokens.parentMember, otherId, { key })).statusCode).toBe(422);
    expect((await claim(people.tokens.owner, otherId, { key: 'originals/ab/abcdef.jpg' })).statusCode).toBe(422);
    expect((await claim(people.tokens.owner, otherId, { key: '../../secrets' })).statusCode).toBe(422);
    expect((await claim(people.tokens.owner, otherId, {})).statusCode).toBe(422);
    expect((await claim(null, otherId, { key })).statusCode).toBe(401);
    expect((await claim(people.tokens.neighbor, otherId, { key })).statusCode).toBe(404);
    expect((await claim(people.tokens.owner, otherId, { key })).statusCode).toBe(201);
  });

  test('is refused while nothing has arrived', async () => {
    const { key } = (await policy(people.tokens.owner, `?gallery_id=${galleryId}`, { filename: 'a.jpg' })).json<{
      key: string;
    }>();
    const answer = await claim(people.tokens.owner, galleryId, { key });
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({ error: UPLOAD_NOT_STORED });
    await server.platform.storage.put(key, Buffer.from('late'), { contentType: 'image/jpeg' });
    expect((await claim(people.tokens.owner, galleryId, { key })).statusCode).toBe(201);
  });
});

describe('the free plan’s 500 photos', () => {
  test('are enforced when twenty arrive at the same time at 495 (threat 46)', async () => {
    const { id, organizationId, token, fill, ask } = await openFree();
    // Their forms were signed while there was space.
    const keys: string[] = [];
    for (let count = 0; count < 20; count++)
      keys.push(await putUpload(server, token, id, { bytes: Buffer.from('a photo') }));
    await fill(495);
    // Failed ones do not count (rule 46).
    await server.data.ownerQuery(
      "insert into photos (gallery_id, organization_id, name, order_key, status, problem) values ($1, $2, 'bad', 'b9', 'failed', 'Damaged.')",
      [id, organizationId],
    );
    const answers = await Promise.all(keys.map((key) => claim(token, id, { key })));
    expect(answers.filter((answer) => answer.statusCode === 201)).toHaveLength(5);
    const refused = answers.filter((answer) => answer.statusCode === 403);
    expect(refused).toHaveLength(15);
    expect(refused[0]?.json()).toMatchObject({ error: UPGRADE_FOR_MORE_PHOTOS });
    const next = await ask();
    expect(next.statusCode).toBe(403);
    expect(next.json()).toMatchObject({ error: UPGRADE_FOR_MORE_PHOTOS });
    // Refused photos use up nothing: there is space again after one is removed.
    const [photo] = await listPhotos(server, token, id);
    await server.call({
      method: 'DELETE',
      url: `/api/v1/galleries/${id}/gallery_photos/${photo?.id}`,
      as: token,
    });
    const left = keys.filter((_key, index) => answers[index]?.statusCode === 403);
    expect((await claim(token, id, { key: left[0] })).statusCode).toBe(201);
  });
});

describe('new photos come first', () => {
  test('each before the others, a batch together in the order of its names', async () => {
    const id = await openGallery(server, people.tokens.owner, people.hawks.id);
    const add = (name: string, batch?: string) =>
      addPhoto(server, people.tokens.owner, id, { name, ...(batch === undefined ? {} : { batch }) });
    await add('first');
    await add('second');
    await add('b 1', 'one');
    await add('third');
    await add('b 2', 'one');
    await add('c 1', 'two');
    const photos = await listPhotos(server, people.tokens.owner, id);
    expect(photos.map((photo) => photo.name)).toEqual(['c 1', 'third', 'b 1', 'b 2', 'second', 'first']);
    expect(photos.map((photo) => photo.sequence_index)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('also when thirty are claimed at the same time, each keeps its own position', async () => {
    const id = await openGallery(server, people.tokens.owner, people.hawks.id);
    const uploads: string[] = [];
    for (let count = 0; count < 30; count++)
      uploads.push(await putUpload(server, people.tokens.owner, id, { bytes: Buffer.from('a photo') }));
    const answers = await Promise.all(
      uploads.map((key, index) =>
        claim(people.tokens.owner, id, { key, name: `p ${index}`, batch: index % 3 === 0 ? 'shared' : '' }),
      ),
    );
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([201]));
    const keys = await server.data.ownerQuery<{ order_key: string }>(
      'select order_key from photos where gallery_id = $1',
      [id],
    );
    expect(new Set(keys.map((row) => row.order_key)).size).toBe(30);
  });
});

describe('unclaimed uploads', () => {
  test('take up places of a free gallery until they are swept', async () => {
    const { id, token, ask } = await openFree(2);
    await putUpload(server, token, id);
    const claimed = await putUpload(server, token, id);
    const refused = await ask();
    expect([refused.statusCode, refused.json<{ error: string }>().error]).toEqual([429, UPLOADS_ON_THEIR_WAY]);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await claim(token, id, { key: claimed })).statusCode).toBe(201);
    expect((await ask()).statusCode).toBe(429);
    await server.data.ownerQuery("update uploads set created_at = now() - interval '25 hours' where gallery_id = $1", [
      id,
    ]);
    await server.app.uploads.sweepUploads();
    expect((await ask()).statusCode).toBe(200);
  });

  test('by a link take no places from the gallery’s own members, who do not see them', async () => {
    const { id, token, ask } = await openFree(2);
    const [full] = (await server.call({ method: 'GET', url: `/api/v1/galleries/${id}/full`, as: token })).json<
      { contribute_key: string }[]
    >();
    const byLink = () => policy(null, '', { filename: 'a.jpg', contributeKey: full?.contribute_key });
    expect([(await byLink()).statusCode, (await byLink()).statusCode]).toEqual([200, 200]);
    expect((await byLink()).statusCode).toBe(429);
    expect((await ask()).statusCode).toBe(200);
    expect((await ask()).statusCode).toBe(200);
    expect((await ask()).statusCode).toBe(429);
  });

  test('take no places if nothing was stored before their forms expired', async () => {
    const { id, token, ask } = await openFree(2);
    await putUpload(server, token, id);
    expect((await ask()).statusCode).toBe(200);
    expect((await ask()).statusCode).toBe(429);
    await server.data.ownerQuery("update uploads set expires_at = now() - interval '1 hour' where gallery_id = $1", [
      id,
    ]);
    await server.data.ownerQuery('delete from rate_counters where bucket = $1', [`policy:unused:${id}`]);
    expect((await ask()).statusCode).toBe(200);
    expect((await ask()).statusCode).toBe(429);
  });

  test('count in full against the daily bytes of account and address; photos count their real size', async () => {
    const megabytes = async (name: string) => {
      const rows = await server.data.ownerQuery<{ hits: number }>(
        'select coalesce(sum(hits), 0)::int as hits from rate_counters where bucket like $1',
        [`bytes:${name}%`],
      );
      return rows[0]?.hits ?? 0;
    };
    const setHits = (hits: number, bucket: string) =>
      server.data.ownerQuery('update rate_counters set hits = $1 where bucket = $2', [hits, `bytes:${bucket}`]);
    const { id, token, email, ask } = await openFree(50);
    const [user] = await server.data.ownerQuery<{ id: number }>('select id from users where email = $1', [email]);
    const account = `free:user:${user?.id}`;
    const before = await megabytes('free:ip:');
    const keys = [await putUpload(server, token, id), await putUpload(server, token, id)];
    expect(await megabytes(account)).toBe(20);
    expect((await claim(token, id, { key: keys[0] })).statusCode).toBe(201);
    expect([await megabytes(account), await megabytes('free:ip:')]).toEqual([11, before + 11]);
    await setHits(9995, account);
    const refused = await ask();
    expect([refused.statusCode, refused.json<{ error: string }>().error]).toEqual([429, BYTES_USED_UP]);
    // A club that pays has a larger limit.
    const askPaid = () =>
      policy(people.tokens.owner, `?gallery_id=${galleryId}`, { filename: 'a.jpg' }, '198.51.100.7');
    expect((await askPaid()).statusCode).toBe(200);
    await setHits(119_995, 'paid:ip:198.51.100.7');
    expect((await askPaid()).statusCode).toBe(429);
  });
});

describe('the hourly sweep', () => {
  test('removes day-old uploads that no one claimed, and nothing else (fault F2)', async () => {
    const storage = server.platform.storage;
    const [old, young, waiting] = [
      await putUpload(server, people.tokens.owner, galleryId),
      await putUpload(server, people.tokens.owner, galleryId),
      await putUpload(server, people.tokens.owner, galleryId),
    ];
    expect((await claim(people.tokens.owner, galleryId, { key: waiting })).statusCode).toBe(201);
    await server.data.ownerQuery("update uploads set created_at = now() - interval '25 hours' where key = any($1)", [
      [old, waiting],
    ]);
    expect(await server.app.uploads.sweepUploads()).toBe(1);
    expect(await storage.head(old)).toBeNull();
    expect(await storage.head(young)).not.toBeNull();
    expect(await storage.head(waiting)).not.toBeNull();
    expect((await claim(people.tokens.owner, galleryId, { key: old })).statusCode).toBe(422);
    expect((await claim(people.tokens.owner, galleryId, { key: young })).statusCode).toBe(201);
  });
});

describe('photos that are already in a gallery', () => {
  const known = (as: string | null, id: number, sha256: unknown) =>
    server.call({ method: 'POST', url: `/api/v1/galleries/${id}/gallery_photos/known`, as, payload: { sha256 } });
  const [here, removed, elsewhere, nowhere] = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(64));

  test('are reported to its members by the hash of their bytes', async () => {
    const id = await openGallery(server, people.tokens.owner, people.hawks.id);
    const other = await openGallery(server, people.tokens.owner, people.hawks.id);
    await server.data.ownerQuery(
      `insert into photos (gallery_id, organization_id, name, order_key, original_sha256, removed_at)
       values ($1, $3, 'here', 'b901V', $4, null), ($1, $3, 'again', 'b902V', $4, null),
              ($1, $3, 'removed', 'b903V', $5, now()), ($2, $3, 'elsewhere', 'b901V', $6, null)`,
      [id, other, people.hawks.id, here, removed, elsewhere],
    );
    const answer = await known(people.tokens.owner, id, [here, removed, elsewhere, nowhere]);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ known: [here] });
    expect((await known(people.tokens.parentMember, other, [here, elsewhere])).json()).toEqual({
      known: [elsewhere],
    });
    expect((await known(people.tokens.owner, id, [])).json()).toEqual({ known: [] });
  });

  test('are not reported to others', async () => {
    expect((await known(null, galleryId, [here])).statusCode).toBe(401);
    expect((await known(people.tokens.neighbor, galleryId, [here])).statusCode).toBe(404);
  });

  test.each([
    ['a text', 'x', HASHES_EXPECTED],
    ['nothing', undefined, HASHES_EXPECTED],
    ['no hash', ['abc'], HASHES_EXPECTED],
    ['a number', [7], HASHES_EXPECTED],
    ['too many', Array.from({ length: 501 }, () => 'a'.repeat(64)), TOO_MANY_HASHES],
  ])('are not reported for %s', async (_what, sha256, message) => {
    const answer = await known(people.tokens.owner, galleryId, sha256);
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({ error: message });
  });
});
