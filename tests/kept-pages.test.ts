/**
 * Pages and answers that are the same for every visitor are cached, and never older than the database (decision record
 * 0056).
 */
import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import pg from 'pg';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PhotosPage } from '#src/features/photos/photos.contract.ts';
import { writePhotoPlace } from '#src/features/photos/photo-order.rules.ts';
import { addReadyPhoto, openGallery, settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { cookieOf } from '#tests/support/photo-uploads.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ pages: true });

let people: Neighborhood;
let galleryId: number;
let photoId: number;
beforeEach(async () => {
  people = await settleAnother(server);
  galleryId = await openGallery(server, people.tokens.owner, people.hawks.id, {
    name: 'Cup final',
    allow_voting: true,
  });
  photoId = await addReadyPhoto(server, { id: galleryId, organizationId: people.hawks.id }, { name: 'Kickoff' });
});
beforeAll(async () => {
  // The first error screen and the first locked and empty galleries of a process wait for their code, and a waiting page is
  // sent in parts.
  people = await settleAnother(server);
  await open(`/${people.hawks.path}x/gallery/1`);
  for (const other of [{ name: 'Locked', password_required: true, password: 'goalkeeper' }, { name: 'Empty' }])
    await open(
      `/${people.hawks.path}/gallery/${await openGallery(server, people.tokens.owner, people.hawks.id, other)}`,
    );
});

const pages = {
  gallery: () => `/${people.hawks.path}/gallery/${galleryId}`,
  search: () => `/${people.hawks.path}/gallery/${galleryId}?search=kick`,
  photo: () => `/${people.hawks.path}/gallery/${galleryId}/photo/${photoId}`,
  home: () => `/${people.hawks.path}`,
};
const photosOf = (query = '') => `/api/v1/galleries/${galleryId}/gallery_photos${query}`;
const calls = {
  photos: () => photosOf('?limit=5'),
  'photos that a word finds': () => photosOf('?keyword=kick'),
  // As at the end of a page whose last photo is the featured one.
  'more photos': () =>
    photosOf(`?after=${writePhotoPlace({ featured: true, orderKey: 'a0', id: 1, index: 0, total: 2 })}`),
};
const PAGES = Object.entries(pages);
const CALLS = Object.entries(calls);
const ALL = [
  ...PAGES.map(([name, path]) => [`page of a ${name}`, path] as const),
  ...CALLS.map(([name, path]) => [`list of ${name}`, path] as const),
];

const open = (url: string, headers: Record<string, string> = {}) =>
  server.call({ method: 'GET', url, headers: { host: `${people.parent.path}.sideline.localhost:3000`, ...headers } });

/** The page from the third request on; the second one is the first that is cached. */
async function openKept(url: string) {
  await open(url);
  await open(url);
  const statements = vi.spyOn(pg.Client.prototype, 'query');
  try {
    const page = await open(url);
    expect(statements.mock.calls.map(textOf).filter((text) => !text.includes('page_changes'))).toEqual([]);
    expect(page.headers.etag).toMatch(/^"[\w-]{27}"$/);
    return page;
  } finally {
    statements.mockRestore();
  }
}

const textOf = ([query]: readonly unknown[]): string =>
  typeof query === 'string' ? query : ((query as { text?: string }).text ?? '');
const withoutChance = (text: string) => text.replaceAll(/ nonce="[^"]*"|"request_id":"[^"]*"/g, '');
const change = (text: string, values: unknown[]) => server.data.ownerQuery(text, values);

describe.each(ALL)('the %s', (_name, pathOf) => {
  test('is read from the database a second time and then not rendered again until its content changes', async () => {
    const page = await openKept(pathOf());
    const again = await open(pathOf(), { 'if-none-match': String(page.headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    expect(again.headers['content-security-policy']).toBe(page.headers['content-security-policy']);
    expect(again.headers['cache-control']).toBe('private, no-cache');
  });

  test('has the headers of one that is made, and an id of its own each time, if it comes from the cache', async () => {
    const made = await open(pathOf());
    const [kept, again] = [await openKept(pathOf()), await open(pathOf())];
    const lasting = ['x-content-type-options', 'referrer-policy', 'cross-origin-opener-policy', 'permissions-policy'];
    for (const name of [...lasting, 'content-type']) expect(kept.headers[name], name).toBe(made.headers[name]);
    expect(Number(kept.headers['content-length'])).toBe(kept.rawPayload.byteLength);
    expect(new Set([made, kept, again].map(({ headers }) => headers['x-request-id'])).size).toBe(3);
    expect(kept.headers['strict-transport-security']).toBeUndefined();
  });

  test('keeps an opener of another site away, and starts no new process where there is none', async () => {
    const policyFor = async (site: string) =>
      (await open(pathOf(), { 'sec-fetch-site': site })).headers['cross-origin-opener-policy'];
    await openKept(pathOf());
    for (const site of ['cross-site', 'same-site', 'same-origin'])
      expect(await policyFor(site), site).toBe('same-origin');
    expect(await policyFor('none')).toBeUndefined();
    expect((await open(pathOf())).headers['cross-origin-opener-policy']).toBe('same-origin');
  });

  test('is never cached from, or shown to, someone who may see another one', async () => {
    const like = await server.call({
      method: 'POST',
      url: `/api/v1/galleries/${galleryId}/gallery_photos/${photoId}/add_vote`,
    });
    const visitor = `visitor=${cookieOf(like, 'visitor')}`;
    await openKept(pathOf());
    for (const headers of [
      { cookie: visitor },
      { cookie: `gal_${galleryId}=x` },
      { cookie: `token=${people.tokens.owner}` },
      { authorization: `Bearer ${people.tokens.owner}` },
    ])
      expect((await open(pathOf(), headers)).headers.etag, JSON.stringify(headers)).toBeUndefined();
  });
});

test.each(PAGES)(
  'the page of a %s allows its scripts by their hashes, and no nonce is given to two people',
  async (_name, pathOf) => {
    const { body, headers } = await openKept(pathOf());
    const policy = String(headers['content-security-policy']);
    expect(/nonce-|nonce="[^"]/.exec(policy + body)).toBeNull();
    const inline = [...body.matchAll(/<(script|style)\b([^>]*)>([^]*?)<\/\1>/g)].filter(
      ([, , attributes = '', text]) => text !== '' && !attributes.includes('application/ld+json'),
    );
    expect(inline.length).toBeGreaterThan(2);
    for (const [, tag, , text = ''] of inline) {
      const source = policy.split('; ').find((part) => part.startsWith(tag === 'style' ? 'style-src ' : 'script-src '));
      expect(source).toContain(`'sha256-${createHash('sha256').update(text).digest('base64')}'`);
    }
  },
);

describe.each([
  ...ALL.filter(([name]) => name === 'page of a gallery' || name === 'page of a home'),
  ...ALL.slice(PAGES.length),
])('the %s', (_name, pathOf) => {
  test.each([
    ['the photo is hidden', 'update photos set show_in_gallery = false where id = $1', () => photoId],
    [
      'the photo gets a keyword',
      `insert into photo_keywords (photo_id, gallery_id, organization_id, name) select id, gallery_id, organization_id, 'seven' from photos where id = $1`,
      () => photoId,
    ],
    ['the gallery is renamed', `update galleries set name = 'Another name' where id = $1`, () => galleryId],
    ['the gallery costs more', 'update galleries set price_cents = price_cents + 100 where id = $1', () => galleryId],
    ['the gallery is deleted', 'update galleries set active = false where id = $1', () => galleryId],
    [
      'the gallery gets a password',
      `update galleries set password_required = true, password_encrypted = '\\x00' where id = $1`,
      () => galleryId,
    ],
    ['the club is renamed', `update organizations set name = 'Eagles' where id = $1`, () => people.hawks.id],
    [
      'the club has another address',
      `update organizations set domain_name = domain_name || 'x' where id = $1`,
      () => people.hawks.id,
    ],
    ['the club is deleted', 'update organizations set deleted_at = now() where id = $1', () => people.hawks.id],
    ['the league has another color', `update organizations set name = 'Seaside' where id = $1`, () => people.parent.id],
  ])('is rendered again when %s, also when it is changed directly in the database', async (_what, statement, idOf) => {
    const page = await openKept(pathOf());
    // By another process, which sends no notification.
    await change(statement, [idOf()]);
    const now = await open(pathOf(), { 'if-none-match': String(page.headers.etag) });
    const fresh = await open(pathOf(), { authorization: 'Bearer nobody' });
    expect(now.statusCode === 304 ? 200 : now.statusCode).toBe(fresh.statusCode);
    const shown = now.statusCode === 304 ? page.body : now.body;
    expect(withoutChance(shown) === withoutChance(fresh.body)).toBe(true);
  });
});

test('a vote is on the page of the next visitor', async () => {
  const page = await openKept(pages.gallery());
  await server.call({ method: 'POST', url: `/api/v1/galleries/${galleryId}/gallery_photos/${photoId}/add_vote` });
  expect((await open(pages.gallery(), { 'if-none-match': String(page.headers.etag) })).statusCode).toBe(200);
});

test('a change of the price sheet is on the page of the next visitor, also without a notification', async () => {
  const made = await server.call({
    method: 'POST',
    url: `/api/v1/affiliates/${people.hawks.id}/price_sheets`,
    as: people.tokens.owner,
    payload: { price_sheet: { name: 'Fall', offers: [{ kind: 'bundle', photos: 3, price: 10 }] } },
  });
  const { id } = made.json<{ id: number }>();
  await change('update galleries set price_sheet_id = $1 where id = $2', [id, galleryId]);
  expect((await openKept(pages.gallery())).body).toContain('3 for $10.00');
  await change(
    `with said as (insert into price_sheet_versions (sheet_id, version, organization_id, content)
       select sheet_id, 2, organization_id, jsonb_set(content, '{offers,0,priceCents}', '900') from price_sheet_versions where sheet_id = $1 returning sheet_id)
     update price_sheets set current_version = 2 from said where id = said.sheet_id`,
    [id],
  );
  const { body } = await open(pages.gallery());
  expect(body).toContain('3 for $9.00');
  expect(body).not.toContain('3 for $10.00');
});

test('a change in another gallery leaves the cached page valid', async () => {
  const { headers } = await openKept(pages.gallery());
  const other = await openGallery(server, people.tokens.owner, people.hawks.id, { name: 'Training' });
  await addReadyPhoto(server, { id: other, organizationId: people.hawks.id });
  expect((await open(pages.gallery())).headers.etag).toBe(headers.etag);
  expect((await open(pages.home())).body).toContain('Training');
});

test.each([
  ['gate', (id: number) => `/${people.hawks.path}/gallery/${id}`],
  ['empty list of photos', (id: number) => `/api/v1/galleries/${id}/gallery_photos`],
])('the %s of a locked gallery is not cached', async (_what, pathOf) => {
  const id = await openGallery(server, people.tokens.owner, people.hawks.id, {
    name: 'Portraits',
    password_required: true,
    password: 'goalkeeper',
  });
  for (let times = 0; times < 3; times++) expect((await open(pathOf(id))).headers.etag).toBeUndefined();
});

test('cached photos are for visitors only: members and visitors who liked some get their own', async () => {
  const kept = await openKept(calls.photos());
  expect(kept.json<PhotosPage>().photos.map(({ liked }) => liked)).toEqual([false]);
  const like = await server.call({ method: 'POST', url: photosOf(`/${photoId}/add_like`) });
  const asVisitor = { cookie: `visitor=${cookieOf(like, 'visitor')}` };
  const [all, own, members] = [
    await open(calls.photos()),
    await open(calls.photos(), asVisitor),
    await open(calls.photos(), { authorization: `Bearer ${people.tokens.owner}` }),
  ].map((answer) => answer.json<PhotosPage>().photos[0]);
  expect([all?.liked, own?.liked]).toEqual([false, true]);
  expect([all?.likes, own?.likes]).toEqual([1, 1]);
  expect(members?.exif).toBeDefined();
  expect((await open(calls.photos())).json<PhotosPage>().photos[0]?.exif).toBeUndefined();
});

test('cached photos are compressed as the browser accepts, if they are large enough', async () => {
  for (const name of ['Save', 'Goal'])
    await addReadyPhoto(server, { id: galleryId, organizationId: people.hawks.id }, { name });
  const encodings = await Promise.all(
    ['gzip, deflate, br', 'gzip', ''].map(async (accepted) => {
      const headers = { 'accept-encoding': accepted };
      for (let times = 0; times < 3; times++) await open(calls.photos(), headers);
      const { headers: answered, rawPayload } = await open(calls.photos(), headers);
      const encoding = answered['content-encoding'];
      const bytes =
        encoding === 'br'
          ? brotliDecompressSync(rawPayload)
          : encoding === 'gzip'
            ? gunzipSync(rawPayload)
            : rawPayload;
      expect(JSON.parse(String(bytes))).toMatchObject({ total: 3 });
      expect(answered).toMatchObject({ vary: 'accept-encoding', 'content-type': 'application/json; charset=utf-8' });
      return encoding;
    }),
  );
  expect(encodings).toEqual(['br', 'gzip', undefined]);
  await change('delete from photos where id <> $1 and gallery_id = $2', [photoId, galleryId]);
  await change('update photos set show_in_gallery = false where id = $1', [photoId]);
  const none = await openKept(calls.photos());
  expect([none.headers['content-encoding'], none.json()]).toEqual([undefined, { photos: [], next: null, total: 0 }]);
});

test('other addresses of the same host have pages of their own', async () => {
  const one = await openKept(pages.gallery());
  const other = await open(pages.gallery(), { host: `${people.parent.path}.sideline.localhost:4000` });
  expect(other.headers.etag).toBeUndefined();
  expect(one.body).toContain('sideline.localhost:3000');
  const framed = await openKept(`${pages.gallery()}?publicView=true`);
  expect(framed.headers['content-security-policy']).toContain('frame-ancestors *');
  expect(one.headers['content-security-policy']).toContain("frame-ancestors 'none'");
});

test.each(ALL)('all tables that the %s is read from are watched', async (_name, pathOf) => {
  await open(pathOf());
  const statements = vi.spyOn(pg.Client.prototype, 'query');
  await open(pathOf());
  const texts = statements.mock.calls.map(textOf);
  statements.mockRestore();
  const read = texts.flatMap((text) =>
    [...text.matchAll(/\b(?:from|join)\s+"?([a-z_]+)"?/g)].map(([, table]) => table),
  );
  const watched = await change(
    `select distinct event_object_table as table from information_schema.triggers where trigger_name like '%\\_page\\_changed'`,
    [],
  );
  const tables = await change(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
    [],
  );
  const known = new Set(tables.map((row) => String((row as { name: string }).name)));
  const seen = [...new Set(read)].filter((name) => name !== undefined && known.has(name)).toSorted();
  expect(seen).toContain('galleries');
  const right = [
    ...watched.map((row) => String((row as { table: string }).table)),
    'page_changes',
    // A visitor's own likes, for whom no cached page is used; the counts are columns of photos.
    'photo_likes',
    'photo_votes',
    // Written with photo_keywords.
    'gallery_words',
  ];
  expect(seen.filter((name) => !right.includes(name ?? ''))).toEqual([]);
});
