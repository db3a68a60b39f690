/**
 * What a visitor gets of a child who must not be published (athletes specification B.5, B.6, B.13 B3, B8). Tried are
 * every declared call and page, every size and every mode of the search, before and after a family's decision, and
 * every address that was known before. A route that is not in `tests/support/open-calls.ts` fails this test
 * until someone says how visitors can call it.
 */
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import type { OrderAnswer } from '#src/features/orders/orders.contract.ts';
import { RENDITION_SIZES } from '#src/shared/picture-sizes.ts';
import { buyPhotos } from '#tests/support/bought-photos.ts';
import { addTeam, tag } from '#tests/support/consent-rows.ts';
import { addCarded, openCard, type CardedAthlete } from '#tests/support/family-cards.ts';
import { openGallery, settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { addressOf, openCalls, type Ask, type Strange } from '#tests/support/open-calls.ts';
import { addPhoto, untilDecided } from '#tests/support/photo-uploads.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const logLines: string[] = [];
const server = useTestServer({ works: true, pages: true, env: { RATE_LIMIT_FACTOR: '1000000' }, logLines });
/** Names that nothing else has. */
const OF_THE_ROSTER = /zephyrine|quillfeather|thaddeus|oxenfjord/i;

let people: Neighborhood;
let host: string;
let organizationId: number;
let galleryId: number;
let teamId: number;
/** Magenta pictures: the first is of a child with "no" and was sold before, the second of one with "family". */
let hidden: number[];
/** Blue, with no one on it. */
let shown: number;
let children: CardedAthlete[];
let order: OrderAnswer;

const picture = async (color: { r: number; g: number; b: number }) =>
  sharp({ create: { width: 360, height: 240, channels: 3, background: color } })
    .jpeg()
    .toBuffer();

beforeAll(async () => {
  people = await settleAnother(server);
  organizationId = people.hawks.id;
  host = `${people.parent.path}.sideline.localhost:3000`;
  galleryId = await openGallery(server, people.tokens.owner, organizationId, {
    display_watermark: false,
    price_per_photo: 4,
    name: 'Cup Final',
  });
  const ids: number[] = [];
  for (const color of [
    { r: 250, g: 0, b: 250 },
    { r: 235, g: 10, b: 250 },
    { r: 20, g: 60, b: 220 },
  ])
    ids.push(
      (await addPhoto(server, people.tokens.owner, galleryId, { bytes: await picture(color), name: 'Goal' })).id,
    );
  await untilDecided(server, people.tokens.owner, galleryId, ids);
  [hidden, shown] = [ids.slice(0, 2), ids[2] ?? 0];
  const [sold = 0] = hidden;
  const vanityId = await buyPhotos(server, [{ organizationId, galleryId, priceDollars: 4, photoIds: [sold, shown] }]);
  order = (await server.call({ method: 'GET', url: `/api/v1/orders/${vanityId}` })).json<OrderAnswer>();
  teamId = await addTeam(server, organizationId);
  children = [
    await addCarded(server, { id: teamId, organizationId }, { firstName: 'Zephyrine', lastName: 'Quillfeather' }),
    await addCarded(
      server,
      { id: teamId, organizationId },
      { firstName: 'Thaddeus', lastName: 'Oxenfjord', number: '11' },
    ),
  ];
  await tag(
    server,
    organizationId,
    hidden.map((photoId, at) => ({ photoId, athleteId: children[at]?.athleteId ?? 0 })),
  );
});

const routesFor = (isPublic: boolean) =>
  server.built.routes.filter(
    ({ method, access }) => method !== 'HEAD' && method !== 'OPTIONS' && (access.who === 'anyone') === isPublic,
  );

/** Addresses in a body: of links, pictures and answers, relative to the host. */
function addressesIn(body: string): string[] {
  const found = body.matchAll(/(?:href|src|action|content|"[a-z_]*url")[=:]\s*"([^"\s]+)"/g);
  const sets = body.matchAll(/srcset="([^"]+)"/gi);
  return [
    ...[...found].map((match) => match[1] ?? ''),
    ...[...sets].flatMap((match) => (match[1] ?? '').split(/,\s*/).map((part) => part.split(' ')[0] ?? '')),
  ]
    .map((address) => address.replaceAll('&amp;', '&').replace(/^https?:\/\/[^/]*\.sideline\.localhost(:\d+)?/, ''))
    .filter((address) => address.startsWith('/') && !address.startsWith('//') && !address.startsWith('/assets/'));
}

const isPicture = (type: string) => type.startsWith('image/') && !type.includes('svg') && !type.includes('icon');

/** Cached by their bytes: most pictures are returned again and again. */
const looked = new Map<string, Promise<boolean>>();
function hasMagenta(bytes: Buffer): Promise<boolean> {
  const key = createHash('sha256').update(bytes).digest('hex');
  const known = looked.get(key) ?? findMagenta(bytes);
  looked.set(key, known);
  return known;
}

/** Whether any pixel is as magenta as the pictures of the hidden children. */
async function findMagenta(bytes: Buffer): Promise<boolean> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  for (let at = 0; at < data.length; at += info.channels)
    if ((data[at] ?? 0) > 180 && (data[at + 1] ?? 255) < 70 && (data[at + 2] ?? 0) > 180) return true;
  return false;
}

/** The JPEG files in an archive, which are stored uncompressed. */
function filesIn(zip: Buffer): Buffer[] {
  const files: Buffer[] = [];
  for (let at = zip.indexOf('PK\x03\x04'); at >= 0; at = zip.indexOf('PK\x03\x04', at + 4)) {
    const content = at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28);
    if (zip.readUInt16BE(content) === 0xffd8) files.push(zip.subarray(content));
  }
  return files;
}

type Found = { addresses: Set<string>; leaks: string[]; pictures: number; asked: number; magenta: number };

/** Requests all of it as a visitor. `mayShow`: everyone may still see the photos, and only names must stay secret. */
async function ask(all: readonly Ask[], mayShow: boolean): Promise<Found> {
  const found: Found = { addresses: new Set(), leaks: [], pictures: 0, asked: 0, magenta: 0 };
  for (const { url, payload, method = 'GET' } of all) {
    const answer = await server.call({ method, url, headers: { host }, ...(payload ? { payload } : {}) });
    found.asked += 1;
    const name = `${method} ${url}`;
    const type = String(answer.headers['content-type'] ?? '');
    if (answer.statusCode >= 500 && answer.statusCode !== 503) found.leaks.push(`${name}: ${answer.statusCode}`);
    // We do not have to hide what visitors type themselves.
    const isOwnWord = url.includes('Zephyrine');
    if (!isOwnWord && OF_THE_ROSTER.test(answer.body + JSON.stringify(answer.headers)))
      found.leaks.push(`${name}: a name`);
    if (isPicture(type) || type === 'application/zip') {
      const files = type === 'application/zip' ? filesIn(answer.rawPayload) : [answer.rawPayload];
      for (const file of answer.statusCode === 200 ? files : []) {
        found.pictures += 1;
        if (await hasMagenta(file)) found.magenta += 1;
      }
      if (!mayShow && found.magenta > 0) found.leaks.push(`${name}: a pixel`);
      found.magenta = mayShow ? found.magenta : 0;
      continue;
    }
    for (const address of addressesIn(answer.body)) found.addresses.add(address);
    // The receipt still names what was sold (B.5); a refusal repeats the input.
    const isReceipt = url.includes(order.vanity_id ?? '-');
    const tells = hidden.some((id) => answer.body.includes(String(id)) && !url.includes(String(id)));
    if (!mayShow && tells && !isReceipt && answer.statusCode < 400) found.leaks.push(`${name}: a hidden photo`);
  }
  return found;
}

const strange = (): Strange => ({
  host,
  organizationId,
  galleryId,
  teamId,
  hidden,
  shown,
  order,
  path: people.hawks.path,
  childId: children[0]?.athleteId ?? 0,
});
const publicAsks = () => {
  const calls = openCalls(strange());
  return routesFor(true).flatMap(({ method, url }) =>
    (calls[`${method} ${url}`]?.() ?? []).map((each): Ask => ({ ...each, method: method as 'GET' })),
  );
};

async function say(consents: readonly string[]): Promise<void> {
  for (const [at, consent] of consents.entries())
    expect(
      (
        await server.call({
          method: 'PUT',
          url: `/api/v1/athletes/${children[at]?.athleteId}`,
          as: people.tokens.owner,
          payload: { athlete: { consent } },
        })
      ).statusCode,
    ).toBe(200);
}
const chooseMode = (mode: string) =>
  server.call({
    method: 'PUT',
    url: `/api/v1/affiliates/${organizationId}/roster_settings`,
    as: people.tokens.owner,
    payload: { settings: { mode } },
  });

test('every call that is open to visitors is made here', () => {
  const open = new Set(routesFor(true).map(({ method, url }) => `${method} ${url}`));
  expect(Object.keys(openCalls(strange())).toSorted()).toEqual([...open].toSorted());
});

describe.each(['numbers', 'private', 'off'])('in the mode "%s"', (mode) => {
  test('no name ever gets out, and nothing of a hidden child by any address, old or new', async () => {
    await chooseMode(mode);
    await say(['yes', 'yes']);
    const before = await ask(publicAsks(), true);
    // A page is kept from its second request on, in each mode alike.
    if (mode === 'numbers') expect((await ask(publicAsks(), true)).leaks).toEqual([]);
    expect(before.leaks).toEqual([]);
    expect(before.asked).toBeGreaterThan(200);
    expect(before.magenta).toBeGreaterThan(10);
    await say(['no', 'family']);
    const known = [...before.addresses].map((url): Ask => ({ url }));
    expect(known.length).toBeGreaterThan(30);
    const after = await ask([...publicAsks(), ...known], false);
    expect(after.leaks).toEqual([]);
    expect(after.pictures).toBeGreaterThan(10);
    const further = [...after.addresses].filter((url) => !before.addresses.has(url)).map((url): Ask => ({ url }));
    expect((await ask(further, false)).leaks).toEqual([]);
    // Nor is it in a line of the log, whatever was searched.
    const [{ lines } = { lines: '' }] = await server.data.ownerQuery<{ lines: string }>(
      "select coalesce(string_agg(details::text, ' '), '') as lines from audit_log where organization_id = $1",
      [organizationId],
    );
    expect(lines).toContain('hidden');
    expect(lines).not.toMatch(OF_THE_ROSTER);
    expect(logLines.length).toBeGreaterThan(500);
    expect(logLines.filter((line) => OF_THE_ROSTER.test(line))).toEqual([]);
  }, 240_000);
});

test('a visitor with another child’s card gets no more, and calls for members answer no one else', async () => {
  await say(['no', 'family']);
  const cookie = await openCard(server, host, children[0] ?? { code: '' });
  for (const id of hidden)
    for (const size of RENDITION_SIZES) {
      const url = `/api/v1/galleries/${galleryId}/gallery_photos/${id}?size=${size}`;
      expect([url, (await server.call({ method: 'GET', url, headers: { host, cookie } })).statusCode]).toEqual([
        url,
        404,
      ]);
    }
  const closed = routesFor(false).filter(({ url }) => !url.endsWith('/events'));
  const asks = closed.map(({ method, url }): Ask => ({
    method: method as 'GET',
    url: addressOf(strange(), url, hidden[0] ?? 0),
  }));
  expect((await ask(asks, false)).leaks).toEqual([]);
});
