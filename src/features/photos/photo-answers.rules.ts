/** Photos in the API: whitelists, one for visitors and one for members (rules 8, 9). */
import type { Gallery } from '#src/features/galleries/galleries.rules.ts';
import type { ContributorAnswer, PhotoPreview } from '#src/features/galleries/galleries.contract.ts';
import type { HiddenBy, KeywordAnswer, PhotoAnswer } from '#src/features/photos/photos.contract.ts';
import { photoTitle } from '#src/features/photos/photo-title.rules.ts';
import { pictureAddress, priceOf } from '#src/features/photos/photos.rules.ts';

/** A photo's row, read for one caller. */
export type PhotoRow = {
  id: number;
  name: string;
  status: 'processing' | 'ready' | 'failed';
  problem: string | null;
  showInGallery: boolean;
  featured: boolean;
  orderKey: string;
  priceOverrideCents: number | null;
  width: number | null;
  height: number | null;
  /** Base64. */
  thumbhash: string | null;
  pixelVersion: number;
  likes: number;
  votes: number;
  liked: boolean;
  voted: boolean;
  keywords: KeywordAnswer[];
  /** The camera's local time, ISO text without zone. */
  takenAt: string | null;
};

/** For visitors: the other fields are the same for each photo that they see, and for visitors without likes. */
export type ShownPhotoRow = Omit<PhotoRow, 'status' | 'problem' | 'showInGallery' | 'liked' | 'voted'> &
  Partial<PhotoRow>;

/** Fields for members only. */
export type MemberPhotoRow = PhotoRow & {
  contributorId: number | null;
  contributor: ContributorAnswer | null;
  exif: Record<string, string | number>;
  iptc: Record<string, string | string[]>;
  salesCount: number;
  salesCents: number;
  turning: boolean;
  /** Why it is withheld; null while it is not. */
  hiddenBy: HiddenBy[] | null;
  /** A member shows it, although a consent would hide it. */
  excepted: boolean;
};

type GalleryOfPhotos = Pick<Gallery, 'id' | 'displayWatermark' | 'priceCents'>;

/** A photo for visitors. `index` is its position in the caller's list. */
export function presentPhoto(gallery: GalleryOfPhotos, row: ShownPhotoRow, index: number): PhotoAnswer {
  return {
    id: row.id,
    gallery_id: gallery.id,
    galleryId: gallery.id,
    image_url: pictureAddress({
      galleryId: gallery.id,
      id: row.id,
      pixelVersion: row.pixelVersion,
      displayWatermark: gallery.displayWatermark,
    }),
    name: photoTitle(row.name, row.id),
    captured_at: row.takenAt,
    width: row.width,
    height: row.height,
    thumbhash: row.thumbhash,
    status: row.status ?? 'ready',
    problem: row.problem ?? null,
    show_in_gallery: row.showInGallery ?? true,
    featured: row.featured,
    sequence_index: index,
    likes: row.likes,
    votes: row.votes,
    liked: row.liked ?? false,
    voted: row.voted ?? false,
    keywords: row.keywords,
    price_override: row.priceOverrideCents === null ? null : row.priceOverrideCents / 100,
    price: priceOf(row, gallery) / 100,
  };
}

/** A photo for members. */
export function presentMemberPhoto(gallery: GalleryOfPhotos, row: MemberPhotoRow, index: number): PhotoAnswer {
  return {
    ...presentPhoto(gallery, row, index),
    name: row.name,
    gallery_contributor_id: row.contributorId,
    contributor: row.contributor,
    exif: row.exif,
    iptc: row.iptc,
    sales_count: row.salesCount,
    sales_rev: row.salesCents / 100,
    turning: row.turning,
    ...(row.hiddenBy ? { hidden_by: row.hiddenBy } : {}),
    ...(row.excepted ? { excepted: true } : {}),
  };
}

export type PreviewRow = {
  id: number;
  galleryId: number;
  name: string;
  width: number;
  height: number;
  thumbhash: string;
  pixelVersion: number;
  displayWatermark: boolean;
  isPrivate: boolean;
  passwordRequired: boolean;
};

export function presentPreview(row: PreviewRow): PhotoPreview {
  return {
    id: row.id,
    gallery_id: row.galleryId,
    image_url: pictureAddress(row),
    name: photoTitle(row.name, row.id),
    width: row.width,
    height: row.height,
    thumbhash: row.thumbhash,
  };
}
