/** Contributions as their sender and as the owner learn of them. */
import type { OwnPhoto, WaitingPhoto } from '#src/features/contributors/contributions.contract.ts';
import type { Gallery } from '#src/features/galleries/galleries.rules.ts';
import { ownStateOf } from '#src/features/contributors/contributed-photos.rules.ts';
import { pictureAddress } from '#src/features/photos/photos.rules.ts';

type Sent = {
  id: number;
  name: string;
  status: 'processing' | 'ready' | 'failed';
  width: number | null;
  height: number | null;
  thumbhash: string | null;
  pixelVersion: number;
};
type Own = Sent & {
  problem: string | null;
  showInGallery: boolean;
  isReviewed: boolean;
  isRemoved: boolean;
  isWithdrawn: boolean;
  isWithheld: boolean;
};
type OfGallery = Pick<Gallery, 'id' | 'displayWatermark'>;

/** For the person who sent it; `proof` opens its picture to them. */
export function presentOwn(gallery: OfGallery, row: Own, proof: string): OwnPhoto {
  const state = ownStateOf(row);
  const hasPicture = row.status === 'ready' && !row.isRemoved && !row.isWithheld;
  return {
    id: row.id,
    name: row.name,
    state,
    problem: state === 'failed' ? row.problem : null,
    image_url: hasPicture ? `${addressOf(gallery, row)}&own=${proof}` : null,
    width: row.width,
    height: row.height,
    thumbhash: row.isWithheld ? null : row.thumbhash,
    may_withdraw: !row.isRemoved && !row.isWithdrawn,
  };
}

type Waiting = Sent & {
  status: 'processing' | 'ready';
  contributorId: number;
  exif: Record<string, string | number>;
  isSoft: boolean;
  alike: { id: number; name: string; isShown: boolean } | null;
};

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
    similar_to: row.alike && { id: row.alike.id, name: row.alike.name, is_shown: row.alike.isShown },
  };
}

function addressOf({ id: galleryId, displayWatermark }: OfGallery, { id, pixelVersion }: Sent): string {
  return pictureAddress({ galleryId, id, pixelVersion, displayWatermark });
}
