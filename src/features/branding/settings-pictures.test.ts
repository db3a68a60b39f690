/** Pictures of the settings: owners, bytes, sizes, and what is served (specification A§5 "Images"; rule 40). */
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkSettingsPictures } from '#src/features/branding/pictures-check.service.ts';
import { KIND_REQUIRED, type SettingsPicture } from '#src/features/branding/settings-pictures.contract.ts';
import { sizeProblems } from '#src/features/branding/settings-pictures.rules.ts';
import { createSettingsPictures } from '#src/features/branding/settings-pictures.service.ts';
import * as words from '#src/features/tenancy/settings-words.contract.ts';
import { openPictureRewriter } from '#src/platform/images/picture-rewriter.ts';
import { markName } from '#src/features/pictures/mark.rules.ts';
import { addReadyPhoto, openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { headerOnlyJpeg, quartersJpeg } from '#tests/support/pictures.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;
beforeAll(async () => {
  people = await settleNeighborhood(server);
});

const png = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: { r: 0, g: 90, b: 160, alpha: 0.5 } } })
    .png()
    .toBuffer();
const policy = (as: string | null, payload: Record<string, unknown>) =>
  server.call({ method: 'POST', url: '/api/v1/policy?timestamp=1&settings_page=true', as, payload });
const put = (as: string, affiliate: Record<string, unknown>) =>
  server.call({ method: 'PUT', url: `/api/v1/affiliates/${people.hawks.id}`, as, payload: { affiliate } });

/** A completed upload; returns its key. */
async function send(as: string, kind: SettingsPicture, bytes: Buffer, filename = 'a.png'): Promise<string> {
  const answer = await policy(as, { affiliate_id: people.hawks.id, filename, kind });
  expect(answer.statusCode, answer.body).toBe(200);
  const { key } = answer.json<{ key: string }>();
  await server.platform.storage.put(key, bytes, { contentType: filename.endsWith('png') ? 'image/png' : 'image/jpeg' });
  return key;
}
const errorsOf = (answer: { json(): unknown }) => (answer.json() as { errors: Record<string, string[]> }).errors;

test.each<[SettingsPicture, number, number, string[]]>([
  ['home_image', 1278, 500, []],
  ['home_image', 1280, 500, ['The image width is incorrect. This image is 1280px wide, required is: 1278']],
  [
    'tablet_ad',
    90,
    728,
    [
      'The image width is incorrect. This image is 90px wide, required is: 728',
      'The image height is incorrect. This image is 728px high, required is: 90',
    ],
  ],
  ['mobile_ad', 300, 251, ['The image height is incorrect. This image is 251px high, required is: 250']],
  ['watermark', 250, 250, []],
  ['logo', 4097, 10, [words.pictureTooWide(4096)]],
])('a %s of %d × %d: %j', (kind, width, height, problems) => {
  expect(sizeProblems(kind, { width, height })).toEqual(problems);
});

describe('the upload form for a picture', () => {
  test('fixes one key, type and size, for the members of the organization', async () => {
    const answer = await policy(people.tokens.owner, {
      affiliate_id: people.hawks.id,
      filename: 'logo.PNG',
      kind: 'logo',
    });
    expect(answer.json()).toMatchObject({
      error: false,
      'Content-Type': 'image/png',
      acl: 'private',
      success_action_status: '201',
      key: expect.stringMatching(new RegExp(`^uploads/${people.hawks.id}/settings/[0-9a-f]{32}\\.[0-9a-f]{64}\\.png$`)),
    });
  });

  test('is refused to others', async () => {
    const body = { affiliate_id: people.hawks.id, filename: 'logo.png', kind: 'logo' };
    expect((await policy(null, body)).statusCode).toBe(401);
    for (const token of [people.tokens.neighbor, people.tokens.foreigner])
      expect((await policy(token, body)).statusCode).toBe(404);
  });

  test('reports all missing fields', async () => {
    const answer = await policy(people.tokens.owner, { filename: 'logo.svg', kind: 'logo' });
    expect([answer.statusCode, errorsOf(answer)]).toEqual([
      422,
      { affiliate_id: ['An affiliate is required.'], filename: [words.ONLY_PNG_OR_JPEG] },
    ]);
    const unknown = await policy(people.tokens.owner, { filename: 'logo.png', kind: 'cover' });
    expect(errorsOf(unknown)).toMatchObject({ kind: [KIND_REQUIRED] });
  });
});

describe('a picture', () => {
  test('is encoded again, stored by its content and served by us, until it is removed', async () => {
    const key = await send(people.tokens.owner, 'logo', await png(900, 900));
    const [saved] = (await put(people.tokens.owner, { logo_url: key })).json<{ logo_url: string }[]>();
    expect(saved?.logo_url).toMatch(
      new RegExp(`^/api/v1/organizations/${people.hawks.id}/pictures/logo\\?v=[0-9a-f]{16}$`),
    );
    const served = await server.call({ method: 'GET', url: saved?.logo_url ?? '' });
    expect(served.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(await sharp(served.rawPayload).metadata()).toMatchObject({ format: 'png', width: 640, height: 640 });
    // The current address may be sent back with the whole object.
    expect((await put(people.tokens.owner, { logo_url: saved?.logo_url })).json()).toMatchObject([saved]);
    expect((await put(people.tokens.owner, { logo_url: null })).json()).toMatchObject([{ logo_url: null }]);
    expect((await server.call({ method: 'GET', url: saved?.logo_url ?? '' })).statusCode).toBe(404);
  });

  test('may be named by its Location', async () => {
    const key = await send(people.tokens.owner, 'tablet_ad', await png(728, 90));
    const location = server.platform.storage.locationOf(key, 'http://lakeside.sideline.localhost:3000');
    const answer = await put(people.tokens.owner, {
      tablet_display_image_url: location,
      tablet_display_url: 'https://shoes.test/',
    });
    expect(answer.json()).toMatchObject([
      {
        tablet_display_image_url: expect.stringContaining('/pictures/tablet_ad?v='),
        tablet_display_url: 'https://shoes.test/',
      },
    ]);
  });

  test('of a JPEG loses its metadata and is upright', async () => {
    const bytes = await quartersJpeg(500, 1278);
    const turned = await sharp(bytes)
      .withMetadata({ orientation: 6 })
      .withExif({ IFD0: { Artist: 'Nobody' } })
      .jpeg()
      .toBuffer();
    const sideways = await sharp(turned).metadata();
    expect(sideways.exif).toBeDefined();
    const upright = await sharp(bytes).rotate(90).withMetadata({ orientation: 1 }).jpeg().toBuffer();
    const key = await send(people.tokens.owner, 'home_image', upright, 'home.jpg');
    const [saved] = (await put(people.tokens.owner, { home_image_url: key })).json<{ home_image_url: string }[]>();
    const served = await server.call({ method: 'GET', url: saved?.home_image_url ?? '' });
    const facts = await sharp(served.rawPayload).metadata();
    expect(facts).toMatchObject({ format: 'jpeg', width: 1278, height: 500 });
    expect(facts.exif).toBeUndefined();
  });

  test('with a wrong size is refused in the specification’s words, together with every other problem', async () => {
    const ad = await send(people.tokens.owner, 'mobile_ad', await png(250, 300));
    const answer = await put(people.tokens.owner, { mobile_display_image_url: ad, domain_name: 'tides-swim www' });
    expect([answer.statusCode, errorsOf(answer)]).toEqual([
      422,
      {
        domain_name: expect.any(Array),
        mobile_display_image_url: [
          'The image width is incorrect. This image is 250px wide, required is: 300',
          'The image height is incorrect. This image is 300px high, required is: 250',
        ],
      },
    ]);
  });

  test.each<[string, () => Promise<Buffer> | Buffer, string]>([
    [
      'an SVG',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
      words.ONLY_PNG_OR_JPEG,
    ],
    [
      'a GIF',
      () =>
        sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
          .gif()
          .toBuffer(),
      words.ONLY_PNG_OR_JPEG,
    ],
    ['a page', () => Buffer.from('<html><script>alert(1)</script></html>'), words.ONLY_PNG_OR_JPEG],
    ['half a picture', async () => (await png(600, 600)).subarray(0, 200), words.PICTURE_DAMAGED],
    ['a bomb', () => headerOnlyJpeg(30_000, 3_000), words.ONLY_PNG_OR_JPEG],
  ])('that is %s is refused', async (_what, make, message) => {
    const key = await send(people.tokens.owner, 'logo', await make());
    const answer = await put(people.tokens.owner, { logo_url: key });
    expect([answer.statusCode, errorsOf(answer)]).toEqual([422, { logo_url: [message] }]);
  });

  test('can be used only by its sender, for its own kind and organization', async () => {
    const key = await send(people.tokens.owner, 'logo', await png(64, 64));
    const unknown = { logo_url: [words.PICTURE_UNKNOWN] };
    expect(errorsOf(await put(people.tokens.parentMember, { logo_url: key }))).toEqual(unknown);
    expect(errorsOf(await put(people.tokens.owner, { watermark_url: key }))).toEqual({
      watermark_url: unknown.logo_url,
    });
    expect(
      errorsOf(await put(people.tokens.owner, { logo_url: key.replace(/\.[0-9a-f]{64}/, `.${'0'.repeat(64)}`) })),
    ).toEqual(unknown);
    const elsewhere = await server.call({
      method: 'PUT',
      url: `/api/v1/affiliates/${people.tides.id}`,
      as: people.tokens.neighbor,
      payload: { affiliate: { logo_url: key } },
    });
    expect(errorsOf(elsewhere)).toEqual(unknown);
    const never = await policy(people.tokens.owner, { affiliate_id: people.hawks.id, filename: 'a.png', kind: 'logo' });
    expect(errorsOf(await put(people.tokens.owner, { logo_url: never.json<{ key: string }>().key }))).toEqual({
      logo_url: [words.PICTURE_NOT_STORED],
    });
  });
});

test('unused pictures are deleted after 30 days, the others stay', async () => {
  const { storage } = server.platform;
  const key = await send(people.tokens.owner, 'mobile_ad', await png(300, 250));
  const [saved] = (await put(people.tokens.owner, { mobile_display_image_url: key })).json<
    { mobile_display_image_url: string }[]
  >();
  const left = `organizations/${people.hawks.id}/${'a'.repeat(64)}.png`;
  await storage.put(left, await png(8, 8), { contentType: 'image/png' });
  expect(await server.app.settingsPictures.sweepPictures()).toBe(0);
  const afterDays = (days: number) =>
    createSettingsPictures({
      ...server.platform,
      clock: { now: () => new Date(Date.now() + days * 24 * 3_600_000) },
      organizations: server.app.organizations,
      rewriter: openPictureRewriter(),
    });
  expect(await afterDays(29).sweepPictures()).toBe(0);
  expect(await afterDays(31).sweepPictures()).toBeGreaterThan(0);
  expect(await storage.head(left)).toBeNull();
  const shown = await server.call({ method: 'GET', url: saved?.mobile_display_image_url ?? '' });
  expect(shown.statusCode).toBe(200);
});

test('the storage check names pictures that are missing or have other bytes', async () => {
  const { storage } = server.platform;
  const check = async () =>
    (await checkSettingsPictures({ database: server.data.database, storage })).filter((line) =>
      line.startsWith(`organization ${people.hawks.id}: `),
    );
  const logo = await send(people.tokens.owner, 'logo', await png(300, 300));
  const ad = await send(people.tokens.owner, 'mobile_ad', await png(300, 250));
  expect((await put(people.tokens.owner, { logo_url: logo, mobile_display_image_url: ad })).statusCode).toBe(200);
  expect(await check()).toEqual([]);
  const [keys] = await server.data.ownerQuery<{ logo_key: string; mobile_ad_key: string }>(
    `select logo_key, mobile_ad_key from organizations where id = ${people.hawks.id}`,
  );
  const whole = await storage.get(keys?.logo_key ?? '');
  await storage.put(keys?.logo_key ?? '', await png(8, 8), { contentType: 'image/png' });
  await storage.remove(keys?.mobile_ad_key ?? '');
  expect(await check()).toEqual([
    `organization ${people.hawks.id}: logo ${keys?.logo_key} has other bytes than were stored`,
    `organization ${people.hawks.id}: mobile ad ${keys?.mobile_ad_key} is missing`,
  ]);
  await storage.put(keys?.logo_key ?? '', whole ?? Buffer.alloc(0), { contentType: 'image/png' });
  await put(people.tokens.owner, { mobile_display_image_url: null });
});

describe('the watermark', () => {
  const jobs = async () =>
    (
      await server.data.ownerQuery<{ n: number }>(
        `select count(*)::int as n from pgboss.job where name = 'photos.remark'`,
      )
    )[0]?.n;

  test('is a PNG for members only; a change draws photos again, and other changes do not', async () => {
    const before = await jobs();
    const key = await send(people.tokens.owner, 'watermark', await quartersJpeg(250, 250), 'mark.jpg');
    const preview = (as: string | null, query: string) =>
      server.call({ method: 'GET', url: `/api/v1/affiliates/${people.hawks.id}/watermark_preview?${query}`, as });
    const shown = await preview(people.tokens.owner, `placement=centred&key=${encodeURIComponent(key)}`);
    expect([shown.statusCode, shown.headers['content-type']]).toEqual([200, 'image/jpeg']);
    // Someone else's upload, or any other object, cannot be previewed as a watermark.
    expect((await preview(people.tokens.parentMember, `key=${encodeURIComponent(key)}`)).statusCode).toBe(422);
    expect((await preview(people.tokens.owner, 'key=originals/aa/b.jpg')).statusCode).toBe(422);
    const [saved] = (await put(people.tokens.owner, { watermark_url: key })).json<{ watermark_url: string }[]>();
    expect(await jobs()).toBe((before ?? 0) + 1);
    const address = saved?.watermark_url ?? '';
    const mine = await server.call({ method: 'GET', url: address, as: people.tokens.owner });
    expect(await sharp(mine.rawPayload).metadata()).toMatchObject({ format: 'png', width: 250 });
    expect((await server.call({ method: 'GET', url: address })).statusCode).toBe(401);
    expect((await server.call({ method: 'GET', url: address, as: people.tokens.neighbor })).statusCode).toBe(404);
    // The watermark is the picture: its text and the organization's name change nothing.
    await put(people.tokens.owner, { billing_city: 'Duluth', watermark_text: 'Hawks', name: 'Hawks United' });
    expect(await jobs()).toBe((before ?? 0) + 1);
    const markOf = {
      domainName: 'hawks',
      watermarkKey: 'a.png',
      watermarkText: null,
      watermarkPlacement: 'tiled',
      watermarkStrength: 'normal',
    } as const;
    expect(markName({ ...markOf, organizationName: 'Hawks' })).toBe(markName({ ...markOf, organizationName: 'Owls' }));
  });

  test('without a picture is the text, without a text the name', async () => {
    await put(people.tokens.owner, { watermark_url: '', watermark_text: 'Hawks', name: 'Hawks United' });
    const before = (await jobs()) ?? 0;
    await put(people.tokens.owner, { name: 'Hawks' });
    expect(await jobs()).toBe(before);
    await put(people.tokens.owner, { watermark_text: '' });
    await put(people.tokens.owner, { name: 'Hawks Soccer' });
    await put(people.tokens.owner, { watermark_placement: 'centred' });
    expect(await jobs()).toBeGreaterThan(before);
    const soFar = (await jobs()) ?? 0;
    const strong = await put(people.tokens.owner, { watermark_strength: 'strong' });
    expect(strong.json()).toMatchObject([{ watermark_strength: 'strong' }]);
    expect(await jobs()).toBe(soFar + 1);
  });

  test('shows its members how many photos have it already', async () => {
    const progress = (as: string | null) =>
      server.call({ method: 'GET', url: `/api/v1/affiliates/${people.hawks.id}/watermark_progress`, as });
    const gallery = await openGallery(server, people.tokens.owner, people.hawks.id);
    await addReadyPhoto(server, { id: gallery, organizationId: people.hawks.id });
    expect((await progress(people.tokens.owner)).json()).toEqual({ total: 1, done: 0 });
    expect((await progress(null)).statusCode).toBe(401);
    expect((await progress(people.tokens.neighbor)).statusCode).toBe(404);
  });

  test('can be made from the logo', async () => {
    const key = await send(people.tokens.owner, 'logo', await quartersJpeg(200, 200), 'logo.jpg');
    const [saved] = (await put(people.tokens.owner, { logo_url: key })).json<{ logo_url: string }[]>();
    const answer = await put(people.tokens.owner, { watermark_url: saved?.logo_url });
    expect(answer.json()).toMatchObject([{ watermark_url: expect.stringContaining('/watermark?v=') }]);
  });
});
