/** Who is on a photo: schemas and texts (athletes B.3, B.4, B.8). */
import * as z from 'zod/mini';
import { memberTag, numberText } from '#src/features/photos/photos.contract.ts';
import { counted, formatCount } from '#src/shared/counted.ts';
import { firstNumberWord } from '#src/shared/number-words.ts';
import { BAD_PLACE, countUpTo } from '#src/shared/paging.ts';
import { idSchema } from '#src/shared/validators.ts';

export { ATHLETE_NOT_FOUND, TEAM_NOT_FOUND } from '#src/features/roster/roster.contract.ts';

export const MAX_PHOTOS_PER_CHANGE = 100;
const MAX_CHANGES = 500;
/** Photos in one call, each counted once. */
const MAX_PHOTOS_PER_CALL = 500;
/** In one change: a team picture has the whole team. */
export const MAX_TAGS_PER_CHANGE = 60;
/** Photos × tags of one call. */
const MAX_TAGS_PER_CALL = 10_000;
export const TAGGING_PER_PAGE = 50;
const MAX_TAGGING_PER_PAGE = 100;

/** How many photos one person takes, by default and at most; and for how long they are reserved. */
export const RUN_PHOTOS = 100;
const MAX_RUN = 500;
export const RUN_MINUTES = 20;
/** How long a batch that was sent is recognized when it is sent again. */
export const BATCH_DAYS = 7;
/** How many keywords one call turns into tags; the rest waits for the next call. */
export const MAX_KEYWORDS_TURNED = 2_000;

/** How a tag came to be. */
const HOWS = ['hand', 'burst', 'card', 'keyword', 'file'] as const;
export const HOW_EXPECTED = 'how is hand, burst, card, keyword or file.';

export const CHANGES_EXPECTED = 'Choose the photos and who is on them.';
export const PHOTOS_EXPECTED = 'Choose at least one photo.';
export const TOO_MANY_PHOTOS = `At most ${MAX_PHOTOS_PER_CHANGE} photos a change, and ${MAX_PHOTOS_PER_CALL} a call, please.`;
const TOO_MANY_TAGS = `At most ${MAX_TAGS_PER_CHANGE} tags a change, and ${formatCount(MAX_TAGS_PER_CALL)} a call, please.`;
export const TAG_EXPECTED = 'A tag is an athlete, or a number of a team.';
export const CLIENT_KEY_EXPECTED = 'The key of a batch has 8 to 64 letters, digits, dots, dashes or underscores.';
export const COUNT_NOT_VALID = `Take 1 to ${MAX_RUN} photos.`;
export const NO_TEAMS_IN_PLAY = 'First choose the teams that play in these photos.';
export const keywordsToTurn = (count: number) =>
  count === 1
    ? 'Turn 1 keyword that is a number into a tag'
    : `Turn ${formatCount(count)} keywords that are numbers into tags`;
export const keywordsTurned = (tagged: number, left: number) =>
  [
    `${counted(tagged, 'keyword is a tag', 'keywords are tags')} now.`,
    ...(left === 0
      ? []
      : [
          `${counted(left, 'number stays a keyword', 'numbers stay keywords')}: no one or more than one player wears it.`,
        ]),
  ].join(' ');
export const PHOTO_IS_GONE = 'This photo is no longer in the gallery.';
export const NOT_ON_A_TEAM = 'This athlete was on no team when the photo was taken.';
export const chooseAthlete = (number: string, count: number) =>
  `${firstNumberWord(count)} players wear ${number}. Please choose the athlete.`;

/** An athlete, or a number of a team: the athlete who wore it on the photo's day, or the bare number if no one did. */
const target = z.union(
  [z.strictObject({ athlete_id: idSchema }), z.strictObject({ team_id: idSchema, number: numberText })],
  { error: TAG_EXPECTED },
);
export type TagTarget = z.output<typeof target>;
const targets = z._default(
  z.array(target, { error: TAG_EXPECTED }).check(z.maxLength(MAX_TAGS_PER_CHANGE, TOO_MANY_TAGS)),
  [],
);

const change = z.strictObject({
  photo_ids: z
    .array(idSchema, { error: PHOTOS_EXPECTED })
    .check(z.minLength(1, PHOTOS_EXPECTED), z.maxLength(MAX_PHOTOS_PER_CHANGE, TOO_MANY_PHOTOS)),
  add: targets,
  /** A number removes the athlete who wore it on the photo's day. */
  remove: targets,
  /** True: no one needs to be named. */
  checked: z.optional(z.boolean({ error: 'checked is true or false.' })),
  /** `keyword` and `file`: no one looked at the photo, so it stays held. */
  how: z._default(z.enum(HOWS, { error: HOW_EXPECTED }), 'hand'),
});
export type TagChange = z.output<typeof change>;

const clientKey = z.string({ error: CLIENT_KEY_EXPECTED }).check(z.regex(/^[\w.-]{8,64}$/, CLIENT_KEY_EXPECTED));

/** `PUT /api/v1/galleries/{id}/tags`: changes in order; the same `client_key` counts once. */
export const tagsBody = z
  .strictObject({
    changes: z
      .array(change, { error: CHANGES_EXPECTED })
      .check(z.minLength(1, CHANGES_EXPECTED), z.maxLength(MAX_CHANGES, TOO_MANY_PHOTOS)),
    client_key: clientKey,
  })
  .check(
    z.refine(({ changes }) => new Set(changes.flatMap((one) => one.photo_ids)).size <= MAX_PHOTOS_PER_CALL, {
      error: TOO_MANY_PHOTOS,
      path: ['changes'],
    }),
    z.refine(
      ({ changes }) =>
        changes.reduce((sum, one) => sum + one.photo_ids.length * (one.add.length + one.remove.length), 0) <=
        MAX_TAGS_PER_CALL,
      { error: TOO_MANY_TAGS, path: ['changes'] },
    ),
  );
export type TagsBody = z.output<typeof tagsBody>;

/** A change as `changes` takes it. */
const undoTarget = z.union([
  z.object({ athlete_id: z.number() }),
  z.object({ team_id: z.number(), number: z.string() }),
]);
const undoChange = z.object({
  photo_ids: z.array(z.number()),
  add: z.array(undoTarget),
  remove: z.array(undoTarget),
  /** Of the tags to add: as they were. */
  how: z.optional(z.enum(HOWS)),
});
export type UndoChange = z.infer<typeof undoChange>;

export const tagsAnswer = z.object({
  /** Photos with at least one accepted change. */
  tagged: z.number(),
  /** Photos that this call has hidden from the public because of a child's consent. */
  hidden: z.array(z.number()),
  /** Photos that wait again: this call took their last tag or check, and somebody in the teams must not be published. */
  held: z.array(z.number()),
  /** Photos that this call has shown: their hold ended, or the child whose consent hid them is no longer on them. */
  shown: z.array(z.number()),
  refused: z.array(z.object({ photo_id: z.number(), error: z.string() })),
  /** Changes that undo what this call added and removed, and nothing that was there before it. */
  undo: z.array(undoChange),
});
export type TagsAnswer = z.infer<typeof tagsAnswer>;

export const taggingQuery = z.object({
  /** `next` of the previous page. */
  after: z.optional(z.string().check(z.maxLength(2_000, BAD_PLACE))),
  limit: z.optional(countUpTo(MAX_TAGGING_PER_PAGE)),
});
export type TaggingQuery = z.infer<typeof taggingQuery>;

const taggingPhoto = z.object({
  id: z.number(),
  /** For members; `&size=` chooses 320, 480, 640, 960 or 1440. */
  image_url: z.string(),
  width: z.nullable(z.number()),
  height: z.nullable(z.number()),
  /** The camera's time as ISO text without a zone. */
  captured_at: z.nullable(z.string()),
  camera: z.nullable(z.string()),
  tags: z.array(memberTag),
  /** Numbers among the photo's keywords, as tags of the teams in play. */
  suggested: z.array(memberTag),
  /** Someone checked it and found no one to name. */
  checked: z.boolean(),
  show_in_gallery: z.boolean(),
  /** Members want it shown; with `show_in_gallery` false it waits for a check, or a consent or request hides it. */
  published: z.boolean(),
  /** In another person's run. */
  taken: z.boolean(),
});
export type TaggingPhoto = z.infer<typeof taggingPhoto>;

/** `GET /api/v1/galleries/{id}/tagging`: ready photos, in the gallery's order. */
export const taggingPage = z.object({
  photos: z.array(taggingPhoto),
  next: z.nullable(z.string()),
  /** Tagged, or with no one to name. */
  done: z.number(),
  total: z.number(),
  /** Keywords that are numbers and can mean only one player; only with the first page. */
  keyword_numbers: z.nullable(z.number()),
});
export type TaggingPage = z.infer<typeof taggingPage>;

/** `POST …/tagging/take`: the next photos that no one has tagged or taken. */
export const takeBody = z.strictObject({
  count: z._default(
    z
      .number({ error: COUNT_NOT_VALID })
      .check(z.int(COUNT_NOT_VALID), z.minimum(1, COUNT_NOT_VALID), z.maximum(MAX_RUN, COUNT_NOT_VALID)),
    RUN_PHOTOS,
  ),
});
export const takeAnswer = z.object({
  /** In the gallery's order; empty when nothing is left to take. */
  photo_ids: z.array(z.number()),
  until: z.nullable(z.string()),
});
export type TakeAnswer = z.infer<typeof takeAnswer>;

/** `POST …/tagging/keywords`: `left` are numbers that no one or more than one player wears here. */
export const keywordsAnswer = z.object({ tagged: z.number(), left: z.number(), more: z.boolean() });
export type KeywordsAnswer = z.infer<typeof keywordsAnswer>;
