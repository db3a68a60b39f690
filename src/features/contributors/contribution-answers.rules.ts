/** Contributions for their sender and for the owner, and where lists of them continue. */
import type { OwnPhoto, WaitingPhoto } from '#src/features/contributors/contributors.contract.ts';
import type { Gallery } from '#src/features/galleries/galleries.rules.ts';
import { pictureAddress } from '#src/features/photos/photos.rules.ts';
import { readId } from '#src/shared/read-id.ts';

/** A photo that someone sent, as its row. */
type Sent = {
  id: number;
  contributorId: number;
  orderKey: string;
  name: string;
  status: 'processing' | 'ready' | 'failed';
  width: number | null;
  height: number | null;
  /** Base64. */
  thumbhash: string | null;
  pixelVersion: number;
};

/** For its sender. */
export type OwnPhotoRow = Sent & {
  problem: string | null;
  showInGallery: boolean;
  isReviewed: boolean;
  isRemoved: boolean;
  isWithdrawn: boolean;
  /** Null if no one is asked for them. */
  numbers: string[] | null;
};

/** For its owner, while it waits. */
export type WaitingRow = Sent & {
  status: 'processing' | 'ready';
  exif: Record<string, string | number>;
  dhash: string | null;
  sharpness: number | null;
  /** The sender's numbers. */
  numbers: string[];
};

type OfGallery = Pick<Gallery, 'id' | 'displayWatermark'>;

/** For the sender; `proof` opens its picture to them. */
export function presentOwn(gallery: OfGallery, row: OwnPhotoRow, proof: string): OwnPhoto {
  const state = ownStateOf(row);
  // Who hid an approved photo, and whether a child's consent did, must not be revealed: all hidden ones look alike, and
  // so do all that wait.
  const isSeen = !row.isRemoved && (row.showInGallery || !row.isReviewed);
  return {
    id: row.id,
    name: row.name,
    state,
    problem: state === 'failed' ? row.problem : null,
    image_url: row.status === 'ready' && isSeen ? `${addressOf(gallery, row)}&own=${proof}` : null,
    width: row.width,
    height: row.height,
    thumbhash: isSeen ? row.thumbhash : null,
    may_withdraw: !row.isRemoved && !row.isWithdrawn,
    ...(row.numbers === null || row.isWithdrawn || row.status === 'failed' ? {} : { numbers: row.numbers }),
  };
}

type Waiting = WaitingRow & { isSoft: boolean; similar: { id: number; name: string; isShown: boolean } | null };

/** For the owner, clean. */
export function presentWaiting(gallery: OfGallery, row: Waiting): WaitingPhoto {
  const taken = row.exif['takenAt'];
  return {
    id: row.id,
    contributor_id: row.contributorId,
    name: row.name,
    image_url: `${addressOf(gallery, row)}&adminview=true`,
    width: row.width,
    height: row.height,
    thumbhash: row.thumbhash,
    status: row.status,
    taken_at: typeof taken === 'string' ? taken : null,
    is_blurry: row.isSoft,
    similar_to: row.similar && { id: row.similar.id, name: row.similar.name, is_shown: row.similar.isShown },
    ...(row.numbers.length > 0 ? { numbers: row.numbers } : {}),
  };
}

function addressOf({ id: galleryId, displayWatermark }: OfGallery, { id, pixelVersion }: Sent): string {
  return pictureAddress({ galleryId, id, pixelVersion, displayWatermark });
}

type OwnFacts = Pick<OwnPhotoRow, 'status' | 'showInGallery' | 'isReviewed' | 'isRemoved' | 'isWithdrawn'>;

/** A withdrawn photo that is still listed was sold: its buyers keep it. Removed by the owner counts as "not chosen", too. */
export function ownStateOf(photo: OwnFacts): OwnPhoto['state'] {
  if (photo.isWithdrawn) return 'withdrawn';
  if (photo.isRemoved) return 'not_chosen';
  if (photo.status === 'failed') return 'failed';
  if (photo.showInGallery) return photo.status === 'ready' ? 'shown' : 'processing';
  if (photo.isReviewed) return 'not_chosen';
  return photo.status === 'processing' ? 'processing' : 'waiting';
}

/** A position in a list of contributions: by contribution, then in capture order. */
export type ContributionPlace = { contributorId: number; orderKey: string; id: number };

export function writeContributionPlace({ contributorId, orderKey, id }: ContributionPlace): string {
  return `${contributorId}.${id}.${orderKey}`;
}

/** Null for a text that we did not write. */
export function readContributionPlace(text: string): ContributionPlace | null {
  const [, contributor, photo, orderKey] = /^(\d{1,16})\.(\d{1,16})\.([0-9A-Za-z]{1,200})$/.exec(text) ?? [];
  const [contributorId, id] = [readId(contributor ?? ''), readId(photo ?? '')];
  if (contributorId === null || id === null || orderKey === undefined) return null;
  return { contributorId, orderKey, id };
}
