/** A gallery as its owner's dashboard shows it. */
import type { ListedGallery, PhotoPreview } from '#src/features/galleries/galleries.contract.ts';
import { parseDollarNumber, ZERO, type Cents } from '#src/shared/money.ts';

export type ManagedGallery = {
  id: number;
  name: string;
  priceCents: Cents;
  photoCount: number;
  /** Photos sold. */
  sold: number;
  salesCents: Cents;
  donationsCents: Cents;
  isPrivate: boolean;
  isLocked: boolean;
  cover: PhotoPreview | null;
  /** Contributions that wait for a decision. */
  waiting: number;
};

export function manageGallery(gallery: ListedGallery, waiting = 0): ManagedGallery {
  const money = (dollars: number | null) => parseDollarNumber(dollars ?? 0) ?? ZERO;
  return {
    id: gallery.id,
    name: gallery.name,
    priceCents: money(gallery.price_per_photo),
    photoCount: gallery.photo_count,
    sold: gallery.sales_count ?? 0,
    salesCents: money(gallery.sales_rev),
    donationsCents: money(gallery.gallery_donation),
    isPrivate: gallery.is_private,
    isLocked: gallery.password_required,
    cover: gallery.preview[0] ?? null,
    waiting,
  };
}
