import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { GalleryAnswer } from '#src/features/galleries/galleries.contract.ts';
import * as words from '#src/features/offers/offers.contract.ts';
import type { SavedSheet, SheetsPage } from '#src/features/offers/offers.contract.ts';
import {
  addReadyPhoto,
  openGallery,
  settleAnother,
  settleNeighborhood,
  type Neighborhood,
} from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
beforeAll(async () => {
  people = await settleNeighborhood(server);
});

const BUNDLES = [
  { kind: 'bundle', photos: 3, price: 10 },
  { kind: 'bundle', photos: 5, price: 15 },
];
const HAWKS_FALL = {
  name: 'Hawks fall',
  offers: [...BUNDLES, { kind: 'gallery_pass', price: 40 }, { kind: 'athlete_pass', price: 25 }],
};

const make = (as: string | null, organizationId: number, price_sheet: unknown) =>
  server.call({
    method: 'POST',
    url: `/api/v1/affiliates/${organizationId}/price_sheets`,
    as,
    payload: { price_sheet },
  });
const change = (as: string | null, id: number, price_sheet: unknown, more: object = {}) =>
  server.call({ method: 'PUT', url: `/api/v1/price_sheets/${id}`, as, payload: { price_sheet, ...more } });
const archive = (as: string | null, id: number, payload: object = {}) =>
  server.call({ method: 'POST', url: `/api/v1/price_sheets/${id}/archive`, as, payload });
const list = async (as: string, organizationId: number, query = '') =>
  (
    await server.call({ method: 'GET', url: `/api/v1/affiliates/${organizationId}/price_sheets${query}`, as })
  ).json<SheetsPage>();
const use = (as: string, galleryId: number, price_sheet_id: number | null) =>
  server.call({ method: 'PUT', url: `/api/v1/galleries/${galleryId}`, as, payload: { gallery: { price_sheet_id } } });
const full = async (as: string | null, id: number) => {
  const answer = await server.call({ method: 'GET', url: `/api/v1/galleries/${id}/full`, as });
  return answer.json<GalleryAnswer[]>()[0] as GalleryAnswer;
};
const made = async (price_sheet: unknown = HAWKS_FALL, as = people.tokens.owner, organizationId = people.hawks.id) => {
  const answer = await make(as, organizationId, price_sheet);
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<SavedSheet>();
};
const galleryOf = (as = people.tokens.owner, club = people.hawks.id) =>
  openGallery(server, as, club, { price_per_photo: 4 });

describe('a price sheet', () => {
  test('is created, and listed with its offers', async () => {
    const sheet = await made();
    expect(sheet).toMatchObject({
      name: 'Hawks fall',
      organization_id: people.hawks.id,
      version: 1,
      own_prices_take_part: false,
      early_bird: null,
      shared_with_children: false,
      archived: false,
      galleries: [],
      gallery_count: 0,
      common_price: null,
      sold: { orders: 0, photos: 0, sales: 0 },
    });
    expect(sheet.offers).toEqual(HAWKS_FALL.offers.map((offer, at) => ({ id: at + 1, ...offer })));
    const { warnings: _warnings, ...listed } = sheet;
    expect((await list(people.tokens.owner, people.hawks.id)).price_sheets).toContainEqual(listed);
  });

  test('gets a new version when its content changes, and none when only its name changes', async () => {
    const { id, offers } = await made();
    const named = (await change(people.tokens.owner, id, { name: 'Hawks spring' })).json<SavedSheet>();
    expect(named).toMatchObject({ name: 'Hawks spring', version: 1, offers });
    const same = (await change(people.tokens.owner, id, { offers })).json<SavedSheet>();
    expect(same.version).toBe(1);
    const [first, , pass] = offers;
    const changed = await change(people.tokens.owner, id, {
      offers: [
        pass,
        {
          kind: 'steps',
          steps: [
            { from: 1, price: 5 },
            { from: 3, price: 4 },
          ],
        },
        { ...first, price: 11 },
      ],
      early_bird: { percent: 15, last_day: '2026-12-10' },
    });
    expect(changed.json<SavedSheet>()).toMatchObject({
      version: 2,
      early_bird: { percent: 15, last_day: '2026-12-10' },
      offers: [
        { id: 3, kind: 'gallery_pass' },
        {
          id: 5,
          kind: 'steps',
          steps: [
            { from: 1, price: 5 },
            { from: 3, price: 4 },
          ],
        },
        { id: 1, price: 11 },
      ],
    });
    const versions = await server.data.ownerQuery<{ version: number; content: { offers: unknown[] } }>(
      'select version, content from price_sheet_versions where sheet_id = $1 order by version',
      [id],
    );
    expect(versions.map(({ version, content }) => [version, content.offers.length])).toEqual([
      [1, 4],
      [2, 3],
    ]);
  });

  test('is not overwritten by someone who has not seen the latest change', async () => {
    const sheet = await made();
    await change(people.tokens.owner, sheet.id, { offers: BUNDLES, name: 'Theirs' });
    const seen = { name: sheet.name, offers: sheet.offers };
    const answer = await change(people.tokens.parentMember, sheet.id, { name: 'Mine', offers: [] }, { seen });
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({
      error: words.SHEET_CHANGED_MEANWHILE,
      errors: { name: [words.changedMeanwhile('name')], offers: [words.changedMeanwhile('offers')] },
      price_sheet: { name: 'Theirs', version: 2 },
    });
    const { price_sheet: now } = answer.json<{ price_sheet: SavedSheet }>();
    const again = await change(
      people.tokens.parentMember,
      sheet.id,
      { name: 'Mine' },
      { seen: { name: now.name, offers: now.offers, version: 2 } },
    );
    expect(again.json()).toMatchObject({ name: 'Mine', version: 2 });
  });

  test('is listed page by page, sheets in use before archived ones', async () => {
    const other = await settleAnother(server);
    const ids = [];
    for (const name of ['One', 'Two', 'Three'])
      ids.push((await made({ name, offers: [] }, other.tokens.owner, other.hawks.id)).id);
    expect((await archive(other.tokens.owner, ids[2] ?? 0)).json()).toMatchObject({ archived: true });
    const names: string[] = [];
    for (let next: string | null = ''; next !== null;) {
      const page: SheetsPage = await list(other.tokens.owner, other.hawks.id, `?limit=1${next && `&after=${next}`}`);
      names.push(...page.price_sheets.map((sheet) => sheet.name));
      next = page.next;
    }
    expect(names).toEqual(['Two', 'One', 'Three']);
    const wrong = await server.call({
      method: 'GET',
      url: `/api/v1/affiliates/${other.hawks.id}/price_sheets?after=abc`,
      as: other.tokens.owner,
    });
    expect(wrong.statusCode).toBe(422);
  });
});

describe('the price sheet of a gallery', () => {
  test('is shown to members, and its offers to everyone in sentences', async () => {
    const [sheet, gallery] = [
      await made({ ...HAWKS_FALL, early_bird: { percent: 15, last_day: '2099-10-12' } }),
      await galleryOf(),
    ];
    const before = await full(null, gallery);
    expect([before, await full(people.tokens.owner, gallery)].flatMap((each) => Object.keys(each))).not.toContain(
      'offers',
    );
    expect((await use(people.tokens.owner, gallery, sheet.id)).json()).toMatchObject([{ price_sheet_id: sheet.id }]);
    const seen = await full(null, gallery);
    expect(seen).not.toHaveProperty('price_sheet_id');
    expect(seen.offers).toEqual({
      sheet_id: sheet.id,
      version: 1,
      own_prices_take_part: false,
      offers: [
        { id: 1, kind: 'bundle', photos: 3, price: 10, text: '3 for $10.00' },
        { id: 2, kind: 'bundle', photos: 5, price: 15, text: 'any 5 for $15.00' },
        { id: 3, kind: 'gallery_pass', price: 40, text: 'The whole gallery for $40.00' },
        { id: 4, kind: 'athlete_pass', price: 25, text: 'All photos of my athlete for $25.00' },
      ],
      early_bird: { percent: 15, last_day: '2099-10-12', text: '15% off until 10.12.2099' },
      line: '$4.00 each · 3 for $10.00 · any 5 for $15.00',
    });
    expect(
      (await list(people.tokens.owner, people.hawks.id)).price_sheets.find(({ id }) => id === sheet.id),
    ).toMatchObject({
      galleries: [{ id: gallery, name: 'Cup Final' }],
      gallery_count: 1,
      common_price: 4,
    });
    await use(people.tokens.owner, gallery, null);
    expect(await full(null, gallery)).toEqual({ ...before, updated_at: expect.any(String) });
  });

  test('hides an early bird that is over', async () => {
    const [sheet, gallery] = [
      await made({ ...HAWKS_FALL, early_bird: { percent: 15, last_day: '2020-10-12' } }),
      await galleryOf(),
    ];
    await use(people.tokens.owner, gallery, sheet.id);
    expect((await full(null, gallery)).offers?.early_bird).toBeNull();
  });

  test('shows no offers to visitors without the gallery’s password', async () => {
    const sheet = await made();
    const gallery = await openGallery(server, people.tokens.owner, people.hawks.id, {
      password_required: true,
      password: 'goalkeeper',
      price_sheet_id: sheet.id,
    });
    expect(await full(null, gallery)).not.toHaveProperty('offers');
    expect((await full(people.tokens.owner, gallery)).offers?.sheet_id).toBe(sheet.id);
  });

  test('shows a falling price from the first photo in place of the single price', async () => {
    const steps = [
      { from: 1, price: 5 },
      { from: 3, price: 4 },
      { from: 10, price: 3 },
    ];
    const [sheet, gallery] = [await made({ name: 'Falling', offers: [{ kind: 'steps', steps }] }), await galleryOf()];
    await use(people.tokens.owner, gallery, sheet.id);
    expect((await full(null, gallery)).offers?.line).toBe('$5.00 each, from the 3rd $4.00, from the 10th $3.00');
  });

  test('cannot be archived or of another organization', async () => {
    const gallery = await galleryOf();
    const foreign = await made({ name: 'Theirs', offers: [] }, people.tokens.neighbor, people.tides.id);
    const old = await made();
    await archive(people.tokens.owner, old.id);
    for (const id of [foreign.id, old.id, 4_000_000_000_000]) {
      const answer = await use(people.tokens.owner, gallery, id);
      expect(answer.statusCode).toBe(422);
      expect(answer.json()).toMatchObject({ errors: { price_sheet_id: [words.FOREIGN_SHEET] } });
    }
  });

  test('is not overwritten by a second person who has not seen the change', async () => {
    const [sheet, gallery] = [await made(), await galleryOf()];
    await use(people.tokens.owner, gallery, sheet.id);
    const answer = await server.call({
      method: 'PUT',
      url: `/api/v1/galleries/${gallery}`,
      as: people.tokens.parentMember,
      payload: { gallery: { price_sheet_id: null }, seen: { price_sheet_id: null } },
    });
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({ gallery: { price_sheet_id: sheet.id } });
  });

  test('is archived only when no gallery uses it, or when they are released', async () => {
    const [sheet, gallery] = [await made(), await galleryOf()];
    await use(people.tokens.owner, gallery, sheet.id);
    const refused = await archive(people.tokens.owner, sheet.id);
    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toMatchObject({
      error: 'A gallery uses this price sheet.',
      galleries: [{ id: gallery, name: 'Cup Final' }],
    });
    expect((await archive(people.tokens.owner, sheet.id, { release: true })).json()).toMatchObject({
      archived: true,
      gallery_count: 0,
    });
    expect(await full(people.tokens.owner, gallery)).not.toHaveProperty('price_sheet_id');
    expect((await archive(people.tokens.owner, sheet.id)).statusCode).toBe(200);
    expect((await change(people.tokens.owner, sheet.id, { name: 'Back' })).statusCode).toBe(409);
  });
});

describe('a parent’s sheet', () => {
  let house: SavedSheet;
  beforeEach(async () => {
    house = await made(
      { ...HAWKS_FALL, name: 'House', shared_with_children: true },
      people.tokens.parentMember,
      people.parent.id,
    );
  });

  test('can be chosen by its children, and changed by none of them', async () => {
    const gallery = await galleryOf();
    const listed = (await list(people.tokens.owner, people.hawks.id)).price_sheets.find(({ id }) => id === house.id);
    expect(listed).toMatchObject({ organization_id: people.parent.id, shared_with_children: true });
    expect((await use(people.tokens.owner, gallery, house.id)).statusCode).toBe(200);
    expect((await full(null, gallery)).offers?.sheet_id).toBe(house.id);
    expect((await change(people.tokens.owner, house.id, { name: 'Mine' })).statusCode).toBe(404);
    expect((await archive(people.tokens.owner, house.id, { release: true })).statusCode).toBe(404);
  });

  test('is not available to organizations with another parent', async () => {
    const foreign = await list(people.tokens.foreigner, people.stranger.id);
    expect(foreign.price_sheets.map(({ id }) => id)).not.toContain(house.id);
    const gallery = await openGallery(server, people.tokens.foreigner, people.stranger.id, {});
    expect((await use(people.tokens.foreigner, gallery, house.id)).statusCode).toBe(422);
  });

  test('that changes its prices is in the child’s activity', async () => {
    const gallery = await galleryOf();
    await use(people.tokens.owner, gallery, house.id);
    await change(people.tokens.parentMember, house.id, { offers: BUNDLES });
    const activity = await server.call({
      method: 'GET',
      url: `/api/v1/affiliates/${people.hawks.id}/audit_log?object_type=price_sheet&object_id=${house.id}`,
      as: people.tokens.owner,
    });
    expect(activity.json()).toMatchObject({
      entries: [
        {
          action: 'price_sheet.changed',
          actor: { name: 'director Person' },
          details: {
            offers: '3 for $10.00 · any 5 for $15.00',
            offers_before:
              '3 for $10.00 · any 5 for $15.00 · The whole gallery for $40.00 · All photos of my athlete for $25.00',
          },
        },
      ],
    });
  });

  test('is no longer shared once its children’s galleries are released', async () => {
    const gallery = await galleryOf();
    await use(people.tokens.owner, gallery, house.id);
    const refused = await change(people.tokens.parentMember, house.id, { shared_with_children: false });
    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toMatchObject({ galleries: [{ id: gallery }] });
    await change(people.tokens.parentMember, house.id, { shared_with_children: false }, { release: true });
    expect(await full(people.tokens.owner, gallery)).not.toHaveProperty('price_sheet_id');
    expect((await use(people.tokens.owner, gallery, house.id)).statusCode).toBe(422);
  });

  test('can be shared only by an organization with others below it', async () => {
    const answer = await make(people.tokens.owner, people.hawks.id, { ...HAWKS_FALL, shared_with_children: true });
    expect(answer.json()).toMatchObject({ errors: { shared_with_children: [words.NO_CHILDREN] } });
  });
});

test('visitors get 401 and other organizations 404 from every call', async () => {
  const { id } = await made();
  for (const [who, status] of [
    [null, 401],
    [people.tokens.neighbor, 404],
    [people.tokens.foreigner, 404],
  ] as const) {
    const answers = [
      await make(who, people.hawks.id, HAWKS_FALL),
      await change(who, id, { name: 'Mine' }),
      await archive(who, id),
      await server.call({ method: 'GET', url: `/api/v1/affiliates/${people.hawks.id}/price_sheets`, as: who }),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([status, status, status, status]);
  }
});

test('warnings about buyers are returned when a sheet is saved', async () => {
  const gallery = await galleryOf();
  const sheet = await made({
    name: 'Odd',
    offers: [
      { kind: 'bundle', photos: 5, price: 25 },
      { kind: 'gallery_pass', price: 40 },
    ],
  });
  await use(people.tokens.owner, gallery, sheet.id);
  const photo = await addReadyPhoto(server, { id: gallery, organizationId: people.hawks.id });
  await server.data.ownerQuery('update photos set price_override_cents = 2000 where id = $1', [photo]);
  const { warnings } = (await change(people.tokens.owner, sheet.id, { name: 'Odder' })).json<SavedSheet>();
  expect(warnings).toEqual([
    '10 photos cost as much as the gallery pass. Most people will take the pass.',
    '“5 for $25.00” costs more than five photos one by one in 1 gallery.',
    'The gallery pass includes 1 photo with a higher price of its own.',
  ]);
});

test('a sheet that no gallery uses yet is judged by what photos of most galleries cost', async () => {
  const others = await settleAnother(server);
  const offers = [{ kind: 'gallery_pass', price: 8 }];
  const warningsNow = async () => (await made({ name: 'New', offers }, others.tokens.owner, others.hawks.id)).warnings;
  const before = await server.app.organizations.byId(others.hawks.id);
  expect(before?.defaultPhotoPriceCents).toBe(200);
  expect(await warningsNow()).toEqual(['4 photos cost as much as the gallery pass. Most people will take the pass.']);
  for (const price of [4, 4, 1])
    await openGallery(server, others.tokens.owner, others.hawks.id, { price_per_photo: price });
  expect(await warningsNow()).toEqual(['2 photos cost as much as the gallery pass. Most people will take the pass.']);
});
