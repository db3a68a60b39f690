/** The contents of a gallery's card, on public pages and on its owner's dashboard. */
import type { PhotoPreview, ListedGallery } from '#src/features/galleries/galleries.contract.ts';
import { publicDay, machineDay } from '#src/shared/dates.ts';
import { fromDollars, type Cents } from '#src/shared/money.ts';

export type GalleryCardFacts = {
  id: number;
  name: string;
  /** The owner's name, in lists with galleries of several owners. */
  owner: string | null;
  address: string;
  priceCents: Cents;
  photoCount: number;
  /** `MM.DD.YYYY`, and the machine-readable form. */
  day: { shown: string; machine: string };
  isLocked: boolean;
  preview: readonly PhotoPreview[];
};

export function dayOf(moment: Date, timeZone: string): GalleryCardFacts['day'] {
  return { shown: publicDay(moment, timeZone), machine: machineDay(moment, timeZone) };
}

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
  return {
    id: gallery.id,
    name: gallery.name,
    priceCents: fromDollars(gallery.price_per_photo),
    photoCount: gallery.photo_count,
    sold: gallery.sales_count ?? 0,
    salesCents: fromDollars(gallery.sales_rev ?? 0),
    donationsCents: fromDollars(gallery.gallery_donation ?? 0),
    isPrivate: gallery.is_private,
    isLocked: gallery.password_required,
    cover: gallery.preview[0] ?? null,
    waiting,
  };
}
