/**
 * What a stranger gets of a child who must not be published: by every call and page that is declared, with every size, in every mode of the
 * search, before and after a family's word, and by every address that was known before (athletes specification B.5, B.6, B.13 B3, B8).
 * A route that is not in `ASKED` fails this test until somebody says how strangers can ask it.
 */
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import type { OrderAnswer } from '#src/features/orders/orders.contract.ts';
import pages from '#src/routes.ts';
import { RENDITION_SIZES } from '#src/shared/picture-sizes.ts';
import { buyPhotos } from '#tests/support/bought-photos.ts';
import { addTeam, tag } from '#tests/support/consent-rows.ts';
import { addCarded, openCard, type CardedAthlete } from '#tests/support/family-cards.ts';
import { openGallery, settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
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
/** Blue, with nobody on it. */
let shown: number;
let children: CardedAthlete[];
let order: OrderAnswer;

const picture = async (color: { r: number; g: number; b: number }) =>
  sharp({ create: { width: 1500, height: 1000, channels: 3, background: color } })
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
}, 60_000);

type Ask = { url: string; payload?: object; method?: 'GET' | 'POST' | 'PUT' | 'DELETE' };
/** No stranger has what this call wants beyond the address; asked without it. */
const asked = (pattern: string): Ask[] => [
  { url: addressOf(pattern, shown) },
  { url: addressOf(pattern, hidden[0] ?? 0) },
];

const addressOf = (pattern: string, photoId: number): string =>
  pattern
    .replace(/:(domainName|affiliate)/, people.hawks.path)
    .replace(/\/order(s?)\/:id/, `/order$1/${order.vanity_id}`)
    .replace(/\/(galleries|gallery)\/:id/, `/$1/${galleryId}`)
    .replace(/\/(affiliates|organizations)\/:id/, `/$1/${organizationId}`)
    .replace(/:(photoId|photo)\b/, String(photoId))
    .replace(':child', String(children[0]?.athleteId))
    .replace(':picture', 'logo')
    .replace(':month', '2026-11')
    .replace(/:\w+/g, String(galleryId))
    .replace(/\*$/, `o/${organizationId}/g/${galleryId}/x.jpg`);

/** Of each photo by the calls that take one, by all sizes and switches. */
const ofEachPhoto = (tail: string, queries: readonly string[] = ['']) =>
  [...hidden, shown].flatMap((id) =>
    queries.map((query): Ask => ({ url: `/api/v1/galleries/${galleryId}/gallery_photos/${id}${tail}${query}` })),
  );
const gallery = (tail: string): Ask => ({ url: `/api/v1/galleries/${galleryId}${tail}` });
const withItems = () => ({
  items: [...hidden, shown].map((id) => ({ id, gallery_id: galleryId, sales_price: 4 })),
});
const PERSON = {
  first_name: 'Eve',
  last_name: 'Stranger',
  email: 'eve@strangers.test',
  confirm_email: 'eve@strangers.test',
};
const buyer = () => ({
  org_id: organizationId,
  donation: '',
  taxes: 0,
  subtotal: 12,
  checkout_key: `crawl-${Math.random()}`,
});

/** How strangers can ask each call that is open to them. */
const ASKED: Record<string, () => Ask[]> = {
  'DELETE /api/v1/contributor/photos/:photoId': () => asked('/api/v1/contributor/photos/:photoId'),
  'DELETE /api/v1/family': () => asked('/api/v1/family'),
  'DELETE /api/v1/family/:child': () => asked('/api/v1/family/:child'),
  'GET /*': () => pageAddresses().map((url) => ({ url })),
  'GET /assets/:name': () => asked('/assets/:name'),
  'GET /.well-known/security.txt': () => asked('/.well-known/security.txt'),
  'GET /api/docs': () => asked('/api/docs'),
  'GET /api/openapi.json': () => asked('/api/openapi.json'),
  'GET /api/v1/affiliates/:domainName': () => asked('/api/v1/affiliates/:domainName'),
  'GET /api/v1/check-key': () => [{ url: '/api/v1/check-key?reset_password_token=x' }],
  'GET /api/v1/contributor/photos': () => [{ url: `/api/v1/contributor/photos?gallery_id=${galleryId}` }],
  'GET /api/v1/family/photos': () => [{ url: `/api/v1/family/photos?child=${children[0]?.athleteId}` }],
  'GET /api/v1/galleries/:id/full': () => [gallery('/full')],
  'GET /api/v1/galleries/:id/gallery_photos': () =>
    [
      '',
      '?limit=100',
      '?number=10',
      '?number=11',
      `?number=10&team=${teamId}`,
      '?keyword=goal',
      '?keyword=Zephyrine',
    ].map((query) => gallery(`/gallery_photos${query}`)),
  'GET /api/v1/galleries/:id/gallery_photos/:photoId': () =>
    ofEachPhoto('', [
      '',
      ...RENDITION_SIZES.map((size) => `?size=${size}`),
      '?size=99999',
      '?adminview=true',
      '?download=true',
      `?download=true&orderkey=${order.order_photo[0]?.order_key}`,
      `?orderkey=${order.order_photo[0]?.order_key}`,
      `?orderkey=${order.order_photo[1]?.order_key}`,
    ]),
  'GET /api/v1/galleries/:id/numbers': () => [gallery('/numbers')],
  'GET /api/v1/galleries/:id/unlock': () => [gallery('/unlock')],
  'GET /api/v1/oembed': () =>
    ['', ...[...hidden, shown].map((id) => `/photo/${id}`)].map((tail) => ({
      url: `/api/v1/oembed?url=${encodeURIComponent(`http://${host}/${people.hawks.path}/gallery/${galleryId}${tail}`)}`,
    })),
  'GET /api/v1/orders/:id': () => asked('/api/v1/orders/:id'),
  'GET /api/v1/orders/:id/download.zip': () => asked('/api/v1/orders/:id/download.zip'),
  'GET /api/v1/orders/:id/passes/:passId/photos': () => asked('/api/v1/orders/:id/passes/:passId/photos'),
  'GET /api/v1/organizations': () => [
    { url: '/api/v1/organizations' },
    { url: '/api/v1/organizations?for_search=true' },
  ],
  'GET /api/v1/organizations/:id': () => asked('/api/v1/organizations/:id'),
  'GET /api/v1/organizations/:id/pictures/:picture': () => asked('/api/v1/organizations/:id/pictures/:picture'),
  'GET /api/v1/organizations/:id/sponsors/:slot': () => asked('/api/v1/organizations/:id/sponsors/1'),
  'GET /api/v1/organizations/by_id/:id': () => [{ url: `/api/v1/organizations/by_id/${organizationId}` }],
  'GET /api/v1/share_cards/galleries/:id': () => [
    { url: `/api/v1/share_cards/galleries/${galleryId}` },
    ...[...hidden, shown].map((id) => ({ url: `/api/v1/share_cards/galleries/${galleryId}?photo=${id}` })),
  ],
  'GET /api/v1/share_cards/organizations/:id': () => asked('/api/v1/share_cards/organizations/:id'),
  'GET /healthz': () => asked('/healthz'),
  'GET /readyz': () => asked('/readyz'),
  'GET /robots.txt': () => asked('/robots.txt'),
  'GET /sitemap-galleries.xml': () => asked('/sitemap-galleries.xml'),
  'GET /sitemap-pages.xml': () => asked('/sitemap-pages.xml'),
  'GET /sitemap.xml': () => asked('/sitemap.xml'),
  'GET /storage/*': () => asked('/storage/*'),
  'POST /api/v1/contributor': () => [{ url: '/api/v1/contributor', payload: { photos: [] } }],
  'POST /api/v1/credit/balance': () => [{ url: '/api/v1/credit/balance', payload: { code: 'AAAA-BBBB-CCCC' } }],
  'POST /api/v1/credit_orders': () => [{ url: '/api/v1/credit_orders', payload: {} }],
  'POST /api/v1/family': () => [{ url: '/api/v1/family', payload: { code: 'AAAAABBBBB' } }],
  'POST /api/v1/family/:child/consent': () =>
    asked('/api/v1/family/:child/consent').map((ask) => ({ ...ask, payload: { consent: 'yes' } })),
  'POST /api/v1/family/:child/not_mine': () =>
    asked('/api/v1/family/:child/not_mine').map((ask) => ({ ...ask, payload: {} })),
  'POST /api/v1/galleries/:id/gallery_photos/:photoId/add_like': () => ofEachPhoto('/add_like'),
  'POST /api/v1/galleries/:id/gallery_photos/:photoId/add_vote': () => ofEachPhoto('/add_vote'),
  'POST /api/v1/galleries/:id/gallery_photos/:photoId/remove_like': () => ofEachPhoto('/remove_like'),
  'POST /api/v1/galleries/:id/gallery_photos/:photoId/remove_vote': () => ofEachPhoto('/remove_vote'),
  // Of the hidden ones alone: a request would hide the other one, too.
  'POST /api/v1/galleries/:id/gallery_photos/:photoId/takedown': () =>
    ofEachPhoto('/takedown')
      .slice(0, 2)
      .map((ask) => ({ ...ask, payload: { reason: 'Please.' } })),
  'POST /api/v1/galleries/:id/gallery_photos/:photoId/takedown_form': () => ofEachPhoto('/takedown_form').slice(0, 2),
  'POST /api/v1/galleries/:id/unlock': () => [{ ...gallery('/unlock'), payload: { password: 'goal' } }],
  'POST /api/v1/galleries/:id/unlock_form': () => [{ ...gallery('/unlock_form'), payload: { password: 'goal' } }],
  'POST /api/v1/galleries/:id/visits': () => [{ ...gallery('/visits'), payload: {} }],
  'POST /api/v1/orders': () => [
    { url: '/api/v1/orders', payload: { order: { ...buyer(), user: PERSON }, stripe_token: null, ...withItems() } },
  ],
  'POST /api/v1/orders/:id/receipt': () => [{ url: `/api/v1/orders/${order.vanity_id}/receipt`, payload: {} }],
  'POST /api/v1/orders/find': () => [{ url: '/api/v1/orders/find', payload: { email: 'ann@buyers.test' } }],
  'POST /api/v1/orders/quote': () => [
    {
      url: '/api/v1/orders/quote',
      payload: {
        order: { org_id: organizationId, donation: '' },
        items: [{ id: shown, gallery_id: galleryId }],
        passes: [
          { kind: 'athlete_pass', athlete_key: `team:${teamId}:10` },
          { kind: 'athlete_pass', athlete_key: `child:${children[0]?.athleteId}` },
        ],
      },
    },
    { url: '/api/v1/orders/quote', payload: { order: { org_id: organizationId, donation: '' }, ...withItems() } },
  ],
  'POST /api/v1/orders/standing': () => [{ url: '/api/v1/orders/standing', payload: { checkout_key: 'crawl-0-0' } }],
  'POST /api/v1/organizations/:id/sponsor_views': () => asked('/api/v1/organizations/:id/sponsor_views'),
  'POST /api/v1/organizations/sign_up': () => [{ url: '/api/v1/organizations/sign_up', payload: {} }],
  'POST /api/v1/promocode/': () => [{ url: '/api/v1/promocode/', payload: { code: 'HAWKS' } }],
  'POST /api/v1/talk-to-expert': () => [{ url: '/api/v1/talk-to-expert', payload: {} }],
  'POST /api/v1/talk-to-expert/': () => [{ url: '/api/v1/talk-to-expert/', payload: {} }],
  'POST /api/v1/watches': () => [
    { url: '/api/v1/watches', payload: { email: 'eve@strangers.test', team_id: teamId, number: '10' } },
    { url: '/api/v1/watches', payload: { email: 'eve@strangers.test', child: children[0]?.athleteId } },
  ],
  'POST /api/v1/webhooks/stripe': () => [{ url: '/api/v1/webhooks/stripe', payload: {} }],
  'POST /login': () => [{ url: '/login', payload: { user: { email: 'eve@strangers.test', password: 'x' } } }],
  'POST /confirm-email': () => [{ url: '/confirm-email', payload: {} }],
  'POST /find-my-order': () => [{ url: '/find-my-order', payload: {} }],
  'POST /forgot-password': () => [{ url: '/forgot-password', payload: {} }],
  'POST /sign-up': () => [{ url: '/sign-up', payload: {} }],
  'POST /talk-to-expert': () => [{ url: '/talk-to-expert', payload: {} }],
  'POST /update-password': () => [{ url: '/update-password', payload: {} }],
  'POST /logout': () => [{ url: '/logout' }],
  'POST /password': () => [{ url: '/password', payload: { email: 'eve@strangers.test' } }],
  'POST /sandbox/tokens': () => [{ url: '/sandbox/tokens', payload: {} }],
  'POST /signup/': () => [{ url: '/signup/', payload: {} }],
  'POST /storage': () => [{ url: '/storage' }],
  'POST /w/stop': () => [{ url: '/w/stop?key=x' }],
  'PUT /password': () => [{ url: '/password', payload: {} }],
};

type Page = { path?: string | undefined; children?: Page[] | undefined };
const patternsOf = (list: readonly Page[], above = ''): string[] =>
  list.flatMap(({ path = '', children: below = [] }) => {
    const own = path === '' ? above : `${above}/${path}`;
    return [own || '/', ...patternsOf(below, own)];
  });
/** Each page as the browser opens it and as the router reads it; public ones with what they take behind `?`. */
const pageAddresses = () =>
  [...new Set(patternsOf(pages as Page[]))].flatMap((pattern) => {
    const own = [...new Set([...hidden, shown].map((id) => addressOf(pattern, id)))];
    const more =
      pattern === '/:affiliate/gallery/:id' ? ['?number=10', '?search=goal', '?embed=1', '?sort=newest'] : [];
    return own.flatMap((url) => [
      url,
      url === '/' ? '/_root.data' : `${url}.data`,
      ...more.map((query) => url + query),
    ]);
  });

const routesFor = (isPublic: boolean) =>
  server.built.routes.filter(
    ({ method, access }) => method !== 'HEAD' && method !== 'OPTIONS' && (access.who === 'anyone') === isPublic,
  );

/** Addresses in a body: of links, pictures and answers, below the host. */
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

/** Whether any pixel is as magenta as the pictures of the hidden children. */
async function hasMagenta(bytes: Buffer): Promise<boolean> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  for (let at = 0; at < data.length; at += info.channels)
    if ((data[at] ?? 0) > 180 && (data[at + 1] ?? 255) < 70 && (data[at + 2] ?? 0) > 180) return true;
  return false;
}

/** The JPEG files in an archive, which are stored as they are. */
function filesIn(zip: Buffer): Buffer[] {
  const files: Buffer[] = [];
  for (let at = zip.indexOf('PK\x03\x04'); at >= 0; at = zip.indexOf('PK\x03\x04', at + 4)) {
    const content = at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28);
    if (zip.readUInt16BE(content) === 0xffd8) files.push(zip.subarray(content));
  }
  return files;
}

type Found = { addresses: Set<string>; leaks: string[]; pictures: number; asked: number; magenta: number };

/** Asks all of it as a stranger. `mayShow`: everybody may see the photos still, and only names must not leave. */
async function ask(all: readonly Ask[], mayShow: boolean): Promise<Found> {
  const found: Found = { addresses: new Set(), leaks: [], pictures: 0, asked: 0, magenta: 0 };
  for (const { url, payload, method = 'GET' } of all) {
    const answer = await server.call({ method, url, headers: { host }, ...(payload ? { payload } : {}) });
    found.asked += 1;
    const name = `${method} ${url}`;
    const type = String(answer.headers['content-type'] ?? '');
    if (answer.statusCode >= 500 && answer.statusCode !== 503) found.leaks.push(`${name}: ${answer.statusCode}`);
    // What strangers type themselves is not told to them by us.
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
    // The receipt goes on naming what was sold (B.5); a refusal repeats what was asked for.
    const isReceipt = url.includes(order.vanity_id ?? '-');
    const tells = hidden.some((id) => answer.body.includes(String(id)) && !url.includes(String(id)));
    if (!mayShow && tells && !isReceipt && answer.statusCode < 400) found.leaks.push(`${name}: a hidden photo`);
  }
  return found;
}

const publicAsks = () =>
  routesFor(true).flatMap(({ method, url }) =>
    (ASKED[`${method} ${url}`]?.() ?? []).map((each): Ask => ({ ...each, method: method as 'GET' })),
  );
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

test('every call that is open to strangers is asked here', () => {
  const open = new Set(routesFor(true).map(({ method, url }) => `${method} ${url}`));
  expect(Object.keys(ASKED).toSorted()).toEqual([...open].toSorted());
});

describe.each(['numbers', 'private', 'off'])('in the mode "%s"', (mode) => {
  test('no name ever leaves, and nothing of a hidden child by any address, old or new', async () => {
    await chooseMode(mode);
    await say(['yes', 'yes']);
    // Twice: what is kept answers the second time.
    const before = await ask([...publicAsks(), ...publicAsks()], true);
    expect(before.leaks).toEqual([]);
    expect(before.asked).toBeGreaterThan(400);
    expect(before.magenta).toBeGreaterThan(10);
    await say(['no', 'family']);
    const known = [...before.addresses].map((url): Ask => ({ url }));
    expect(known.length).toBeGreaterThan(30);
    const after = await ask([...publicAsks(), ...known], false);
    expect(after.leaks).toEqual([]);
    expect(after.pictures).toBeGreaterThan(10);
    const further = [...after.addresses].filter((url) => !before.addresses.has(url)).map((url): Ask => ({ url }));
    expect((await ask(further, false)).leaks).toEqual([]);
    // Nor has a line of a log, whatever was searched.
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

test('a stranger with another child’s card gets no more, and calls for members answer nobody else', async () => {
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
  const asks = closed.map(({ method, url }): Ask => ({ method: method as 'GET', url: addressOf(url, hidden[0] ?? 0) }));
  expect((await ask(asks, false)).leaks).toEqual([]);
});
