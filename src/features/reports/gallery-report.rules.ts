/** What a gallery did over time, as its editor shows it (specification A§2, area "reports"). */
import { pictureAddress } from '#src/features/photos/photos.rules.ts';
import type { GalleryReport } from '#src/features/reports/reports.contract.ts';
import { stepOf, stepsOf, sumOfDays, unitFor, type SalesDay } from '#src/features/reports/sales-days.rules.ts';
import type { DayRange } from '#src/shared/day-range.ts';
import { toDollars, type Cents } from '#src/shared/money.ts';

export type GalleryDay = SalesDay & { likes: number; votes: number; visits: number };
export type SoldPhoto = {
  id: number;
  name: string;
  width: number;
  height: number;
  pixelVersion: number;
  sold: number;
  salesCents: Cents;
};

function sumOfGalleryDays(days: readonly GalleryDay[]) {
  const { orders, photos, salesCents, donationsCents } = sumOfDays(days);
  const count = (pick: (day: GalleryDay) => number) => days.reduce((sum, day) => sum + pick(day), 0);
  return {
    orders,
    photos,
    sales: toDollars(salesCents),
    donations: toDollars(donationsCents),
    likes: count((day) => day.likes),
    votes: count((day) => day.votes),
    visits: count((day) => day.visits),
  };
}

/** Days of activity as the answer of the call, in steps without gaps. */
export function presentGalleryReport(
  gallery: { id: number; displayWatermark: boolean },
  found: { days: readonly GalleryDay[]; bestSellers: readonly SoldPhoto[] },
  range: DayRange,
): GalleryReport {
  const unit = unitFor(range);
  const byStep = Map.groupBy(found.days, ({ day }) => stepOf(day, range, unit));
  return {
    unit,
    totals: sumOfGalleryDays(found.days),
    steps: stepsOf(range, unit).map((day) => ({ day, ...sumOfGalleryDays(byStep.get(day) ?? []) })),
    best_sellers: found.bestSellers.map((photo) => ({
      id: photo.id,
      name: photo.name,
      image_url: pictureAddress({ ...gallery, galleryId: gallery.id, id: photo.id, pixelVersion: photo.pixelVersion }),
      width: photo.width,
      height: photo.height,
      sold: photo.sold,
      sales: toDollars(photo.salesCents),
    })),
  };
}
