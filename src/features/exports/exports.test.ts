/** An organization's export over HTTP: everything of its own, nothing of another's, complete after an interruption. */
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ExportAnswer, Manifest } from '#src/features/exports/exports.contract.ts';
import { buyPhotos, openSale } from '#tests/support/bought-photos.ts';
import { openGallery, addReadyPhoto, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

let now = new Date();
const logLines: string[] = [];
const server = useTestServer({ clock: { now: () => now }, env: { RATE_LIMIT_FACTOR: '100' }, logLines });
let people: Neighborhood;
let photoId: number;
let original: Buffer;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'sideline-export-'));
  people = await settleNeighborhood(server);
  const { hawks, tides, tokens } = people;
  const gallery = await openSale(server, tokens.owner, hawks.id, { photos: 2, priceDollars: 3, name: '=Cup Final' });
  await buyPhotos(server, [gallery]);
  const foreign = await openSale(server, tokens.neighbor, tides.id, {
    photos: 1,
    priceDollars: 2,
    name: 'Neighbors only',
  });
  await buyPhotos(server, [foreign]);
  await server.data.ownerQuery(
    "update orders set email_address = 'secret-buyer@families.test' where organization_id = $1",
    [tides.id],
  );
  const galleryId = await openGallery(server, tokens.owner, hawks.id, {
    name: 'Locked',
    password_required: true,
    password: 'goalkeeper',
  });
  photoId = await addReadyPhoto(server, { id: galleryId, organizationId: hawks.id }, { name: 'Ärger/../x.JPG' });
  original = randomBytes(300_000);
  await giveOriginal(photoId, original);
  // The photos of the sales have no files in this test.
  await server.data.ownerQuery('update photos set purged_at = now() where id <> $1', [photoId]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const JPEG = { contentType: 'image/jpeg' };
const hashOf = (content: Buffer) => createHash('sha256').update(content).digest('hex');
const keyOf = (content: Buffer) => `originals/${hashOf(content).slice(0, 2)}/${hashOf(content)}.jpg`;

async function giveOriginal(id: number, content: Buffer): Promise<string> {
  const key = keyOf(content);
  await server.platform.storage.put(key, content, JPEG);
  await server.data.ownerQuery(
    'update photos set original_key = $2, original_sha256 = $3, original_bytes = $4 where id = $1',
    [id, key, hashOf(content), content.length],
  );
  return key;
}

const address = (id: number) => `/api/v1/affiliates/${id}/exports`;
const ask = (as: string | null, id = people.hawks.id) => server.call({ method: 'POST', url: address(id), as });
const list = async (as = people.tokens.owner, id = people.hawks.id) =>
  (await server.call({ method: 'GET', url: address(id), as })).json<{ exports: ExportAnswer[] }>().exports;

async function makeCopy(as = people.tokens.owner, id = people.hawks.id): Promise<ExportAnswer> {
  const answer = await ask(as, id);
  expect(answer.statusCode, answer.body).toBe(202);
  await server.app.exports.make(answer.json<ExportAnswer>().id);
  const [copy] = await list(as, id);
  expect(copy).toMatchObject({ state: 'ready' });
  return copy as ExportAnswer;
}

const download = (url: string, headers: Record<string, string> = {}, as = people.tokens.owner) =>
  server.call({ method: 'GET', url, as, headers });

/** The files of an archive, unpacked by an independent program. */
function unpack(zip: Buffer, name: string): string {
  const into = path.join(folder, name);
  writeFileSync(`${into}.zip`, zip);
  execFileSync('python3', ['-m', 'zipfile', '-e', `${into}.zip`, into]);
  return into;
}

const linesOf = (into: string, dataset: string) =>
  readFileSync(path.join(into, `${dataset}-0001.jsonl`), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('an export of an organization’s data', () => {
  test('has its settings, members, galleries, orders and books as JSON and CSV, with a manifest that lists every file', async () => {
    const { parts } = await makeCopy();
    expect(parts.map(({ name }) => name)).toEqual(['hawks-data.zip', 'hawks-originals-01.zip']);
    const [data, originals] = await Promise.all(parts.map(({ url }) => download(url)));
    expect(parts.map(({ bytes }) => bytes)).toEqual([data?.rawPayload.length, originals?.rawPayload.length]);
    const into = unpack(data?.rawPayload ?? Buffer.alloc(0), 'data');
    const manifest = JSON.parse(readFileSync(path.join(into, 'sideline-export.json'), 'utf8')) as Manifest;
    expect(manifest).toMatchObject({
      format: 'sideline-export',
      version: 1,
      organization: { id: people.hawks.id, name: 'hawks' },
      originals: { files: 1, bytes: 300_000 },
    });
    for (const { name, bytes, sha256 } of manifest.files) {
      const content = readFileSync(path.join(into, name));
      expect([name, content.length, hashOf(content)]).toEqual([name, bytes, sha256]);
    }
    expect(linesOf(into, 'people')).toMatchObject([{ email: people.emails.owner, role: 2 }]);
    expect(linesOf(into, 'galleries').find(({ name }) => name === 'Locked')).toMatchObject({ password: 'goalkeeper' });
    expect(linesOf(into, 'orders')).toMatchObject([{ email_address: 'ann@buyers.test', subtotal_cents: 600 }]);
    const entries = Map.groupBy(linesOf(into, 'ledger'), ({ posting_id: id }) => id);
    expect(entries.size).toBe(1);
    for (const posting of entries.values())
      expect(posting.reduce((sum, { amount_cents: cents }) => sum + Number(cents), 0)).toBe(0);
    expect(readFileSync(path.join(into, 'galleries-0001.csv'), 'utf8')).toContain(`"'=Cup Final"`);

    const [photo] = linesOf(into, 'photos').filter(({ id }) => id === photoId);
    const files = unpack(originals?.rawPayload ?? Buffer.alloc(0), 'originals');
    expect(photo?.['file']).toBe(`originals/${String(photo?.['gallery_id'])}/${photoId}-rger-..-x.jpg`);
    expect(readFileSync(path.join(files, String(photo?.['file']))).equals(original)).toBe(true);

    const all = readdirSync(into).map((name) =>
      name.includes('.') ? readFileSync(path.join(into, name), 'utf8') : '',
    );
    for (const foreign of ['Neighbors only', 'secret-buyer', people.emails.neighbor, '$argon2', 'checkout_key'])
      expect(
        all.filter((text) => text.includes(foreign)),
        foreign,
      ).toEqual([]);
  });

  test('continues an interrupted download, and starts again when a photo was deleted', async () => {
    const { parts } = await makeCopy();
    const url = parts[1]?.url ?? '';
    const whole = await download(url);
    const etag = String(whole.headers['etag']);
    const rest = await download(url, { range: 'bytes=100000-', 'if-range': etag });
    expect(rest.statusCode).toBe(206);
    expect(whole.rawPayload.subarray(100_000).equals(rest.rawPayload)).toBe(true);
    await server.data.ownerQuery('update photos set withdrawn_at = now() where id = $1', [photoId]);
    expect((await download(url, { range: 'bytes=100000-', 'if-range': etag })).statusCode).toBe(404);
    await server.data.ownerQuery('update photos set withdrawn_at = null where id = $1', [photoId]);
    expect((await server.call({ method: 'HEAD', url, as: people.tokens.owner })).headers['content-length']).toBe(
      String(whole.rawPayload.length),
    );
  });

  describe('whose originals are not all there', () => {
    const galleryOfPhoto = async () => {
      const rows = await server.data.ownerQuery<{ id: number }>('select gallery_id as id from photos where id = $1', [
        photoId,
      ]);
      return { id: rows[0]?.id ?? 0, organizationId: people.hawks.id };
    };
    const others: number[] = [];
    const addOther = async (content: Buffer) => {
      const id = await addReadyPhoto(server, await galleryOfPhoto(), { name: 'Other' });
      others.push(id);
      return { id, key: await giveOriginal(id, content) };
    };
    const lose = ({ key }: { key: string }) => server.platform.storage.remove(key);
    /** From the names in an archive. */
    const idsIn = (zip: Buffer) => {
      const files = zip.toString('latin1').matchAll(/originals\/\d+\/(\d+)-/g);
      return new Set([...files].map(([, id]) => Number(id)));
    };
    const breaksOff = async (url: string) => expect((await download(url)).statusCode).toBeGreaterThanOrEqual(500);
    afterEach(() => server.data.ownerQuery('update photos set purged_at = now() where id = any ($1)', [others]));

    test('leaves out one with a changed bit, which its first download finds; a copy after its repair has it', async () => {
      const content = randomBytes(5_000);
      const flipped = Buffer.from(content);
      flipped.writeUInt8(flipped.readUInt8(2_500) ^ 1, 2_500);
      const other = await addOther(content);
      await server.platform.storage.put(other.key, flipped, JPEG);
      const url = (await makeCopy()).parts[1]?.url ?? '';
      await breaksOff(url);
      expect(idsIn((await download(url)).rawPayload)).toEqual(new Set([photoId]));
      expect((await list())[0]).toMatchObject({ photos: 2, unreadable_photos: 1, parts: [{}, { files: 1 }] });
      await server.platform.storage.put(other.key, content, JPEG);
      const repaired = await makeCopy();
      expect(repaired.unreadable_photos).toBe(0);
      const again = await download(repaired.parts[1]?.url ?? '');
      expect(idsIn(again.rawPayload)).toEqual(new Set([photoId, other.id]));
    });

    test('keeps a repaired one, although the checksum of its damaged bytes is known', async () => {
      const other = await addOther(randomBytes(5_000));
      const { id, parts } = await makeCopy();
      await server.data.ownerQuery('update export_files set crc32 = 1 where export_id = $1 and photo_id = $2', [
        id,
        other.id,
      ]);
      for (let time = 0; time < 2; time++) {
        const { rawPayload } = await download(parts[1]?.url ?? '');
        expect(idsIn(rawPayload)).toEqual(new Set([photoId, other.id]));
      }
    });

    test('loses one download to many, and the next one is without them', async () => {
      for (let n = 0; n < 25; n++) await lose(await addOther(randomBytes(100)));
      const url = (await makeCopy()).parts[1]?.url ?? '';
      await breaksOff(url);
      expect(idsIn((await download(url)).rawPayload)).toEqual(new Set([photoId]));
      expect((await list())[0]).toMatchObject({ photos: 26, unreadable_photos: 25, parts: [{}, { files: 1 }] });
    });

    test('leaves out none while the store has none of them', async () => {
      const content = randomBytes(5_000);
      const other = await addOther(content);
      const url = (await makeCopy()).parts[1]?.url ?? '';
      await lose(other);
      await lose({ key: keyOf(original) });
      logLines.length = 0;
      expect((await download(url)).statusCode).toBe(503);
      expect(logLines.filter((line) => line.includes('no file of an archive of a copy is in the store'))).toHaveLength(
        1,
      );
      expect((await list())[0]).toMatchObject({ unreadable_photos: 0, parts: [{}, { files: 2 }] });
      for (const bytes of [original, content]) await server.platform.storage.put(keyOf(bytes), bytes, JPEG);
      expect(idsIn((await download(url)).rawPayload)).toEqual(new Set([photoId, other.id]));
    });
  });

  test('is only for the organization’s members, its parent’s and platform admins; others get 404, visitors 401', async () => {
    const { id, parts } = await makeCopy(people.tokens.parentMember);
    for (const { url } of parts) {
      for (const token of [people.tokens.neighbor, people.tokens.foreigner])
        expect((await download(url, {}, token)).statusCode).toBe(404);
      expect((await server.call({ method: 'GET', url })).statusCode).toBe(401);
      expect((await download(url, {}, people.tokens.admin)).statusCode).toBe(200);
    }
    // Another organization's address does not open the export.
    const through = `${address(people.tides.id)}/${id}/parts/1`;
    expect((await download(through, {}, people.tokens.neighbor)).statusCode).toBe(404);
    expect((await ask(people.tokens.neighbor)).statusCode).toBe(404);
    expect((await ask(null)).statusCode).toBe(401);
    expect(
      (await server.call({ method: 'GET', url: address(people.hawks.id), as: people.tokens.neighbor })).statusCode,
    ).toBe(404);
  });

  test('is logged when it is downloaded, also without its first byte', async () => {
    const { id, parts } = await makeCopy();
    const url = parts[0]?.url ?? '';
    const lines = async () =>
      (
        await server.data.ownerQuery<{ actor: number }>(
          "select actor_id as actor from audit_log where action = 'export.downloaded' and object_id = $1 order by id",
          [String(id)],
        )
      ).map(({ actor }) => actor);
    expect((await download(url, { range: 'bytes=1-' })).statusCode).toBe(206);
    expect(await lines()).toHaveLength(1);
    await download(url, { range: 'bytes=1-' }, people.tokens.parentMember);
    expect(new Set(await lines()).size).toBe(2);
    await download(url);
    expect(await lines()).toHaveLength(3);
  });

  test('needs the password again, is made one at a time, and is in the audit log', async () => {
    await server.data.ownerQuery("update sessions set confirmed_at = now() - interval '11 minutes'");
    const late = await ask(people.tokens.owner);
    expect([late.statusCode, late.json()]).toMatchObject([401, { error: 'Please confirm your password.' }]);
    await server.data.ownerQuery('update sessions set confirmed_at = now()');
    const first = await ask(people.tokens.owner);
    const second = await ask(people.tokens.parentMember);
    expect([second.statusCode, second.json()]).toMatchObject([
      409,
      { error: 'A copy of your data is already being created.' },
    ]);
    const { id } = first.json<ExportAnswer>();
    await server.app.exports.giveUp(id);
    expect((await list())[0]).toMatchObject({ id, state: 'failed', parts: [] });
    const log = await server.data.ownerQuery<{ action: string }>(
      "select action from audit_log where object_type = 'export' and object_id = $1",
      [String(id)],
    );
    expect(log).toEqual([{ action: 'export.asked' }]);
  });

  test('is announced by email, and is deleted after seven days with all its files', async () => {
    const { id, parts } = await makeCopy();
    const [mail] = await server.data.ownerQuery<{ recipient: string; subject: string }>(
      'select recipient, subject from mail_outbox where dedupe_key = $1',
      [`export-ready-${id}`],
    );
    expect(mail).toEqual({ recipient: people.emails.owner, subject: 'The copy of your data is ready' });
    const stored = async () => {
      const keys: string[] = [];
      for await (const { key } of server.platform.storage.list(`exports/${id}/`)) keys.push(key);
      return keys.length;
    };
    expect(await stored()).toBeGreaterThan(40);
    const before = now;
    now = new Date(now.getTime() + 7 * 86_400_000 + 60_000);
    expect((await download(parts[0]?.url ?? '')).statusCode).toBe(404);
    expect(await server.app.exports.expire()).toBeGreaterThan(0);
    expect(await stored()).toBe(0);
    expect((await list()).find((copy) => copy.id === id)).toMatchObject({ state: 'expired', parts: [] });
    now = before;
  });

  test('of many photos is planned in archives of a gigabyte, without copying any photo', async () => {
    const galleryId = await openGallery(server, people.tokens.foreigner, people.stranger.id, { name: 'Many' });
    await server.data.ownerQuery(
      `insert into photos (gallery_id, organization_id, name, status, order_key, width, height, thumbhash, original_key, original_sha256, original_bytes)
       select $1, $2, 'P' || n, 'ready', 'a' || lpad(n::text, 6, '0') || 'V', 6, 4, '', 'originals/none.jpg', repeat('0', 64), 5000000
         from generate_series(1, 2000) n`,
      [galleryId, people.stranger.id],
    );
    const { parts, photos, bytes } = await makeCopy(people.tokens.foreigner, people.stranger.id);
    expect([photos, parts.length]).toEqual([2000, 11]);
    expect(bytes).toBeGreaterThan(10_000_000_000);
    expect(Math.max(...parts.map((part) => part.bytes))).toBeLessThan(1_010_000_000);
    expect(parts.slice(1).reduce((sum, part) => sum + part.files, 0)).toBe(2000);
  });
});
