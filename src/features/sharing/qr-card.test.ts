import { beforeAll, describe, expect, test } from 'vitest';
import type { GalleryAnswer } from '#src/features/galleries/galleries.contract.ts';
import { printCard } from '#src/features/sharing/qr-card.service.ts';
import { CARD_WORDS, HAS_NO_CONTRIBUTOR_LINK, OPENS_WITHOUT_PASSWORD } from '#src/features/sharing/qr-card.contract.ts';
import { openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { seePdf, type SeenPdf } from '#tests/support/read-pdf.ts';
import { readQr } from '#tests/support/read-qr.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;
let openId: number;
let lockedId: number;
beforeAll(async () => {
  people = await settleNeighborhood(server);
  const { owner } = people.tokens;
  openId = await openGallery(server, owner, people.hawks.id, { name: 'Spring Cup Final' });
  lockedId = await openGallery(server, owner, people.hawks.id, { password_required: true, password: 'goalkeeper' });
});

const card = (id: number | string, purpose: string | null, token: string | null = people.tokens.owner) =>
  server.call({
    method: 'GET',
    url: `/api/v1/galleries/${id}/qr-card.pdf${purpose === null ? '' : `?for=${purpose}`}`,
    ...(token === null ? {} : { headers: { authorization: `Bearer ${token}` } }),
  });
const full = async (id: number) => {
  const headers = { authorization: `Bearer ${people.tokens.owner}` };
  const [gallery] = (await server.call({ method: 'GET', url: `/api/v1/galleries/${id}/full`, headers })).json<
    GalleryAnswer[]
  >();
  if (!gallery) throw new Error('the gallery is missing');
  return gallery;
};

function codeOn({ codes: [code] }: SeenPdf) {
  if (!code) throw new Error('the code is missing');
  return readQr(code.size, code.isDark);
}

describe('the printed card of a gallery', () => {
  test('is one page of US letter, for its members only, not cached, with a code that leads to the gallery', async () => {
    const answer = await card(openId, null);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/pdf',
      'cache-control': 'private, no-store',
      'content-disposition': 'inline; filename="qr-card-gallery.pdf"',
    });
    const seen = await seePdf(answer.rawPayload);
    expect(seen.pages).toEqual([{ width: 612, height: 792 }]);
    expect(seen.title).toBe('Spring Cup Final · hawks');
    expect(seen.fonts).toHaveLength(2);
    const { text, level } = codeOn(seen);
    expect(text).toMatch(new RegExp(`^https?://lakeside\\.[^/]+/hawks/gallery/${openId}$`));
    expect(level).toBe('Q');
    const { call, how } = CARD_WORDS.gallery;
    const words = seen.lines.join(' ');
    for (const said of ['Spring Cup Final', 'hawks', call, how]) expect(words).toContain(said);
    expect(seen.lines.join('')).toContain(text.replace(/^https?:\/\//, ''));
  });

  test('opens a locked gallery, and leads contributors to their page', async () => {
    const gallery = await full(lockedId);
    const seen = await seePdf((await card(lockedId, 'unlock')).rawPayload);
    const unlock = new URL(codeOn(seen).text);
    expect(unlock.pathname).toBe(`/hawks/gallery/${lockedId}`);
    expect(unlock.searchParams.get('key')).toBe(gallery.unlock_key);
    const invited = await seePdf((await card(lockedId, 'contribute')).rawPayload);
    const contribute = new URL(codeOn(invited).text);
    expect(contribute.pathname).toBe('/contributor');
    expect(contribute.searchParams.get('contributeKey')).toBe(gallery.contribute_key);
    expect(invited.lines.join(' ')).toContain(CARD_WORDS.contribute.call);
  });

  test('says why it is missing: no password, no link, unknown card', async () => {
    const unlock = await card(openId, 'unlock');
    expect([unlock.statusCode, unlock.json()]).toMatchObject([422, { error: OPENS_WITHOUT_PASSWORD }]);
    await server.call({
      method: 'POST',
      url: `/api/v1/galleries/${openId}/contribute_key`,
      as: people.tokens.owner,
      payload: { action: 'revoke' },
    });
    const invited = await card(openId, 'contribute');
    expect([invited.statusCode, invited.json()]).toMatchObject([422, { error: HAS_NO_CONTRIBUTOR_LINK }]);
    expect((await card(openId, 'wedding')).statusCode).toBe(422);
    expect((await card('x', null)).statusCode).toBeGreaterThanOrEqual(400);
    expect((await card('x', null)).statusCode).toBeLessThan(500);
  });

  test('is refused to visitors, other organizations and deleted galleries; a parent’s member may print it', async () => {
    expect((await card(openId, null, null)).statusCode).toBe(401);
    expect((await card(lockedId, 'unlock', people.tokens.neighbor)).statusCode).toBe(404);
    expect((await card(lockedId, 'contribute', people.tokens.foreigner)).statusCode).toBe(404);
    expect((await card(lockedId, 'contribute', people.tokens.parentMember)).statusCode).toBe(200);
    const gone = await openGallery(server, people.tokens.owner, people.hawks.id, { name: 'Gone' });
    const headers = { authorization: `Bearer ${people.tokens.owner}` };
    await server.call({ method: 'POST', url: `/api/v1/galleries/${gone}/inactive`, headers });
    expect((await card(gone, null)).statusCode).toBe(404);
  });
});

describe('what is printed', () => {
  const address = 'https://lakeside.sideline.test/hawks/gallery/7';
  const words = { event: 'Cup', team: 'Hawks', call: 'See', how: 'Look.', address };
  const print = async (changes: Partial<typeof words>, logo: Parameters<typeof printCard>[1]['logo'] = null) =>
    seePdf(await printCard({ ...words, ...changes }, { accent: '#0099CC', logo, at: new Date(0) }));

  test.each([
    ['Łódź – Nguyễn Cup', 'Łódź – Nguyễn Cup'],
    ['Ａｗａｒｄｓ ２６', 'Awards 26'],
    ['春の大会', 'Our photos'],
    ['🏆⚽️', 'Our photos'],
    ['Финал 2026 · Τελικός', 'Финал 2026 · Τελικός'],
    ['بطولة الربيع', 'Our photos'],
    ['A\u0000B\u202Ec\uD800', 'ABc'],
  ])('of the name “%s” is what our fonts can draw: “%s”', async (event, said) => {
    const seen = await print({ event });
    expect(seen.lines[0]).toBe(said);
    expect(codeOn(seen).text).toBe(address);
  });

  test('stays on one page however long all texts are', async () => {
    const long = 'Regional Under-12 Invitational '.repeat(7).slice(0, 200);
    const seen = await print({ event: long, team: long, address: `${address}?key=${'k'.repeat(80)}` });
    expect(seen.pages).toHaveLength(1);
    expect(seen.lines[1]).toMatch(/…$/);
    expect(codeOn(seen).text).toHaveLength(`${address}?key=`.length + 80);
  });

  test('shows the team’s logo, and leaves out one that cannot be read', async () => {
    const pixel = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    expect((await print({}, { bytes: pixel, contentType: 'image/png' })).images).toBeGreaterThan(0);
    expect((await print({}, { bytes: Buffer.from('no picture'), contentType: 'image/png' })).images).toBe(0);
    expect((await print({}, { bytes: Buffer.from('no picture'), contentType: 'image/jpeg' })).images).toBe(0);
  });
});
