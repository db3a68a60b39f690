/** Download all: `GET /api/v1/orders/{vanity_id}/download.zip`. */
import { createHash } from 'node:crypto';
import { get as httpGet } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import type { PhotoAnswer } from '#src/features/photos/photos.contract.ts';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import { collectGarbage } from '#src/platform/processes/quiet-memory.ts';
import { locationIn } from '#tests/support/location.ts';
import { addAthlete, tag } from '#tests/support/consent-rows.ts';
import { openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { addPhoto, untilDecided } from '#tests/support/photo-uploads.ts';
import { exifSegment, gpsTags, quartersJpeg, withSegments } from '#tests/support/pictures.ts';
import { sellPhotos, type SoldOrder } from '#tests/support/sold-orders.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ works: true, env: { RATE_LIMIT_FACTOR: '10' } });
let people: Neighborhood;
let galleryId: number;
let photos: PhotoAnswer[];
let order: SoldOrder;

beforeAll(async () => {
  people = await settleNeighborhood(server);
  const { owner } = people.tokens;
  galleryId = await openGallery(server, owner, people.hawks.id);
  const ids: number[] = [];
  for (const name of ['Goal', 'Goal', 'Über: das “Tor”']) {
    const gps = exifSegment({ main: [[0x010f, 'TestCam']], exif: [], gps: gpsTags(44.98, -93.27) });
    const bytes = withSegments(await quartersJpeg(900 + ids.length * 60, 600), gps);
    ids.push((await addPhoto(server, owner, galleryId, { bytes, name })).id);
  }
  photos = await untilDecided(server, owner, galleryId, ids);
  order = await sellPhotos(server, people.hawks.id, photos);
});

const at = (vanityId: string) => `/api/v1/orders/${vanityId}/download.zip`;
const fetchZip = (vanityId: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  server.call({ method, url: at(vanityId), headers });

/** Names and contents, read from the directory at the archive's end. */
function unpack(zip: Buffer): Map<string, Buffer> {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const found = new Map<string, Buffer>();
  let entry = zip.readUInt32LE(end + 16);
  for (let count = zip.readUInt16LE(end + 10); count > 0; count--) {
    const nameSize = zip.readUInt16LE(entry + 28);
    const header = zip.readUInt32LE(entry + 42);
    const content = header + 30 + zip.readUInt16LE(header + 26);
    found.set(
      zip.toString('utf8', entry + 46, entry + 46 + nameSize),
      zip.subarray(content, content + zip.readUInt32LE(entry + 24)),
    );
    entry += 46 + nameSize;
  }
  return found;
}

describe('download all', () => {
  test('contains every photo as it was sold, under unique names, and a manifest', async () => {
    const answer = await fetchZip(order.vanityId);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(answer.rawPayload.length),
      'cache-control': 'private, no-store',
      'accept-ranges': 'bytes',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'content-disposition': `attachment; filename="hawks-order-${order.id}.zip"; filename*=UTF-8''hawks-order-${order.id}.zip`,
    });
    const files = unpack(answer.rawPayload);
    expect([...files.keys()]).toEqual(['manifest.txt', 'Goal.jpg', 'Goal (2).jpg', 'Über das “Tor”.jpg']);
    for (const [name, bytes] of files) if (name !== 'manifest.txt') expect(locationIn(bytes), name).toBe(false);
    const manifest = files.get('manifest.txt')?.toString('utf8') ?? '';
    expect(manifest).toContain('3 photos');
    expect(manifest).not.toContain(order.vanityId);
    const [first] = await server.data.ownerQuery<{ order_key: string }>(
      'select order_key from order_photos where order_id = $1 order by id',
      [order.id],
    );
    const one = await server.call({
      method: 'GET',
      url: `/api/v1/galleries/${galleryId}/gallery_photos/${photos[0]?.id}?download=true&orderkey=${first?.order_key}`,
    });
    expect(files.get('Goal.jpg')?.equals(one.rawPayload)).toBe(true);
  });

  test('resumes where it was interrupted, byte for byte, also in its last bytes', async () => {
    const whole = await fetchZip(order.vanityId);
    const zip = whole.rawPayload;
    const etag = String(whole.headers['etag']);
    for (const start of [1, 40, 5_000, zip.length - 200, zip.length - 1]) {
      const rest = await fetchZip(order.vanityId, { range: `bytes=${start}-`, 'if-range': etag });
      expect(rest.statusCode).toBe(206);
      expect(rest.headers['content-range']).toBe(`bytes ${start}-${zip.length - 1}/${zip.length}`);
      expect(rest.rawPayload.equals(zip.subarray(start)), String(start)).toBe(true);
    }
    const middle = await fetchZip(order.vanityId, { range: 'bytes=300-9000' });
    expect(middle.rawPayload.equals(zip.subarray(300, 9001))).toBe(true);
    expect((await fetchZip(order.vanityId, { range: `bytes=${zip.length}-` })).statusCode).toBe(416);
    const changed = await fetchZip(order.vanityId, { range: 'bytes=300-', 'if-range': '"another"' });
    expect(changed.statusCode).toBe(200);
    const head = await fetchZip(order.vanityId, {}, 'HEAD');
    expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([200, String(zip.length), '']);
  });

  test('leaves out lines whose access was withdrawn, and is then another file', async () => {
    const mine = await sellPhotos(server, people.hawks.id, photos);
    const before = await fetchZip(mine.vanityId);
    await server.data.ownerQuery('update order_photos set revoked_at = now() where order_id = $1 and photo_id = $2', [
      mine.id,
      photos[1]?.id,
    ]);
    const after = await fetchZip(mine.vanityId, { range: 'bytes=10-', 'if-range': String(before.headers['etag']) });
    expect(after.statusCode).toBe(200);
    expect([...unpack(after.rawPayload).keys()]).toEqual(['manifest.txt', 'Goal.jpg', 'Über das “Tor”.jpg']);
    await server.data.ownerQuery('update order_photos set revoked_at = now() where order_id = $1', [mine.id]);
    expect((await fetchZip(mine.vanityId)).statusCode).toBe(404);
  });

  test('stops before a photo whose child’s family said no meanwhile', async () => {
    const mine = await sellPhotos(server, people.hawks.id, photos);
    const visitor: Caller = { actor: { kind: 'visitor' }, visitorId: null, unlocks: new Map(), ip: '' };
    const { open } = await server.app.archives.archive(visitor, mine.vanityId);
    const maya = await addAthlete(server, people.hawks.id, { consent: 'no' });
    await tag(server, people.hawks.id, [{ photoId: photos[2]?.id ?? 0, athleteId: maya }]);
    await expect(buffer(await open())).rejects.toMatchObject({ code: 'not_found' });
    await server.data.ownerQuery('delete from photo_tags where athlete_id = $1', [maya]);
    expect((await buffer(await open())).length).toBeGreaterThan(0);
  });

  test.each(['pending', 'failed', 'refunded', 'disputed'])('of a %s order is not found', async (status) => {
    const closed = await sellPhotos(server, people.hawks.id, photos, { status });
    const answer = await fetchZip(closed.vanityId);
    expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([
      404,
      'Downloads aren’t available for this order.',
    ]);
  });

  test('needs the random address: numbers and guesses find nothing, not even for the owner', async () => {
    for (const id of [String(order.id), '0', 'AAAAAAAAAAAAAAAAAAAAAA', '%27']) {
      const answer = await server.call({ method: 'GET', url: at(id), as: people.tokens.owner });
      expect([answer.statusCode, answer.json<{ error: string }>().error], id).toEqual([404, 'Order not found.']);
    }
  });

  test('still contains what was bought when its gallery is deleted and its photo removed', async () => {
    await server.data.ownerQuery('update photos set removed_at = now() where id = $1', [photos[0]?.id]);
    await server.data.ownerQuery('update galleries set active = false where id = $1', [galleryId]);
    expect(unpack((await fetchZip(order.vanityId)).rawPayload).size).toBe(4);
  });

  test('rate-limits repeated downloads', async () => {
    const mine = await sellPhotos(server, people.hawks.id, photos.slice(1, 2));
    expect((await fetchZip(mine.vanityId)).statusCode).toBe(200);
    const counters = await server.data.ownerQuery<{ hits: number }>(
      'update rate_counters set hits = hits + 198 where bucket = $1 returning hits',
      [`archive:begin:${mine.vanityId}`],
    );
    expect(counters).toEqual([{ hits: 199 }]);
    expect((await fetchZip(mine.vanityId)).statusCode).toBe(200);
    expect((await fetchZip(mine.vanityId)).statusCode).toBe(429);
  });
});

describe('an order of five hundred photos', () => {
  const PHOTOS = 500;
  const BYTES = 240_000;
  const READ_EVERY_BYTES = 20_000_000;

  /** Bytes that are in use. The size of the process would add garbage, of which a busy machine has more. */
  function memoryHeld(): number {
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  }

  test('is one stream that uses no memory for its size', async () => {
    const bytes = withSegments(await quartersJpeg(64, 64), Buffer.alloc(0));
    const file = Buffer.concat([bytes, Buffer.alloc(BYTES - bytes.length, 3)]);
    const key = 'originals/aa/large.jpg';
    await server.platform.storage.put(key, file, { contentType: 'image/jpeg' });
    const large = await openGallery(server, people.tokens.owner, people.hawks.id);
    const rows = await server.data.ownerQuery<{ id: number; gallery_id: number }>(
      `insert into photos (gallery_id, organization_id, name, status, order_key, width, height, thumbhash, original_key, original_sha256, original_bytes)
       select $1, $2, 'Team', 'ready', lpad(n::text, 8, '0'), 64, 64, '\\x0102', $3, $4, $5 from generate_series(1, $6::int) n returning id, gallery_id`,
      [large, people.hawks.id, key, createHash('sha256').update(file).digest('hex'), BYTES, PHOTOS],
    );
    const mine = await sellPhotos(server, people.hawks.id, rows);
    await server.built.server.listen({ port: 0, host: '127.0.0.1' });
    const { port } = server.built.server.server.address() as AddressInfo;
    const before = memoryHeld();
    let [received, most, nextReading] = [0, before, 0];
    const length = await new Promise<number>((resolve, reject) => {
      httpGet({ host: '127.0.0.1', port, path: at(mine.vanityId), headers: { host: 'localhost' } }, (answer) => {
        answer.on('data', (piece: Buffer) => {
          received += piece.length;
          if (received < nextReading) return;
          nextReading = received + READ_EVERY_BYTES;
          most = Math.max(most, memoryHeld());
        });
        answer.on('end', () => resolve(Number(answer.headers['content-length'])));
        answer.on('error', reject);
      }).on('error', reject);
    });
    expect(received).toBe(length);
    expect(received).toBeGreaterThan(PHOTOS * BYTES);
    // 120 MB have passed; what is held at once is a few files in flight.
    expect((most - before) / 1_048_576).toBeLessThan(30);
  }, 180_000);
});
