/** Addresses of pictures for visitors: the CDN's if the operator has one and the gallery is the same for every visitor, else ours. */
import { pictureVersion } from '#src/features/photos/photos.rules.ts';
import type { Cdn } from '#src/platform/cdn/cdn.ts';

type Shown = {
  cdn: Pick<Cdn, 'addressOf'>;
  gallery: { isPrivate: boolean; passwordRequired: boolean; displayWatermark: boolean };
  row: { pixelVersion: number };
};

/** A visitor's answer, with the CDN's address of the picture if it has one. */
export function withPublicAddress<Answer extends { id: number; gallery_id: number; image_url: string }>(
  { cdn, gallery, row }: Shown,
  answer: Answer,
): Answer {
  if (gallery.isPrivate || gallery.passwordRequired) return answer;
  const version = pictureVersion(row.pixelVersion, gallery.displayWatermark);
  const address = cdn.addressOf({ galleryId: answer.gallery_id, photoId: answer.id, version });
  return address === null ? answer : { ...answer, image_url: address };
}
