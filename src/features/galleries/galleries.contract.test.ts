import { describe, expect, test } from 'vitest';
import {
  GALLERY_NAME_REQUIRED,
  GALLERY_PASSWORD_REQUIRED,
  GOAL_INVALID,
  newGallery,
  PHOTOS_BY_REQUIRED,
  PRICE_INVALID,
  PRICE_REQUIRED,
  YES_OR_NO,
} from '#src/features/galleries/galleries.contract.ts';

const RIGHT = { organization_id: 7, name: 'Spring Cup', price_per_photo: 4 };

function problemsOf(gallery: unknown): string[] {
  const result = newGallery.safeParse(gallery);
  return result.success ? [] : result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
}

describe('a gallery is refused with the specification’s words', () => {
  const cases: [string, object, string[]][] = [
    ['without a name', { name: undefined }, [`name: ${GALLERY_NAME_REQUIRED}`]],
    ['a name of blanks', { name: '   ' }, [`name: ${GALLERY_NAME_REQUIRED}`]],
    ['a name of zero-width characters', { name: '\u200b\u200e\u2066' }, [`name: ${GALLERY_NAME_REQUIRED}`]],
    ['a name of 300 characters', { name: 'x'.repeat(300) }, ['name: At most 200 characters, please.']],
    ['no price', { price_per_photo: null }, [`price_per_photo: ${PRICE_REQUIRED}`]],
    ['price absent', { price_per_photo: undefined }, [`price_per_photo: ${PRICE_REQUIRED}`]],
    ...['', 'abc', '2,50', '2', Number.NaN, -1, 0.001, 10_000.01, 1e21, true, [2]].map(
      (price): [string, object, string[]] => [
        `price ${String(price)}`,
        { price_per_photo: price },
        [`price_per_photo: ${PRICE_INVALID}`],
      ],
    ),
    ['photos by blank', { photos_by: ' ' }, [`photos_by: ${PHOTOS_BY_REQUIRED}`]],
    ['goal negative', { target_goal: -1 }, [`target_goal: ${GOAL_INVALID}`]],
    ['goal as text', { target_goal: 'much' }, [`target_goal: ${GOAL_INVALID}`]],
    ['a flag as text', { is_private: 'false' }, [`is_private: ${YES_OR_NO}`]],
    [
      'password required and blank',
      { password_required: true, password: ' ' },
      [`password: ${GALLERY_PASSWORD_REQUIRED}`],
    ],
    [
      'everything wrong at once',
      { name: '', price_per_photo: null, photos_by: '', password_required: true },
      [
        `name: ${GALLERY_NAME_REQUIRED}`,
        `price_per_photo: ${PRICE_REQUIRED}`,
        `photos_by: ${PHOTOS_BY_REQUIRED}`,
        `password: ${GALLERY_PASSWORD_REQUIRED}`,
      ],
    ],
  ];
  test.each(cases)('%s', (_case, change, expected) => {
    expect(problemsOf({ ...RIGHT, ...change })).toEqual(expected);
  });
});

describe('a gallery is read', () => {
  test.each([
    [0, 0],
    [2.5, 250],
    [10_000, 1_000_000],
  ])('price %d is %d cents', (dollars, cents) => {
    expect(newGallery.parse({ ...RIGHT, price_per_photo: dollars }).price_per_photo).toBe(cents);
  });

  test.each([
    ['', 0],
    [null, 0],
    [0, 0],
    [1200, 120_000],
  ])('goal %j is %d cents', (goal, cents) => {
    expect(newGallery.parse({ ...RIGHT, target_goal: goal }).target_goal).toBe(cents);
  });

  test('the server’s own fields are ignored', () => {
    const picked = newGallery.parse({ ...RIGHT, id: 1, contribute_key: 'mine', sales_rev: 9, created_at: 'now' });
    expect(Object.keys(picked).sort()).toEqual(['name', 'organization_id', 'price_per_photo']);
  });
});
