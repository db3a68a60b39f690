/** Photos and their tags as members see them. */
import { presentTag, type TagOfMembers } from '#src/features/photos/numbers.rules.ts';
import { pictureAddress } from '#src/features/photos/photos.rules.ts';
import type { MemberTag } from '#src/features/photos/photos.contract.ts';
import type { TaggingPhoto } from '#src/features/tagging/tagging.contract.ts';

export type PhotoToTag = {
  id: number;
  pixelVersion: number;
  width: number | null;
  height: number | null;
  capturedAt: string | null;
  make: string | null;
  model: string | null;
  shown: boolean;
  published: boolean;
  checked: boolean;
  taken: boolean;
  tags: readonly TagOfMembers[];
  keywordNumbers: readonly string[];
};

/** "NIKON Z 9", whether or not the model repeats the maker. */
function cameraOf(make: string | null, model: string | null): string | null {
  if (make === null || model === null) return model ?? make;
  const [brand = make] = make.split(' ');
  return model.toLowerCase().startsWith(brand.toLowerCase()) ? model : `${make} ${model}`;
}

/** Numbers among the keywords that someone wears here and that are not tagged yet; both players if two wear one. */
function suggestedOf(photo: Pick<PhotoToTag, 'keywordNumbers' | 'tags'>, worn: readonly TagOfMembers[]): MemberTag[] {
  const tagged = new Set(photo.tags.map(({ athleteId }) => athleteId));
  return worn
    .filter(
      ({ athleteId, number }) => number !== null && photo.keywordNumbers.includes(number) && !tagged.has(athleteId),
    )
    .map(presentTag);
}

export function presentTaggingPhoto(
  gallery: { id: number; displayWatermark: boolean },
  photo: PhotoToTag,
  worn: readonly TagOfMembers[],
): TaggingPhoto {
  const { id, pixelVersion } = photo;
  const address = pictureAddress({
    galleryId: gallery.id,
    id,
    pixelVersion,
    displayWatermark: gallery.displayWatermark,
  });
  return {
    id,
    image_url: `${address}&adminview=true`,
    width: photo.width,
    height: photo.height,
    captured_at: photo.capturedAt,
    camera: cameraOf(photo.make, photo.model),
    tags: photo.tags.map(presentTag),
    suggested: suggestedOf(photo, worn),
    checked: photo.checked,
    show_in_gallery: photo.shown,
    published: photo.published,
    taken: photo.taken,
  };
}
