/** The editor's grid of photos: filters, positions, and changes of many photos (specification A§4, 7; rule 28). */
import * as z from 'zod/mini';
import { MAX_PRICE_CENTS, YES_OR_NO } from '#src/features/galleries/galleries.contract.ts';
import {
  keywordNames,
  PHOTO_PRICE_INVALID,
  photoAnswer,
  MAX_SEARCH_CHARACTERS,
  photosQuery,
  type HiddenBy,
} from '#src/features/photos/photos.contract.ts';
import { counted, formatCount } from '#src/shared/counted.ts';
import { BAD_PLACE, countUpTo } from '#src/shared/paging.ts';
import { readId } from '#src/shared/read-id.ts';
import { dollars, idSchema } from '#src/shared/validators.ts';

/** The first three are the specification's (A§4); `default` is Show All. A failed photo is never public (rule 46). */
export const PHOTO_SHOWS = [
  'default',
  'onlyShowInGallery',
  'onlyNotShowInGallery',
  'withoutKeywords',
  'failed',
] as const;
export type PhotoShow = (typeof PHOTO_SHOWS)[number];
export const FIRST_SHOW: PhotoShow = 'onlyShowInGallery';
export const SHOW_LABELS: Record<PhotoShow, string> = {
  default: 'Show All',
  onlyShowInGallery: 'Show Public',
  onlyNotShowInGallery: 'Show Non-Public',
  withoutKeywords: 'Without keywords',
  failed: 'Failed',
};
/** `custom` is the gallery's own order; times are those of cameras, else of uploads. */
export const PHOTO_SORTS = ['custom', 'oldest', 'newest'] as const;
export type PhotoSort = (typeof PHOTO_SORTS)[number];
export const SORT_LABELS: Record<PhotoSort, string> = {
  custom: 'Gallery order',
  oldest: 'Oldest first',
  newest: 'Newest first',
};
export const UNKNOWN_SORT = 'Photos are sorted by custom, oldest or newest.';
export const SEARCH_TOO_LONG = `A search can have at most ${MAX_SEARCH_CHARACTERS} characters.`;
export const SEE_AS_VISITOR = 'See as visitor';
export const ENABLE_CUSTOM_SORT = 'Enable Custom Sort';
export const DISABLE_CUSTOM_SORT = 'Disable Custom Sort';
export const UNKNOWN_SHOW = 'Unknown filter.';
export const FIRST_PHOTO_STAYS = 'The first photo stays first.';
export const NO_SUCH_PLACE = 'There is no photo at this position.';
export const PLACE_EXPECTED = 'Position must be a whole number, 0 or more.';
export const PHOTO_IS_GONE = 'This photo is no longer in the gallery.';
export const PHOTOS_EXPECTED = 'Choose at least one photo.';
const MAX_PHOTOS_AT_ONCE = 5_000;
export const TOO_MANY_PHOTOS = 'At most 5,000 photos can be changed at once.';
export const NOTHING_TO_CHANGE = 'Choose what to change.';
export const SORT_HINT =
  'Drag photos to their place; on a phone, press and hold first. Select a photo to move it far. With a keyboard: Space picks a photo up, arrows move it.';
export const ORDER_STILL_LOADING = 'The order is still loading. Try again in a moment.';
/** Positions from 1; the first one is taken by the first photo. Null when the position is valid. */
export function placeProblem(place: number, total: number): string | null {
  if (place === 1) return FIRST_PHOTO_STAYS;
  if (Number.isInteger(place) && place >= 2 && place <= total) return null;
  return `Choose a position from 2 to ${formatCount(total)}.`;
}
export function photosInWords(count: number): string {
  return counted(count, 'photo', 'photos');
}
export const removeManyQuestion = (count: number) =>
  `Are you sure you want to remove these ${photosInWords(count)}? This cannot be undone.`;

/** The badge of a hidden photo. */
export function hiddenText(causes: readonly HiddenBy[] = []): string {
  if (causes.includes('consent')) return 'Hidden: consent';
  if (causes.includes('takedown')) return 'Hidden: request';
  return causes.includes('hold') ? 'Hidden: not checked' : 'Hidden';
}

/** An overlay is shown this long after a toggle; the rotation's modal at most this long (A§9). */
export const OVERLAY_MS = 1_000;
export const ROTATE_MODAL_MS = 4_000;

export const MAX_LAYOUT_PER_PAGE = 1_000;
export const MAX_FACTS_PER_CALL = 100;

const showSchema = z.optional(z.enum(PHOTO_SHOWS, { error: UNKNOWN_SHOW }));
/** The query of the list call, with the filter for members. */
export const shownPhotosQuery = z.extend(photosQuery, { show: showSchema });
export const layoutQuery = z.object({
  show: showSchema,
  sort: z.optional(z.enum(PHOTO_SORTS, { error: UNKNOWN_SORT })),
  /** Words of keywords (rule 54), or a part of a file name. */
  keyword: z.optional(z.string().check(z.maxLength(MAX_SEARCH_CHARACTERS, SEARCH_TOO_LONG))),
  after: z.optional(z.string().check(z.maxLength(2_000, BAD_PLACE))),
  limit: z.optional(countUpTo(MAX_LAYOUT_PER_PAGE)),
});

/** How many photos each filter has. */
const showCounts = z.object({
  default: z.number(),
  onlyShowInGallery: z.number(),
  onlyNotShowInGallery: z.number(),
  withoutKeywords: z.number(),
  failed: z.number(),
} satisfies Record<PhotoShow, unknown>);
export type ShowCounts = z.infer<typeof showCounts>;

/** What the layout of the grid needs of a photo that is not loaded yet. */
export const photoLayout = z.object({
  photos: z.array(
    z.object({
      id: z.number(),
      /** Width / height; null while unknown. */
      ratio: z.nullable(z.number()),
      shown: z.boolean(),
      featured: z.boolean(),
      failed: z.boolean(),
    }),
  ),
  /** Opaque; null after the last photo. */
  next: z.nullable(z.string()),
  total: z.number(),
  /** Only with the first page. */
  counts: z.nullable(showCounts),
});
export type PhotoLayout = z.infer<typeof photoLayout>;

/** Without its position, which a single photo does not know. */
const photoFact = z.omit(photoAnswer, { sequence_index: true });
export type PhotoFact = z.infer<typeof photoFact>;
export const factsQuery = z.object({
  ids: z.pipe(
    z.string({ error: PHOTOS_EXPECTED }).check(z.maxLength(2_000, TOO_MANY_PHOTOS)),
    z.transform((text, context): number[] => {
      const ids = text.split(',').map(readId);
      if (ids.length <= MAX_FACTS_PER_CALL && ids.every((id) => id !== null)) return ids as number[];
      context.issues.push({ code: 'custom', message: 'Not an id.', input: text });
      return z.NEVER;
    }),
  ),
});
export const photoFacts = z.object({ photos: z.array(photoFact) });

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
