import { describe, expect, test } from 'vitest';
import { galleryAnswer, lockedGalleryAnswer } from '#src/features/galleries/galleries.contract.ts';
import {
  NO_SECRETS,
  photosLeft,
  presentGallery,
  presentLocked,
  readGalleryPlace,
  writeGalleryPlace,
  type Gallery,
} from '#src/features/galleries/galleries.rules.ts';

const GALLERY: Gallery = {
  id: 7,
  organizationId: 3,
  parentOrganizationId: 2,
  organizationName: 'Hawks',
  freeTier: true,
  name: 'Final',
  active: true,
  isPrivate: false,
  priceCents: 450,
  priceSheetId: null,
  photosBy: 'Rosa',
  displayWatermark: true,
  displayGoal: false,
  goalDescription: 'Nets',
  targetGoalCents: 120_000,
  passwordRequired: true,
  hasPassword: true,
  passwordVersion: 1,
  allowPublicContributions: false,
  hasTags: false,
  allowVoting: false,
  photoCount: 12,
  publicPhotoCount: 9,
  photosSold: 4,
  salesCents: 1_800,
  donationsCents: 500,
  createdAt: new Date('2026-05-09T10:00:00Z'),
  updatedAt: new Date('2026-05-09T10:00:00Z'),
};
const SECRETS = { ...NO_SECRETS, password: 'goalkeeper', contributeKey: 'key', unlockKey: 'link' };

describe('what a gallery shows', () => {
  test('to locked-out visitors: only what the password form needs', () => {
    const answer = presentLocked(GALLERY);
    expect(answer).toEqual({ id: 7, name: 'Final', organization_id: 3, password_required: true, password: null });
    expect(lockedGalleryAnswer.parse(answer)).toEqual(answer);
  });

  test('to members: everything, in dollars', () => {
    const answer = presentGallery({ gallery: GALLERY, editor: true }, SECRETS);
    expect(galleryAnswer.parse(answer)).toEqual(answer);
    expect(answer).toMatchObject({
      price_per_photo: 4.5,
      target_goal: 1200,
      sales_rev: 18,
      gallery_donation: 5,
      sales_count: 4,
      photo_count: 12,
      password: 'goalkeeper',
    });
  });

  test('to visitors: no sales unless the goal is shown, no hidden photos in the count', () => {
    expect(presentGallery({ gallery: GALLERY, editor: false }, NO_SECRETS)).toMatchObject({
      sales_rev: null,
      gallery_donation: null,
      sales_count: null,
      photo_count: 9,
      password: null,
      contribute_key: null,
    });
    expect(presentGallery({ gallery: { ...GALLERY, displayGoal: true }, editor: false }, NO_SECRETS)).toMatchObject({
      sales_rev: 18,
      gallery_donation: 5,
      sales_count: null,
    });
  });
});

describe('limits of the free plan', () => {
  test.each([
    [true, 499, 1],
    [true, 500, 0],
    [true, 700, 0],
    [false, 500_000, Number.POSITIVE_INFINITY],
  ])('free: %s, %d photos exist → %d more', (freeTier, photoCount, expected) => {
    expect(photosLeft({ freeTier, photoCount })).toBe(expected);
  });
});

describe('the cursor of a list of galleries', () => {
  const place = { createdText: '2026-05-09 10:00:00.123456+00', id: 7 };
  test('comes back as it was written', () => {
    expect(readGalleryPlace(writeGalleryPlace(place))).toEqual(place);
  });
  test.each(['', 'x', btoa('["now()",1]'), btoa('["2026-05-09 10:00:00+00","1"]'), btoa('null')])(
    '%j is invalid',
    (text) => {
      expect(readGalleryPlace(text)).toBeNull();
    },
  );
});
