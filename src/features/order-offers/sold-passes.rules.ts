/** The state of a sold pass: until when it grows, what the buyer reads about its photos, and whether it lost too many. */
import type { PassAnswer, PassKind } from '#src/features/order-offers/sold-passes.contract.ts';
import { shareOut } from '#src/features/offers/share-out.rules.ts';
import type { PassAthlete } from '#src/features/order-offers/athlete-key.rules.ts';
import { counted } from '#src/shared/counted.ts';
import { addDays, shownDay } from '#src/shared/day-range.ts';

/** A pass as its order has it. Days are `YYYY-MM-DD` in the seller's zone. */
export type SoldPass = {
  id: number;
  kind: PassKind;
  /** As the buyer saw it. */
  name: string;
  galleryId: number | null;
  validUntil: string;
  /** New photos still appear in it. */
  isGrowing: boolean;
  orderKey: string;
  isRevoked: boolean;
  photoCount: number;
  newCount: number;
  /** Bought photos of its order that an athlete's pass opens; none for a gallery's, whose photos are known by their gallery. */
  boughtIds: readonly number[];
  /** What was paid for it. */
  priceCents: number;
  /** The same by gallery. */
  galleries: readonly { galleryId: number; priceCents: number }[];
};

/** The last day of a gallery pass that is sold today: twelve months, including both days. */
export function lastDayOfPass(today: string): string {
  const [year = 0, month = 1, day = 1] = today.split('-').map(Number);
  const sameDay = new Date(Date.UTC(year + 1, month - 1, day)).toISOString().slice(0, 10);
  return addDays(sameDay, -1);
}

/** An athlete pass as an order stores it. */
export type AthletePass = {
  key: string;
  athlete: PassAthlete;
  sheetId: number;
  seasonEnds: string | null;
  /** Photos that it covers when it is sold. */
  galleries: readonly { galleryId: number; photos: number }[];
};

const DAYS_AFTER_SEASON = 30;
/**
 * The last day of an athlete pass that is sold today: 30 days after the season's last day, or 30 days from now outside
 * a season.
 */
export function lastDayOfAthletePass({ seasonEnds }: Pick<AthletePass, 'seasonEnds'>, today: string): string {
  return addDays(seasonEnds !== null && seasonEnds > today ? seasonEnds : today, DAYS_AFTER_SEASON);
}

/** Divides what was paid for a pass over galleries, by the photos that it covers. */
export function partsOfPass({ galleries }: Pick<AthletePass, 'galleries'>, paidCents: number) {
  const counts = galleries.map(({ photos }) => photos);
  const parts = shareOut(paidCents, counts);
  return galleries.map(({ galleryId }, at) => ({ galleryId, priceCents: parts[at] ?? 0 }));
}

/** "62 photos today. New ones appear here until 06.30.2027." */
export function passSentence({ photoCount, validUntil, isGrowing }: SoldPass): string {
  const photos = counted(photoCount, 'photo', 'photos');
  return isGrowing
    ? `${photos} today. New ones appear here until ${shownDay(validUntil)}.`
    : `${photos}. New ones appeared here until ${shownDay(validUntil)}.`;
}

/** "Download the 12 new ones". Null when there are none, and before the first download, which has all of them. */
export function newPhotosText({ photo_count: all, new_since_download: news }: PassAnswer): string | null {
  if (news === 0 || news >= all) return null;
  return news === 1 ? 'Download the new one' : `Download the ${news} new ones`;
}

/** "3 photos", "1 pass", "3 photos, 1 pass" */
export function goodsText({ photos, passes }: { photos: number; passes: number }): string {
  const texts = [
    ...(photos > 0 || passes === 0 ? [counted(photos, 'photo', 'photos')] : []),
    ...(passes > 0 ? [counted(passes, 'pass', 'passes')] : []),
  ];
  return texts.join(', ');
}

/** `isOpen`: whether the order's downloads are available. */
export function presentPass(pass: SoldPass, isOpen: boolean): PassAnswer {
  return {
    id: pass.id,
    kind: pass.kind,
    name: pass.name,
    gallery_id: pass.galleryId,
    until: pass.validUntil,
    text: passSentence(pass),
    photo_count: pass.photoCount,
    new_since_download: pass.newCount,
    order_key: isOpen && !pass.isRevoked ? pass.orderKey : null,
  };
}
