/** The editor's grid of photos: its filters and sorts, and what it reads of each photo (specification A§4, 7; rule 28). */
import * as z from 'zod/mini';
import {
  photoAnswer,
  MAX_SEARCH_CHARACTERS,
  photosQuery,
  type HiddenBy,
} from '#src/features/photos/photos.contract.ts';
import { counted } from '#src/shared/counted.ts';
import { BAD_PLACE, countUpTo } from '#src/shared/paging.ts';
import { readId } from '#src/shared/read-id.ts';

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
export const UNKNOWN_SHOW = 'Unknown filter.';
export const PHOTOS_EXPECTED = 'Choose at least one photo.';
export function photosInWords(count: number): string {
  return counted(count, 'photo', 'photos');
}

/** The badge of a hidden photo. */
export function hiddenText(causes: readonly HiddenBy[] = []): string {
  if (causes.includes('consent')) return 'Hidden: consent';
  if (causes.includes('takedown')) return 'Hidden: request';
  return causes.includes('hold') ? 'Hidden: not checked' : 'Hidden';
}

export const MAX_LAYOUT_PER_PAGE = 1_000;
export const MAX_FACTS_PER_CALL = 100;
const TOO_MANY_FACTS = `At most ${MAX_FACTS_PER_CALL} photos can be read at once.`;

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
    z.string({ error: PHOTOS_EXPECTED }).check(z.maxLength(2_000, TOO_MANY_FACTS)),
    z.transform((text, context): number[] => {
      const ids = text.split(',').map(readId);
      if (ids.length <= MAX_FACTS_PER_CALL && ids.every((id) => id !== null)) return ids as number[];
      context.issues.push({ code: 'custom', message: 'Not an id.', input: text });
      return z.NEVER;
    }),
  ),
});
export const photoFacts = z.object({ photos: z.array(photoFact) });
