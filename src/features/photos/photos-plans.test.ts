/** Plans of the most frequent reads when they are kept: for a gallery of unknown size. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listOpenPage, openPageText } from '#src/features/photos/open-page.sql.ts';
import { listPhotos, pageText } from '#src/features/photos/photos.sql.ts';
import { PUBLIC } from '#src/platform/db/db.ts';
import { makeGallery } from '#tests/load/made-gallery.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';

const VISITOR = '0b5e9e2c-8a53-4c62-9a5f-0f6d6d5f0c11';
const PLACE = { featured: false, orderKey: 'a00000004V', id: 1 };

const db = useTestDatabase();
let client: pg.Client;
let small: number;

beforeAll(async () => {
  await makeGallery(db.ownerUrl, 3_000);
  small = (await makeGallery(db.ownerUrl, 12)).galleryId;
  client = new pg.Client({ connectionString: db.appUrl });
  await client.connect();
  await client.query('set plan_cache_mode = force_generic_plan');
});
afterAll(() => client.end());

type Plan = { 'Node Type': string; 'Index Name'?: string; 'Relation Name'?: string; Plans?: Plan[] };

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

async function planOf(
  name: string,
  text: string,
  values: readonly unknown[],
): Promise<{ nodes: Plan[]; blocks: number }> {
  await client.query(`prepare ${name} as ${text}`);
  const given = values.map((value) => (value === null ? 'null' : `'${String(value)}'`)).join(', ');
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan & { 'Shared Hit Blocks': number } }] }>(
    `explain (analyze, buffers, format json) execute ${name}(${given})`,
  );
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  if (!plan) throw new Error('no plan');
  return { nodes: nodesOf(plan), blocks: plan['Shared Hit Blocks'] };
}

describe('a page of photos walks along the index of their order', () => {
  test.each([
    ['first', () => openPageText({ visitorId: null, after: null, limit: 11 }), []],
    ['first_whole', () => openPageText({ visitorId: null, after: null, limit: 11, isWhole: true }), []],
    ['first_of_visitor', () => openPageText({ visitorId: VISITOR, after: null, limit: 11 }), [VISITOR]],
    ['later', () => openPageText({ visitorId: null, after: PLACE, limit: 101 }), [true, 'a00000004V', 1]],
    [
      'later_of_visitor',
      () => openPageText({ visitorId: VISITOR, after: PLACE, limit: 101 }),
      [VISITOR, true, 'a00000004V', 1],
    ],
    ['bare', () => pageText('public', false), [null, 11]],
  ])('%s', async (name, text, more) => {
    const { nodes, blocks } = await planOf(name, text(), [small, ...more]);
    // The other tables are too small here to use an index.
    const indexOf = (table: string) =>
      nodes.filter((node) => node['Relation Name'] === table).map((node) => node['Index Name']);
    expect(indexOf('photos')).toEqual(['photos_public_order']);
    expect(indexOf('photo_keywords')).toEqual(['photo_keywords_photo_id_name_key']);
    expect(blocks).toBeLessThan(150);
  });
});

test.each([
  ['first pages', null],
  ['later pages', PLACE],
])('%s for visitors keep their plan in a session like the product’s', async (_what, after) => {
  const session = new pg.Client({ connectionString: db.appUrl });
  await session.connect();
  try {
    const text = openPageText({ visitorId: null, after, limit: 11 });
    const place = after ? [true, after.orderKey, after.id] : [];
    for (let times = 0; times < 12; times++) await session.query({ name: 'page', text, values: [small, ...place] });
    const { rows } = await session.query(
      'select generic_plans::int as kept, custom_plans::int as anew from pg_prepared_statements',
    );
    expect(rows).toEqual([{ kept: 7, anew: 5 }]);
  } finally {
    await session.end();
  }
});

test.each([
  ['a known visitor', VISITOR],
  ['any other', null],
])('%s gets the same photos with the gallery as without it', async (_who, visitorId) => {
  const { galleryId, photoIds } = await makeGallery(db.ownerUrl, 12);
  await db.ownerQuery(
    `with own as (update photos set price_override_cents = 250, exif = '{"takenAt": "2026-05-09T10:00:00"}' where id = $1 returning *),
          liked as (insert into photo_likes (photo_id, visitor_id) select id, $2 from own)
     insert into photo_keywords (photo_id, gallery_id, organization_id, name)
     select id, gallery_id, organization_id, word from own, unnest(array['"zebra"', 'Ärmel, 2']) as word`,
    [photoIds[3], VISITOR],
  );
  const request = { galleryId, visitorId, after: null, limit: 11 };
  const { photos } =
    (await db.database.read(PUBLIC, (reader) => listOpenPage(reader, request))) ?? expect.fail('no gallery');
  const rows = await db.database.read(PUBLIC, (reader) => listPhotos(reader, { ...request, audience: 'public' }));
  const ofNobody = {
    status: 'ready',
    problem: null,
    showInGallery: true,
    ...(visitorId ? {} : { liked: false, voted: false }),
  };
  expect(photos.map((photo) => ({ ...ofNobody, ...photo }))).toEqual(rows);
  expect(photos[3]?.keywords).toHaveLength(3);
});
