/** An organization's settings: schemas and texts (specification A§2 "Affiliate settings", 3, 5; rules 7, 41, 44, 47). */
import * as z from 'zod/mini';
import { newPassword, PASSWORD_FIELD_REQUIRED, type PasswordPolicy } from '#src/features/sign-in/passwords.contract.ts';
import { publicOrganization } from '#src/features/tenancy/organizations.contract.ts';
import * as words from '#src/features/tenancy/settings-words.contract.ts';
import { dollars, idSchema, INVALID_EMAIL, isEmail, must, optionalText, requiredText } from '#src/shared/validators.ts';
import { isObject } from '#src/shared/is-object.ts';
import { parseHex } from '#src/shared/oklch.ts';

export const COLOR_NOT_VALID = 'Please enter a color like #0099CC or rgb(0, 153, 204).';

const RGB = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/i;

/** `#RRGGBB` in capitals; null for a text that is not a color. */
export function readColor(value: string): string | null {
  const text = value.trim();
  const channels = RGB.exec(text)?.slice(1).map(Number);
  if (channels) return channels.every((channel) => channel <= 255) ? hexOf(channels) : null;
  const parts = text.startsWith('#') ? parseHex(text) : null;
  return parts ? hexOf(parts.map((part) => Math.round(part * 255))) : null;
}

function hexOf(channels: readonly number[]): string {
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`.toUpperCase();
}

/** The chosen color, and the shade that is used if text would be hard to read; 4.5 to 1 is easy to read. */
export function contrastWords({ own, used, isDarkened }: { own: number; used: number; isDarkened: boolean }): string {
  if (!isDarkened) return `Text on your color has a contrast of ${used.toFixed(1)} to 1: easy to read.`;
  return `White text on your color would have a contrast of ${own.toFixed(1)} to 1, so buttons use a shade of it with ${used.toFixed(1)} to 1: easy to read.`;
}

/** Texts of the Single User Update (specification A§8), beside those of the settings. */
export const SINGLE_EDIT_TITLE = 'Single User Update';
export const ORGANIZATION_FETCH_FAILED = 'Failed to fetch organization details';
export const AFFILIATE_FETCH_FAILED = 'Failed to fetch affiliate details';
export const NO_USER = 'No user associated with this organization';
export const UPDATE_DID_NOT_WORK = 'Update failed';
export const VALIDATION_FAILED = 'Validation failed';
export const RESET_FAILED = 'Unable to reset affiliate data: Current user data is missing';
export const unexpectedStatus = (status: number) => `Unexpected response status: ${status}`;

export const RESET = 'Reset';
export const RESETTING = 'Resetting...';

/** Blank and null both mean none. */
const blankIsNull = z.transform((value: string | null) => (value === null || value === '' ? null : value));
const blankable = (max: number) => z.optional(z.pipe(z.nullable(optionalText(max)), blankIsNull));

const textOrBlank = (isValid: (value: string) => boolean, error: string, ...first: z.core.$ZodCheck<string>[]) =>
  z.optional(
    z.pipe(
      z.nullable(
        z.string({ error }).check(
          z.trim(),
          ...first,
          must((value) => value === '' || isValid(value), error),
        ),
      ),
      blankIsNull,
    ),
  );
const emailOrBlank = textOrBlank(isEmail, INVALID_EMAIL, z.toLowerCase());
const zipOrBlank = textOrBlank((value) => words.US_ZIP.test(value), words.ZIP_NOT_VALID);

/** A web address or nothing; anything that a browser would run is refused (bad input 124). */
const link = z.optional(
  z.pipe(
    z.nullable(
      z
        .string({ error: words.LINK_NOT_VALID })
        .check(must((value) => value.trim() === '' || words.readSponsorLink(value) !== null, words.LINK_NOT_VALID)),
    ),
    z.transform((value: string | null) => (value === null ? null : words.readSponsorLink(value))),
  ),
);

/** The key or `Location` of an upload, or our own address of the current picture; null and blank remove it. */
const picture = z.optional(
  z.nullable(z.string({ error: words.PICTURE_UNKNOWN }).check(z.maxLength(2_000, words.PICTURE_UNKNOWN))),
);

const color = z.optional(
  z.pipe(
    z.string({ error: COLOR_NOT_VALID }).check(must((value) => readColor(value) !== null, COLOR_NOT_VALID)),
    z.transform((value: string) => readColor(value) ?? value),
  ),
);

const keyText = z.optional(z.nullable(optionalText(300)));

/** Blank means no change (specification A§2); any other value must be a valid password. */
function changedPassword(policy: PasswordPolicy) {
  const fit = newPassword(PASSWORD_FIELD_REQUIRED, policy);
  return z.optional(
    z.nullable(
      z.string({ error: 'Must be text.' }).check(
        z.check((context) => {
          const parsed = context.value.trim() === '' ? null : fit.safeParse(context.value);
          for (const { message } of parsed?.error?.issues ?? [])
            context.issues.push({ code: 'custom', message, input: context.value });
        }),
      ),
    ),
  );
}

/** Also true for values that are not text: the field's own check reports them. */
const isBlank = (value: unknown) => typeof value !== 'string' || value.trim() === '';

/** An affiliate as it is sent back: the writable fields are used, absent ones stay. */
export function settingsChanges(policy: PasswordPolicy) {
  return z
    .object(
      {
        id: z.optional(z.nullable(idSchema)),
        name: z.optional(requiredText(200, words.ORGANIZATION_NAME_REQUIRED)),
        contact_name: z.optional(requiredText(200, words.CONTACT_NAME_REQUIRED)),
        domain_name: z.optional(requiredText(63, words.DOMAIN_NAME_REQUIRED)),
        contact_email: emailOrBlank,
        contact_phone_number: blankable(40),
        billing_name: blankable(200),
        billing_address: blankable(300),
        billing_email: emailOrBlank,
        billing_city: blankable(100),
        billing_state: blankable(50),
        billing_zip: zipOrBlank,
        billing_phone_number: blankable(40),
        tax_id: blankable(words.MAX_TAX_ID_CHARACTERS),
        default_photo_price: z.optional(
          dollars({
            maximum: words.MAX_DEFAULT_PRICE_CENTS,
            required: words.DEFAULT_PRICE_REQUIRED,
            invalid: words.DEFAULT_PRICE_NOT_VALID,
          }),
        ),
        primary_color: color,
        tablet_display_url: link,
        mobile_display_url: link,
        logo_url: picture,
        watermark_url: picture,
        home_image_url: picture,
        tablet_display_image_url: picture,
        mobile_display_image_url: picture,
        watermark_text: blankable(words.MAX_WATERMARK_CHARACTERS),
        watermark_placement: z.optional(z.enum(words.WATERMARK_PLACEMENTS, { error: words.PLACEMENT_NOT_VALID })),
        watermark_strength: z.optional(z.enum(words.WATERMARK_STRENGTHS, { error: words.STRENGTH_NOT_VALID })),
        time_zone: z.optional(z.enum(words.TIME_ZONES, { error: words.TIME_ZONE_NOT_VALID })),
        can_add_custom_payment: z.optional(z.boolean({ error: 'Must be yes or no.' })),
        processor_info: z.optional(z.nullable(z.object({ stripe_pk: keyText, stripe_sk: keyText }))),
        password: changedPassword(policy),
        confirm_password: z.optional(z.nullable(z.string({ error: 'Must be text.' }))),
      },
      { error: 'Choose an affiliate.' },
    )
    .check(
      z.refine(({ password, confirm_password }) => isBlank(password) || password === confirm_password, {
        error: words.PASSWORDS_DO_NOT_MATCH,
        path: ['confirm_password'],
        // Reported together with the other fields' problems.
        when: ({ value }) => isObject(value),
      }),
    );
}
export type SettingsChanges = z.infer<ReturnType<typeof settingsChanges>>;

/** `PUT /api/v1/affiliates/{id}`. */
export function settingsBody(policy: PasswordPolicy) {
  return z.strictObject({
    affiliate: settingsChanges(policy),
    /** Whose password is changed. */
    user_id: z.optional(z.nullable(idSchema)),
  });
}

const text = z.nullable(z.string());

/** Only for members. */
const privateFacts = {
  contact_phone_number: text,
  billing_name: text,
  billing_address: text,
  billing_email: text,
  billing_city: text,
  billing_state: text,
  billing_zip: text,
  billing_phone_number: text,
  tax_id: text,
} as const;
export type PrivateField = keyof typeof privateFacts;
export const PRIVATE_FIELDS = Object.keys(privateFacts) as PrivateField[];

export const settingsPerson = z.object({
  id: z.number(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
});

/** Fields for members beside the public facts. The secret key is never returned (rule 7). */
export const memberFacts = {
  ...privateFacts,
  contact_name: text,
  time_zone: z.string(),
  watermark_url: text,
  watermark_text: text,
  watermark_placement: z.enum(words.WATERMARK_PLACEMENTS),
  watermark_strength: z.enum(words.WATERMARK_STRENGTHS),
  user_details: z.array(settingsPerson),
} as const;

export const settingsAnswer = z.object({
  ...publicOrganization.shape,
  ...memberFacts,
  processor_info: z.object({
    stripe_pk: text,
    stripe_sk: z.null(),
    stripe_sk_set: z.boolean(),
    stripe_sk_last4: text,
  }),
});
export type SettingsAnswer = z.infer<typeof settingsAnswer>;
