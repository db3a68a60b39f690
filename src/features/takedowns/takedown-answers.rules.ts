/** A request as its owners learn of it. */
import { pictureAddress } from '#src/features/photos/photos.rules.ts';
import type { TakedownAnswer, TakedownState } from '#src/features/takedowns/takedowns.contract.ts';

/** A request with the photo and the gallery it is about. */
export type ListedTakedown = {
  id: number;
  state: TakedownState;
  organizationId: number;
  galleryId: number;
  galleryName: string;
  displayWatermark: boolean;
  /** Path of the affiliate whose gallery it is. */
  affiliate: string;
  photoId: number;
  photoName: string;
  photoStatus: string;
  pixelVersion: number;
  width: number | null;
  height: number | null;
  showInGallery: boolean;
  isRemoved: boolean;
  salesCount: number;
  reason: string | null;
  contact: string | null;
  guardian: boolean;
  hidFirst: boolean;
  askedAt: Date;
  decidedAt: Date | null;
  decidedBy: string | null;
  note: string;
};

export function presentTakedown(row: ListedTakedown): TakedownAnswer {
  const hasPicture = !row.isRemoved && row.photoStatus === 'ready';
  const picture = { galleryId: row.galleryId, id: row.photoId, pixelVersion: row.pixelVersion };
  return {
    id: row.id,
    state: row.state,
    organization_id: row.organizationId,
    gallery: { id: row.galleryId, name: row.galleryName, affiliate: row.affiliate },
    photo: {
      id: row.photoId,
      name: row.photoName,
      image_url: hasPicture
        ? `${pictureAddress({ ...picture, displayWatermark: row.displayWatermark })}&adminview=true`
        : null,
      width: row.width,
      height: row.height,
      show_in_gallery: row.showInGallery,
      removed: row.isRemoved,
      sales_count: row.salesCount,
    },
    reason: row.reason,
    contact: row.contact,
    guardian: row.guardian,
    hidden_first: row.hidFirst,
    asked_at: row.askedAt.toISOString(),
    decided_at: row.decidedAt?.toISOString() ?? null,
    decided_by: row.decidedBy,
    note: row.note,
  };
}
