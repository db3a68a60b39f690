/** What editors change: the order of photos, and many photos in one call (specification A§4, 7; rule 28). */
import * as z from 'zod/mini';
import { MAX_PRICE_CENTS, YES_OR_NO } from '#src/features/galleries/galleries.contract.ts';
import { PHOTOS_EXPECTED, photosInWords } from '#src/features/photos/photo-grid.contract.ts';
import { keywordNames, PHOTO_PRICE_INVALID } from '#src/features/photos/photos.contract.ts';
import { formatCount } from '#src/shared/counted.ts';
import { dollars, idSchema } from '#src/shared/validators.ts';

export const SEE_AS_VISITOR = 'See as visitor';
export const ENABLE_CUSTOM_SORT = 'Enable Custom Sort';
export const DISABLE_CUSTOM_SORT = 'Disable Custom Sort';
export const FIRST_PHOTO_STAYS = 'The first photo stays first.';
export const NO_SUCH_PLACE = 'There is no photo at this position.';
export const PLACE_EXPECTED = 'Position must be a whole number, 0 or more.';
export const PHOTO_IS_GONE = 'This photo is no longer in the gallery.';
const MAX_PHOTOS_AT_ONCE = 5_000;
export const TOO_MANY_PHOTOS = `At most ${formatCount(MAX_PHOTOS_AT_ONCE)} photos can be changed at once.`;
export const NOTHING_TO_CHANGE = 'Choose what to change.';
export const SORT_HINT =
  'Drag photos into place; on a phone, press and hold first. Select a photo to move it far. With a keyboard: Space picks a photo up, arrows move it.';
export const ORDER_STILL_LOADING = 'The order is still loading. Try again in a moment.';
/** Positions from 1; the first one is taken by the first photo. Null when the position is valid. */
export function placeProblem(place: number, total: number): string | null {
  if (place === 1) return FIRST_PHOTO_STAYS;
  if (Number.isInteger(place) && place >= 2 && place <= total) return null;
  return `Choose a position from 2 to ${formatCount(total)}.`;
}
export const removeManyQuestion = (count: number) =>
  `Are you sure you want to remove these ${photosInWords(count)}? This cannot be undone.`;

/** An overlay is shown this long after a toggle; the rotation's modal at most this long (A§9). */
export const OVERLAY_MS = 1_000;
export const ROTATE_MODAL_MS = 4_000;

/** Parsed by hand, so that missing and invalid values get the same message. */
export const orderingQuery = z.object({
  from: z.optional(z.string()),
  to: z.optional(z.string()),
  photo_id: z.optional(z.string()),
  after_id: z.optional(z.string()),
});
export const orderingAnswer = z.object({ photo_ids: z.array(z.number()) });
export const ORDER_ANSWERED = 100;

const ids = z
  .array(idSchema, { error: PHOTOS_EXPECTED })
  .check(z.minLength(1, PHOTOS_EXPECTED), z.maxLength(MAX_PHOTOS_AT_ONCE, TOO_MANY_PHOTOS));

const bulkPhoto = z.strictObject(
  {
    show_in_gallery: z.optional(z.boolean({ error: YES_OR_NO })),
    price_override: z.optional(
      z.union(
        [z.null(), dollars({ maximum: MAX_PRICE_CENTS, required: PHOTO_PRICE_INVALID, invalid: PHOTO_PRICE_INVALID })],
        { error: PHOTO_PRICE_INVALID },
      ),
    ),
  },
  { error: NOTHING_TO_CHANGE },
);

export const bulkChangesBody = z
  .strictObject({ ids, photo: z.optional(bulkPhoto), add_keywords: z.optional(keywordNames) })
  .check(
    z.refine(({ photo, add_keywords: keywords }) => Object.keys(photo ?? {}).length > 0 || keywords !== undefined, {
      error: NOTHING_TO_CHANGE,
      path: ['photo'],
    }),
  );
export type BulkChanges = z.infer<typeof bulkChangesBody>;
export const bulkChangesAnswer = z.object({ updated: z.number() });
export const bulkRemovalBody = z.strictObject({ ids });
export const bulkRemovalAnswer = z.object({ removed: z.number() });

/** Each of them gets a row with its keywords, likes and tags. */
export const MOVED_AT_ONCE = 500;
export const GALLERIES_OFFERED = 20;
export const SAME_GALLERY = 'These photos are already in this gallery.';
export const CHOOSE_GALLERY = 'Choose a gallery.';
export const MOVE_TITLE = 'Move to another gallery';
export const MOVE_HINT =
  'The photos keep their keywords, tags, likes and own prices; the others get the price of that gallery. Buyers keep the photos that they bought; those sales stay with this gallery. Links to the photos lead to that gallery if everyone may see it. Passes of this gallery no longer open them.';
export const movedWords = (moved: number, name: string) =>
  moved === 0 ? 'No photos moved.' : `${photosInWords(moved)} moved to ${name}.`;
export const movedBackWords = (moved: number) => `${photosInWords(moved)} moved back, to the start of this gallery.`;
export const OTHERS_NOT_MOVED = 'The others couldn’t be moved. Please try again.';
/** Why: `MovingPhoto`. */
export const stayedWords = (stayed: number) =>
  stayed === 0
    ? ''
    : `${photosInWords(stayed)} ${stayed === 1 ? 'stays' : 'stay'}: added by contributors, hidden on request, or not ready.`;
export const moveBody = z.strictObject({
  ids: z
    .array(idSchema, { error: PHOTOS_EXPECTED })
    .check(
      z.minLength(1, PHOTOS_EXPECTED),
      z.maxLength(MOVED_AT_ONCE, `At most ${MOVED_AT_ONCE} photos can be moved at once.`),
    ),
  gallery_id: idSchema,
});
export type MoveBody = z.infer<typeof moveBody>;
export const moveAnswer = z.object({
  moved: z.array(z.object({ id: z.number(), new_id: z.number() })),
  stayed: z.array(z.number()),
});
export type MoveAnswer = z.infer<typeof moveAnswer>;
export const otherGalleriesQuery = z.object({
  q: z.optional(z.string().check(z.trim(), z.maxLength(200, CHOOSE_GALLERY))),
});
export const otherGalleriesAnswer = z.array(z.object({ id: z.number(), name: z.string(), photo_count: z.number() }));
export type OtherGallery = z.infer<typeof otherGalleriesAnswer>[number];
