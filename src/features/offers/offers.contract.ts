/** Schemas and texts of price sheets: offers of one seller for several photos together (decision record 0091). */
import * as z from 'zod/mini';
import { readMachineDay } from '#src/shared/day-range.ts';
import { countUpTo } from '#src/shared/paging.ts';
import { dollars, idSchema, requiredText } from '#src/shared/validators.ts';

export const SHEET_NAME_REQUIRED = 'Name required.';
export const OFFER_PRICE_REQUIRED = 'Price required.';
export const OFFER_PRICE_INVALID = 'Price must be from $0.01 to $10,000, with at most two decimals.';
const STEP_PRICE_INVALID = 'Price must be from $0 to $10,000, with at most two decimals.';
export const OFFER_KIND_UNKNOWN = 'An offer is a bundle, a falling price (steps), a gallery pass or an athlete pass.';
export const OFFERS_EXPECTED = 'Please send a list of offers.';
export const BUNDLE_PHOTOS = 'A bundle needs 2 to 100 photos.';
export const STEPS_COUNT = 'A falling price takes 1 to 10 steps.';
const STEP_FROM = 'A step must begin at the 1st to the 200th photo.';
export const STEPS_CHEAPER = 'Each step must be cheaper than the one before.';
export const STEPS_LATER = 'Each step must begin at a later photo than the one before.';
export const TOO_MANY_OFFERS = 'A price sheet takes at most 12 offers.';
export const ONE_OF_A_KIND = {
  steps: 'A price sheet takes one falling price.',
  gallery_pass: 'A price sheet takes one gallery pass.',
  athlete_pass: 'A price sheet takes one athlete pass.',
} as const;
export const OFFER_UNKNOWN = 'This offer is not on this price sheet.';
export const EARLY_BIRD_PERCENT = 'Early bird must be from 1 to 99 percent, with at most two decimals.';
export const EARLY_BIRD_DAY = 'Please choose the early bird’s last day.';
export const NO_CHILDREN = 'Only an organization with teams below it can share a price sheet.';
export const FOREIGN_SHEET = 'Galleries of another organization cannot use this sheet.';
export const SHEET_NOT_FOUND = 'This price sheet cannot be found.';
export const SHEET_ARCHIVED = 'This price sheet is archived and can no longer be changed.';
export const SHEET_CHANGED_MEANWHILE = 'Someone else changed this price sheet.';
export const changedMeanwhile = (field: keyof SeenSheet): string =>
  `“${FIELD_NAMES[field]}” was changed by someone else. Save again to keep your changes.`;
export const galleriesUseIt = (galleries: number): string =>
  galleries === 1 ? 'A gallery uses this price sheet.' : `${galleries} galleries use this price sheet.`;

/** The highest price of a photo, and of an offer (rule 44). */
export const MAX_PRICE_CENTS = 1_000_000;
export const MAX_OFFERS = 12;
export const MAX_STEPS = 10;
export const MAX_SHEET_NAME = 80;
const BUNDLE_AT_LEAST = 2;
const BUNDLE_AT_MOST = 100;
const MAX_FROM = 200;
export const SHEETS_PER_PAGE = 20;
const MAX_SHEETS_PER_PAGE = 100;
/** How many galleries that use it a sheet lists. */
export const GALLERIES_NAMED = 100;
/** The days of "Sold in 30 days". */
export const SOLD_DAYS = 30;
/** The prices of only this many galleries are read, newest first. */
export const PRICED_AT_MOST = 200;

const offerPrice = dollars({
  minimum: 1,
  maximum: MAX_PRICE_CENTS,
  required: OFFER_PRICE_REQUIRED,
  invalid: OFFER_PRICE_INVALID,
});
const stepPrice = dollars({
  maximum: MAX_PRICE_CENTS,
  required: OFFER_PRICE_REQUIRED,
  invalid: STEP_PRICE_INVALID,
});
const whole = (least: number, most: number, message: string) =>
  z
    .number({ error: message })
    .check(z.refine((value) => Number.isSafeInteger(value) && value >= least && value <= most, { error: message }));

/** Reports all problems together, also when an entry of the list has one of its own. */
const ofList = <Entry>(holds: (list: readonly Entry[]) => boolean, error: string) =>
  z.refine<readonly Entry[]>(holds, { error, when: ({ value }) => Array.isArray(value) });

type Step = { from?: unknown; price?: unknown };
const rises = (steps: readonly Step[], follows: (before: Step, next: Step) => boolean) =>
  steps.every((step, at) => at === 0 || follows(steps[at - 1] ?? {}, step));
const isNumber = (value: unknown): value is number => typeof value === 'number';

const id = z.optional(idSchema);
const offer = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({
      id,
      kind: z.literal('bundle'),
      photos: whole(BUNDLE_AT_LEAST, BUNDLE_AT_MOST, BUNDLE_PHOTOS),
      price: offerPrice,
    }),
    z.strictObject({
      id,
      kind: z.literal('steps'),
      steps: z
        .array(z.strictObject({ from: whole(1, MAX_FROM, STEP_FROM), price: stepPrice }), { error: STEPS_COUNT })
        .check(
          ofList<Step>((steps) => steps.length >= 1 && steps.length <= MAX_STEPS, STEPS_COUNT),
          ofList<Step>(
            (steps) => rises(steps, (a, b) => !isNumber(a.price) || !isNumber(b.price) || b.price < a.price),
            STEPS_CHEAPER,
          ),
          ofList<Step>(
            (steps) => rises(steps, (a, b) => !isNumber(a.from) || !isNumber(b.from) || b.from > a.from),
            STEPS_LATER,
          ),
        ),
    }),
    z.strictObject({ id, kind: z.literal('gallery_pass'), price: offerPrice }),
    z.strictObject({ id, kind: z.literal('athlete_pass'), price: offerPrice }),
  ],
  { error: OFFER_KIND_UNKNOWN },
);
export type OfferInput = z.infer<typeof offer>;

type KindOnly = { kind?: unknown };
const atMostOne = (kind: keyof typeof ONE_OF_A_KIND) =>
  ofList<KindOnly>((offers) => offers.filter((each) => each?.kind === kind).length <= 1, ONE_OF_A_KIND[kind]);

const offers = z.array(offer, { error: OFFERS_EXPECTED }).check(
  ofList((list) => list.length <= MAX_OFFERS, TOO_MANY_OFFERS),
  atMostOne('steps'),
  atMostOne('gallery_pass'),
  atMostOne('athlete_pass'),
);

const earlyBird = z.strictObject({
  percent: z.number({ error: EARLY_BIRD_PERCENT }).check(
    z.refine((value) => value >= 1 && value <= 99 && /^\d+(\.\d{1,2})?$/.test(String(value)), {
      error: EARLY_BIRD_PERCENT,
    }),
  ),
  last_day: z
    .string({ error: EARLY_BIRD_DAY })
    .check(z.refine((value) => readMachineDay(value) !== null, { error: EARLY_BIRD_DAY })),
});

const fields = {
  own_prices_take_part: z.optional(z.boolean()),
  early_bird: z.optional(z.nullable(earlyBird)),
  shared_with_children: z.optional(z.boolean()),
};
const name = requiredText(MAX_SHEET_NAME, SHEET_NAME_REQUIRED);

export const newSheet = z.strictObject({ name, offers, ...fields });
export type NewSheet = z.infer<typeof newSheet>;
/** Absent fields stay as they are. */
const sheetChanges = z.strictObject({ name: z.optional(name), offers: z.optional(offers), ...fields });
export type SheetChanges = z.infer<typeof sheetChanges>;

const wholeCents = z.int().check(z.minimum(0), z.maximum(MAX_PRICE_CENTS));
/** What a version stores (`SheetContent` of the best-price rule), when it comes from another installation. */
export const storedContent = z.strictObject({
  offers: z
    .array(
      z.discriminatedUnion('kind', [
        z.strictObject({ id: z.int(), kind: z.literal('bundle'), photos: z.int(), priceCents: wholeCents }),
        z.strictObject({
          id: z.int(),
          kind: z.literal('steps'),
          steps: z.array(z.strictObject({ from: z.int(), priceCents: wholeCents })).check(z.maxLength(MAX_STEPS)),
        }),
        z.strictObject({ id: z.int(), kind: z.enum(['gallery_pass', 'athlete_pass']), priceCents: wholeCents }),
      ]),
    )
    .check(z.maxLength(MAX_OFFERS)),
  ownPricesTakePart: z.boolean(),
  earlyBird: z.nullable(z.strictObject({ percent: z.number(), lastDay: z.string() })),
});

const shownPrice = z.number();
const bundleAnswer = z.object({
  id: z.number(),
  kind: z.literal('bundle'),
  photos: z.number(),
  price: shownPrice,
});
const stepsAnswer = z.object({
  id: z.number(),
  kind: z.literal('steps'),
  steps: z.array(z.object({ from: z.number(), price: shownPrice })),
});
const passAnswer = z.object({
  id: z.number(),
  kind: z.enum(['gallery_pass', 'athlete_pass']),
  price: shownPrice,
});
const offerAnswer = z.union([bundleAnswer, stepsAnswer, passAnswer]);
export type OfferAnswer = z.infer<typeof offerAnswer>;
const earlyBirdAnswer = z.object({ percent: z.number(), last_day: z.string() });

const namedGallery = z.object({ id: z.number(), name: z.string() });
export type NamedGallery = z.infer<typeof namedGallery>;

/** Money in dollars. */
const sheetAnswer = z.object({
  id: z.number(),
  /** Differs from the organization in the call when a parent shares the sheet. */
  organization_id: z.number(),
  name: z.string(),
  version: z.number(),
  own_prices_take_part: z.boolean(),
  offers: z.array(offerAnswer),
  early_bird: z.nullable(earlyBirdAnswer),
  shared_with_children: z.boolean(),
  archived: z.boolean(),
  /** The galleries that use it, newest first; at most 100. */
  galleries: z.array(namedGallery),
  gallery_count: z.number(),
  /** The most common price of a photo in them; null without galleries. */
  common_price: z.nullable(z.number()),
  /** What was sold with its offers in the last 30 days. */
  sold: z.object({ orders: z.number(), photos: z.number(), sales: z.number() }),
});
export type SheetAnswer = z.infer<typeof sheetAnswer>;
export const sheetsPage = z.object({ price_sheets: z.array(sheetAnswer), next: z.nullable(z.string()) });
export type SheetsPage = z.infer<typeof sheetsPage>;
/** The saved sheet, with warnings for its owner. */
export const savedSheet = z.object({ ...sheetAnswer.shape, warnings: z.array(z.string()) });
export type SavedSheet = z.infer<typeof savedSheet>;

/** What someone last saw of the fields that they change. */
const seenSheet = z.strictObject({
  name: z.optional(z.string()),
  version: z.optional(z.number()),
  own_prices_take_part: z.optional(z.boolean()),
  offers: z.optional(z.array(offerAnswer)),
  early_bird: z.optional(z.nullable(earlyBirdAnswer)),
  shared_with_children: z.optional(z.boolean()),
});
export type SeenSheet = z.infer<typeof seenSheet>;
const FIELD_NAMES: Record<keyof SeenSheet, string> = {
  name: 'Name',
  version: 'Version',
  own_prices_take_part: 'Photos with a higher price of their own take part',
  offers: 'Offers',
  early_bird: 'Early bird',
  shared_with_children: 'Shared with teams',
};

export const newSheetBody = z.strictObject({ price_sheet: newSheet });
/** `release`: galleries of teams that may no longer use it return to single prices. */
const release = z.optional(z.boolean());
export const sheetChangesBody = z.strictObject({ price_sheet: sheetChanges, seen: z.optional(seenSheet), release });
export type SheetChangesBody = z.infer<typeof sheetChangesBody>;
export const archiveBody = z.optional(z.nullable(z.strictObject({ release })));
export const sheetsQuery = z.object({
  /** `next` of the previous page. */
  after: z.optional(z.string()),
  limit: z.optional(countUpTo(MAX_SHEETS_PER_PAGE)),
});

/** What a gallery sells besides single photos, as everyone may see it: numbers in dollars, and complete sentences. */
export const galleryOffers = z.object({
  sheet_id: z.number(),
  version: z.number(),
  own_prices_take_part: z.boolean(),
  offers: z.array(
    z.union([
      z.object({ ...bundleAnswer.shape, text: z.string() }),
      z.object({ ...stepsAnswer.shape, text: z.string() }),
      z.object({ ...passAnswer.shape, text: z.string() }),
    ]),
  ),
  /** Also null after its last day. */
  early_bird: z.nullable(z.object({ ...earlyBirdAnswer.shape, text: z.string() })),
  /** The line under the gallery's title: "$4.00 each · 3 for $10.00". It leaves out passes. */
  line: z.string(),
});
export type GalleryOffers = z.infer<typeof galleryOffers>;
