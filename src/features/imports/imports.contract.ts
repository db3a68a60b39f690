/** Importing an export of another installation (docs/export-format.md). */
import * as z from 'zod/mini';
import {
  COUPON_KINDS,
  MAX_CHOSEN,
  MAX_MINIMUM_CENTS,
  MAX_USES,
} from '#src/features/coupons/coupon-editing.contract.ts';
import { MAX_PRICE_CENTS } from '#src/features/galleries/galleries.contract.ts';
import { MAX_KEYWORD_CHARACTERS, MAX_KEYWORDS } from '#src/shared/photo-limits.ts';
import { MAX_UPLOAD_BYTES } from '#src/features/uploads/uploads.contract.ts';
import { instagramHandle, isWebAddress } from '#src/features/contributors/contributors.contract.ts';
import { readSponsorLink, TIME_ZONES } from '#src/features/tenancy/settings-words.contract.ts';
import { INVALID_EMAIL, isEmail } from '#src/shared/validators.ts';
import { storedContent } from '#src/features/offers/offers.contract.ts';
import { counted } from '#src/shared/counted.ts';

export const NO_MANIFEST = 'This folder has no sideline-export.json: unpack all archives of a copy into it.';
export const BAD_MANIFEST =
  'The sideline-export.json of this folder is damaged, or not that of a copy: unpack the archive with the data again.';
export const NOT_READ = 'The sideline-export.json of this folder cannot be read.';
export const NO_FOLDER = 'This is a file: unpack all archives of the copy into one folder, and give that folder.';
export const NEWER_FORMAT = 'This copy was made by a newer version of Sideline: import it there, or update this one.';
export const PARENT_NEEDED = 'This is a team of a parent organization: give the parent’s domain name with --parent.';
export const NO_SUCH_PARENT = 'There is no parent organization with this domain name.';
export const NO_SUCH_ADMIN = 'No platform admin has this email address.';
export const PATH_TAKEN = 'Its domain name is taken here: give another one with --path.';

const LISTED_AT_MOST = 20;
const someOf = (names: readonly string[]) =>
  names.slice(0, LISTED_AT_MOST).join(', ') +
  (names.length > LISTED_AT_MOST ? ` and ${names.length - LISTED_AT_MOST} more` : '');
export const changedFiles = (names: readonly string[]) =>
  `These files are not those of the copy, or are missing: ${someOf(names)}. Unpack the archives again; what was imported stays, and the rest is added.`;
export const absentPhotos = (files: readonly string[]) =>
  `${counted(files.length, 'photo was', 'photos were')} not imported, because this folder has no such file: ${someOf(files)}. If an archive is missing, unpack it and run the same command again.`;
export const booksOff = (details: readonly string[]) =>
  `The books of this copy do not add up, so it was not imported: ${details.join('; ')}.`;

export const refusedByDatabase = (what: string) =>
  `The database rejects a value of this copy (${what}). What was imported stays.`;
export const notTaken = (dataset: string, field: string) =>
  `The copy has a value that is not accepted here, in ${dataset}, ${field}. Nothing was imported.`;

/** Anyone could have changed an export, so everything that a form would refuse is refused here, too. */
const text = (max = 200) => z.string().check(z.maxLength(max));
const maybeText = (max = 200) => z.nullable(text(max));
const id = z.int();
const cents = z.int();
const price = cents.check(z.gte(0), z.lte(MAX_PRICE_CENTS));
const day = z.iso.datetime();
const email = text().check(z.refine(isEmail, INVALID_EMAIL));
/** An address that would be refused is left out. */
const link = (read: (value: string) => string | null) =>
  z.pipe(
    maybeText(2_000),
    z.transform((value: string | null) => (value === null ? null : read(value))),
  );
const webAddress = link((site) => (isWebAddress(site) ? site : null));

/** The columns that are read from each dataset; other columns are ignored. */
export const ROWS = {
  organization: z.object({
    kind: z.enum(['root', 'organization', 'affiliate', 'chapter']),
    name: text(),
    domain_name: text(63),
    contact_name: maybeText(),
    contact_email: z.nullable(email),
    free_tier: z.boolean(),
    primary_color: text(),
    default_photo_price_cents: cents,
    tablet_ad_url: link(readSponsorLink),
    mobile_ad_url: link(readSponsorLink),
    time_zone: z.enum(TIME_ZONES),
    watermark_text: maybeText(),
    watermark_placement: text(),
    watermark_strength: text(),
    takedown_mode: text(),
    contact_phone_number: maybeText(),
    billing_name: maybeText(),
    billing_address: maybeText(500),
    billing_email: z.nullable(email),
    billing_city: maybeText(),
    billing_state: maybeText(),
    billing_zip: maybeText(),
    billing_phone_number: maybeText(),
    tax_id: maybeText(),
  }),
  people: z.object({ email, first_name: text(), last_name: text(), role: z.literal([1, 2]) }),
  tax_rates: z.object({ state: text(), zip_prefix: text(), rate_ppm: z.int(), jurisdiction: text() }),
  coupons: z.object({
    code: z.string().check(z.regex(/^[A-Z0-9]{4,24}$/)),
    is_made_up: z.boolean(),
    kind: z.enum(COUPON_KINDS),
    value: z.int(),
    uses: z.int(),
    max_uses: z.nullable(z.int()),
    max_per_person: z.nullable(z.int().check(z.gte(1), z.lte(MAX_USES))),
    minimum_cents: z.int().check(z.gte(0), z.lte(MAX_MINIMUM_CENTS)),
    first_day: z.nullable(z.iso.date()),
    last_day: z.nullable(z.iso.date()),
    gallery_ids: z.nullable(z.array(id).check(z.maxLength(MAX_CHOSEN))),
    sheet_ids: z.nullable(z.array(id).check(z.maxLength(MAX_CHOSEN))),
    ended_at: maybeText(),
  }),
  price_sheets: z.object({ id, name: text(80), archived_at: maybeText(), content: storedContent }),
  galleries: z.object({
    id,
    name: text(),
    // Absent in exports from before there were price sheets.
    price_sheet_id: z.optional(z.nullable(id)),
    active: z.boolean(),
    is_private: z.boolean(),
    price_cents: cents,
    photos_by: text(),
    display_watermark: z.boolean(),
    display_goal: z.boolean(),
    goal_description: text(10_000),
    target_goal_cents: cents,
    password_required: z.boolean(),
    password: maybeText(),
    allow_voting: z.boolean(),
    created_at: day,
  }),
  contributors: z.object({
    id,
    gallery_id: id,
    name: text(),
    email,
    site: webAddress,
    instagram: link(instagramHandle),
    created_at: day,
  }),
  photos: z.object({
    id,
    gallery_id: id,
    name: text(),
    file: maybeText(500),
    sha256: maybeText(),
    bytes: z.nullable(z.int().check(z.lte(MAX_UPLOAD_BYTES))),
    turns: z.int().check(z.gte(0), z.lte(3)),
    show_in_gallery: z.boolean(),
    featured: z.boolean(),
    order_key: z.string().check(z.regex(/^[0-9A-Za-z]{1,500}$/)),
    price_override_cents: z.nullable(price),
    gallery_contributor_id: z.nullable(id),
    hidden_on_request: z.boolean(),
    keywords: z.array(text(MAX_KEYWORD_CHARACTERS)).check(z.maxLength(MAX_KEYWORDS)),
    created_at: day,
  }),
} as const;
export type RowOf<Name extends keyof typeof ROWS> = z.infer<(typeof ROWS)[Name]>;

/** Datasets that are kept as history: to view, and to export again. */
export const HISTORY = [
  'orders',
  'order_lines',
  'order_offers',
  'order_reductions',
  'coupon_uses',
  'credit_codes',
  'credit_movements',
  'credit_uses',
  'passes',
  'pass_galleries',
  'payments',
  'disputes',
  'refund_requests',
  'payouts',
  'payout_lines',
  'settlements',
  'account_payments',
  'ledger',
  'visits',
  'sponsor_counts',
  // The history that had been imported there.
  'earlier_records',
] as const;
