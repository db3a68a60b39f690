/** Markup in every text of the database: on no page does it become markup, for any viewer. */
import { beforeAll, expect, test } from 'vitest';
import pages from '#src/routes.ts';
import { addReadyPhoto, openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { sellPhotos } from '#tests/support/sold-orders.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ pages: true, env: { RATE_LIMIT_FACTOR: '1000', PAGE_CACHE_MB: '0' } });
/** Ends an attribute, a script, a title and a comment, and begins an element that no page of ours has. */
const HOSTILE = `"'></script></title>--><x-hostile onclick=alert()>`;
const ESCAPED = /&lt;x-hostile|\\u003cx-hostile/i;
let people: Neighborhood;
let galleryId: number;
let photoId: number;
let vanityId: string;
let changed: string[];

/** Parts of addresses, formats and keys: the pages would not be found. */
const NOT_TEXT =
  /domain_name|_key$|^key$|hash|sha256|token|vanity_id|time_zone|color|status|state|^kind$|order_key|object_key|currency|content_type|format|mark$|placement|strength|^month$|^version$/;

beforeAll(async () => {
  people = await settleNeighborhood(server);
  galleryId = await openGallery(server, people.tokens.owner, people.hawks.id, {
    display_goal: true,
    goal_description: 'x',
  });
  photoId = await addReadyPhoto(server, { id: galleryId, organizationId: people.hawks.id });
  ({ vanityId } = await sellPhotos(server, people.hawks.id, [{ id: photoId, gallery_id: galleryId }]));
  await server.data.ownerQuery(
    `insert into photo_keywords (photo_id, gallery_id, organization_id, name) values ($1, $2, $3, 'goal')`,
    [photoId, galleryId, people.hawks.id],
  );
  await server.data.ownerQuery(
    `with sender as (insert into gallery_contributors (gallery_id, organization_id, name, email, site, instagram)
       values ($2, $3, 'x', 'x@families.test', 'https://x.example', '@x') returning id)
     update photos set gallery_contributor_id = sender.id from sender where photos.id = $1`,
    [photoId, galleryId, people.hawks.id],
  );
  changed = await makeHostile();
});

/** Writes it into every column that accepts it, bypassing all forms; returns these columns. */
async function makeHostile(): Promise<string[]> {
  const columns = await server.data.ownerQuery<{ at: string; name: string }>(
    `select format('%I', table_name) as at, format('%I', column_name) as name from information_schema.columns
      where table_schema = 'public' and udt_name in ('text', 'citext', 'varchar') and table_name <> 'schema_migrations'`,
  );
  const taken: string[] = [];
  for (const { at, name } of columns) {
    if (NOT_TEXT.test(name)) continue;
    const rows = await server.data
      .ownerQuery<object>(`update ${at} set ${name} = $1 where ${name} is distinct from $1 returning 1`, [
        /url|site/.test(name) ? 'javascript:alert(1)' : HOSTILE,
      ])
      .catch(() => []);
    if (rows.length > 0) taken.push(`${at}.${name}`);
  }
  return taken;
}

type Page = { path?: string | undefined; children?: Page[] | undefined };
const addressesOf = (list: readonly Page[], above = ''): string[] =>
  list.flatMap(({ path = '', children = [] }) => {
    const own = path === '' ? above : `${above}/${path}`;
    return [own || '/', ...addressesOf(children, own)];
  });
const addressOf = (pattern: string): string =>
  pattern
    .replace(':affiliate', people.hawks.path)
    .replace('/order/:id', `/order/${vanityId}`)
    .replace('/gallery/:id', `/gallery/${galleryId}`)
    .replace(':photo', String(photoId))
    .replace(':month', '2026-05')
    .replaceAll(/:\w+/g, String(galleryId))
    .replace('*', 'anything');

test.each(['visitor', 'owner', 'admin'] as const)(
  '%s sees it as text on every page',
  async (who) => {
    for (const at of [
      'galleries.name',
      'photos.name',
      'photo_keywords.name',
      'gallery_contributors.name',
      'orders.last_name',
    ])
      expect(changed).toContain(at);
    const cookie = who === 'visitor' ? {} : { cookie: `token=${people.tokens[who]}` };
    const headers = {
      host: `${people.parent.path}.sideline.localhost:3000`,
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
      ...cookie,
    };
    const letOut: string[] = [];
    let shown = 0;
    const query =
      who === 'visitor' ? `?search=${encodeURIComponent(HOSTILE)}&redirect=${encodeURIComponent(HOSTILE)}` : '';
    for (const pattern of addressesOf(pages as Page[])) {
      if (pattern === '/logout') continue;
      const url = addressOf(pattern) + query;
      const { body, statusCode } = await server.call({ method: 'GET', url, headers });
      if (statusCode >= 500 || /<x-hostile|href="javascript:/i.test(body)) letOut.push(`${url} → ${statusCode}`);
      if (ESCAPED.test(body)) shown += 1;
    }
    expect(letOut).toEqual([]);
    expect(shown).toBeGreaterThan(20);
  },
  60_000,
);
