/** The values of picture fields, and when watermarks must be drawn again. */
import { expect, test } from 'vitest';
import { marksDiffer, pictureRequest } from '#src/features/settings/settings.rules.ts';
import { sponsorSums } from '#src/features/branding/sponsors.rules.ts';
import { readSponsorLink } from '#src/features/tenancy/settings-words.contract.ts';

const OURS = '/api/v1/organizations/7/pictures/';

test.each<[Parameters<typeof pictureRequest>[0], string | null | undefined, ReturnType<typeof pictureRequest>]>([
  ['logo', undefined, 'kept'],
  ['logo', `${OURS}logo?v=0123`, 'kept'],
  ['logo', `http://hawks.test${OURS}logo?v=0123`, 'kept'],
  ['logo', null, 'removed'],
  ['logo', ' ', 'removed'],
  ['logo', `${OURS}home_image`, { upload: `${OURS}home_image` }],
  ['logo', 'uploads/7/settings/a.png', { upload: 'uploads/7/settings/a.png' }],
  ['watermark', '/api/v1/affiliates/7/watermark?v=1', 'kept'],
  ['watermark', '/api/v1/affiliates/8/watermark?v=1', { upload: '/api/v1/affiliates/8/watermark?v=1' }],
  ['watermark', `${OURS}logo?v=0123`, 'of logo'],
  ['watermark', '/api/v1/organizations/8/pictures/logo', { upload: '/api/v1/organizations/8/pictures/logo' }],
])('%s = %j is %j', (kind, value, wish) => {
  expect(pictureRequest(kind, 7, value)).toEqual(wish);
});

const MARK = {
  name: 'Hawks',
  domain_name: 'hawks',
  watermark_key: null,
  watermark_text: null,
  watermark_placement: 'tiled' as const,
  watermark_strength: 'normal' as const,
};
const PICTURE = { ...MARK, watermark_key: 'organizations/7/a.png' };

test.each<[string, typeof MARK | typeof PICTURE, object, boolean]>([
  ['nothing', MARK, {}, false],
  ['the name where it is the mark', MARK, { name: 'Owls' }, true],
  ['the name behind words', { ...MARK, watermark_text: 'Hi' } as never, { name: 'Owls' }, false],
  ['the words', MARK, { watermark_text: 'Hi' }, true],
  ['the words behind a picture', PICTURE, { watermark_text: 'Hi' }, false],
  ['the picture', PICTURE, { watermark_key: 'organizations/7/b.png' }, true],
  ['its going', PICTURE, { watermark_key: null }, true],
  ['the strength', MARK, { watermark_strength: 'strong' }, true],
  ['the strength behind a picture', PICTURE, { watermark_strength: 'strong' }, false],
  ['the path', MARK, { domain_name: 'owls' }, false],
  ['the path of a name that may lack letters', { ...MARK, name: '東京' }, { domain_name: 'tokyo' }, true],
  ['the place', PICTURE, { watermark_placement: 'centred' }, true],
])('a change of %s', (_what, before, change, differs) => {
  expect(marksDiffer(before, { ...before, ...change } as never)).toBe(differs);
});

test.each<[string, string | null]>([
  ['https://shoes.test', 'https://shoes.test/'],
  [' HTTPS://shoes.test/a?b#c ', 'https://shoes.test/a?b#c'],
  ['http://shoes.test', null],
  ['javascript:alert(1)', null],
  ['data:text/html,x', null],
  ['//shoes.test', null],
  ['https:/shoes.test', null],
  ['https://', null],
  ['https://a:b@shoes.test/', null],
  ['shoes.test', null],
  [`https://shoes.test/${'x'.repeat(2_000)}`, null],
])('the link %j is stored as %j', (given, kept) => {
  expect(readSponsorLink(given)).toBe(kept);
});

test('banners are counted from a day on, each position separately', () => {
  const day = (on: string, slot: 'tablet' | 'mobile', impressions: number, clicks: number) => ({
    day: on,
    slot,
    impressions,
    clicks,
  });
  const counts = [
    day('2026-11-20', 'tablet', 5, 1),
    day('2026-10-22', 'tablet', 2, 0),
    day('2026-10-21', 'tablet', 9, 9),
    day('2026-11-01', 'mobile', 1, 0),
  ];
  expect(sponsorSums(counts, '2026-10-22')).toEqual({
    tablet: { impressions: 7, clicks: 1 },
    mobile: { impressions: 1, clicks: 0 },
  });
});
