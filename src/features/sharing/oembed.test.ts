import { beforeAll, describe, expect, test } from 'vitest';
import * as contract from '#src/features/sharing/oembed.contract.ts';
import type { OembedAnswer } from '#src/features/sharing/oembed.contract.ts';
import { OEMBED_PATH } from '#src/shared/embedding.ts';
import { addReadyPhoto, openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ pages: true });
const SITE = 'http://lakeside.sideline.localhost:3000';
let people: Neighborhood;
let galleryId: number;
beforeAll(async () => {
  people = await settleNeighborhood(server);
  galleryId = await opened({ name: 'Cup “Final” <b>' });
});

async function opened(fields: Record<string, unknown>): Promise<number> {
  const id = await openGallery(server, people.tokens.owner, people.hawks.id, fields);
  await addReadyPhoto(server, { id, organizationId: people.hawks.id });
  return id;
}
const addressOf = (id: number) => `${SITE}/hawks/gallery/${id}`;
const ask = (query: Record<string, string>) =>
  server.call({ method: 'GET', url: `${OEMBED_PATH}?${new URLSearchParams(query)}` });
const told = async (query: Record<string, string> = {}) => {
  const answer = await ask({ url: addressOf(galleryId), ...query });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<OembedAnswer>();
};

describe('another site', () => {
  test('finds the oEmbed address in the page of a public gallery, and learns how to show it', async () => {
    const page = await server.call({
      method: 'GET',
      url: `/hawks/gallery/${galleryId}`,
      headers: { host: 'lakeside.sideline.localhost:3000', accept: 'text/html' },
    });
    const link = /<link rel="alternate" type="application\/json\+oembed" href="([^"]*)"/.exec(page.body)?.[1] ?? '';
    const { host, pathname, search } = new URL(link.replaceAll('&amp;', '&'));
    expect(host).toBe('lakeside.sideline.localhost:3000');
    const answer = await server.call({ method: 'GET', url: pathname + search, headers: { host } });
    expect(answer.headers['content-type']).toContain('application/json');
    expect(answer.json<OembedAnswer>()).toEqual({
      version: '1.0',
      type: 'rich',
      title: 'Cup “Final” <b> · hawks',
      author_name: 'hawks',
      author_url: `${SITE}/hawks`,
      provider_name: 'Sideline',
      provider_url: 'http://www.sideline.localhost:3000/',
      cache_age: 300,
      thumbnail_url: expect.stringContaining(`${SITE}/api/v1/share_cards/galleries/${galleryId}?`),
      thumbnail_width: 1200,
      thumbnail_height: 630,
      html: `<iframe src="${SITE}/hawks/gallery/${galleryId}?publicView=true" title="Cup “Final” &lt;b&gt; · hawks" width="960" height="720" style="border:0" loading="lazy"></iframe>`,
      width: 960,
      height: 720,
    });
  });

  test('can limit the size', async () => {
    const small = await told({ maxwidth: '400', maxheight: '300' });
    expect([small.width, small.height, small.thumbnail_url]).toEqual([400, 300, undefined]);
    expect(small.html).toContain('width="400" height="300"');
    expect(await told({ maxwidth: '5000' })).toMatchObject({ width: 960, height: 720, thumbnail_width: 1200 });
    for (const maxwidth of ['0', '-1', 'wide', '1.5']) {
      const answer = await ask({ url: addressOf(galleryId), maxwidth });
      expect([answer.statusCode, answer.json<{ errors: object }>().errors]).toEqual([
        422,
        { maxwidth: [contract.SIZE_NOT_VALID] },
      ]);
    }
  });

  test('learns nothing about a gallery that is private, locked, deleted or unknown', async () => {
    const unlisted = await opened({ name: 'Board only', is_private: true });
    const locked = await opened({ name: 'Portraits', password_required: true, password: 'goalkeeper' });
    for (const id of [unlisted, locked]) {
      const answer = await ask({ url: addressOf(id) });
      expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([401, contract.NOT_FOR_EVERYONE]);
      expect(answer.body).not.toMatch(/Board only|Portraits/);
      const page = await server.call({
        method: 'GET',
        url: `/hawks/gallery/${id}`,
        headers: { host: 'lakeside.sideline.localhost:3000', accept: 'text/html' },
      });
      expect(page.body).not.toContain('json+oembed');
    }
    const deleted = await opened({ name: 'Old season' });
    const as = people.tokens.owner;
    await server.call({ method: 'POST', url: `/api/v1/galleries/${deleted}/inactive`, as });
    for (const url of [
      addressOf(deleted),
      addressOf(999_999),
      `${SITE}/tides/gallery/${galleryId}`,
      `${SITE}/hawks`,
      `${SITE}/hawks/gallery/x`,
      `http://elsewhere.example/hawks/gallery/${galleryId}`,
      `javascript:alert(1)//lakeside.sideline.localhost/hawks/gallery/${galleryId}`,
      'no address',
    ])
      expect((await ask({ url })).statusCode, url).toBe(404);
  });

  test('must request JSON, and name an address', async () => {
    const xml = await ask({ url: addressOf(galleryId), format: 'xml' });
    expect([xml.statusCode, xml.json<{ error: string }>().error]).toEqual([501, contract.ONLY_JSON]);
    const none = await ask({});
    expect([none.statusCode, none.json<{ error: string }>().error]).toEqual([422, contract.URL_REQUIRED]);
  });
});
