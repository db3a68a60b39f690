/** The settings form: its values, the changes to send, and its problems, with the contract's texts. */
import { PRIVATE_FIELDS, settingsChanges, type SettingsAnswer } from '#src/features/settings/settings.contract.ts';
import { domainNameProblems } from '#src/shared/domain-name.ts';
import { parseDollarText } from '#src/shared/money.ts';
import { changedFields, typedDollars } from '#src/shared/form-values.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { errorsOf } from '#src/shared/validators.ts';

/** Texts that are blank if nothing is stored. */
const BLANK_FIELDS = [
  ...PRIVATE_FIELDS,
  'contact_name',
  'contact_email',
  'logo_url',
  'watermark_url',
  'home_image_url',
  'tablet_display_image_url',
  'tablet_display_url',
  'mobile_display_image_url',
  'mobile_display_url',
  'watermark_text',
] as const;
type BlankField = (typeof BLANK_FIELDS)[number];
export type SettingsValues = ReturnType<typeof valuesOf>;

/** Money is text here, as typed; a picture is its address, the key of its upload, or empty for none. */
export function valuesOf(answer: SettingsAnswer) {
  const { name, domain_name, primary_color, time_zone, watermark_placement, watermark_strength } = answer;
  const texts = BLANK_FIELDS.map((field) => [field, answer[field] ?? '']);
  return {
    ...(Object.fromEntries(texts) as Record<BlankField, string>),
    name,
    domain_name,
    primary_color,
    time_zone,
    watermark_placement,
    watermark_strength,
    default_photo_price: answer.default_photo_price.toFixed(2),
    can_add_custom_payment: answer.can_add_custom_payment,
    stripe_pk: answer.processor_info.stripe_pk ?? '',
    stripe_sk: '',
    password: '',
    confirm_password: '',
  };
}

/**
 * Only what differs from the saved values, so that two windows do not overwrite each other's changes. Blank passwords are left
 * out (specification A§5).
 */
export function changesOf(values: SettingsValues, saved: SettingsValues): Record<string, unknown> {
  const changed = changedFields(values, saved);
  const body: Record<string, unknown> = {};
  for (const field of changed) {
    if (field === 'stripe_pk' || field === 'stripe_sk' || field === 'password' || field === 'confirm_password')
      continue;
    body[field] = field === 'default_photo_price' ? typedDollars(values[field]) : values[field];
  }
  if (changed.includes('stripe_pk') || changed.includes('stripe_sk'))
    body['processor_info'] = { stripe_pk: values.stripe_pk, stripe_sk: values.stripe_sk };
  if (values.password.trim() !== '' || values.confirm_password !== '') {
    body['password'] = values.password;
    body['confirm_password'] = values.confirm_password;
  }
  return body;
}

/** All problems that a browser can check; a changed path is that of an affiliate, because a parent's cannot be changed. */
export function problemsOf(values: SettingsValues, saved: SettingsValues, passwordMin: number): FieldErrors {
  const schema = settingsChanges({ minimum: passwordMin, isCommon: () => false });
  const path = values.domain_name.trim().toLowerCase();
  const ofPath = path === '' || path === saved.domain_name.toLowerCase() ? [] : domainNameProblems(path);
  return {
    ...errorsOf(schema.safeParse(changesOf(values, saved)).error),
    ...(ofPath.length > 0 && { domain_name: ofPath }),
  };
}

/** The settings as they were sent, if the server returns no body; secrets are cleared. */
export function asTyped(answer: SettingsAnswer, values: SettingsValues): SettingsAnswer {
  const { password: _password, confirm_password: _confirmed, stripe_sk, stripe_pk, ...texts } = values;
  return {
    ...answer,
    ...texts,
    default_photo_price: typedDollars(values.default_photo_price) ?? answer.default_photo_price,
    processor_info: {
      ...answer.processor_info,
      stripe_pk,
      stripe_sk_set: stripe_sk !== '' || answer.processor_info.stripe_sk_set,
    },
  };
}

/** A price above the limit cannot be typed (specification A§5); invalid numbers are refused later, with a message. */
export function mayType(price: string, maximumCents: number): boolean {
  const amount = parseDollarText(price.replace(/\.$/, ''));
  return amount === null || amount <= maximumCents;
}

/** Whether a picture is an upload that is not saved yet. */
export const isUpload = (value: string) => value !== '' && !value.startsWith('/');

/** Whether photos will be watermarked again: the watermark is the picture, else the text, else the name (rule 48). */
export function changesMark(values: SettingsValues, saved: SettingsValues): boolean {
  const markOf = ({ watermark_url, watermark_text, watermark_placement, watermark_strength, name }: SettingsValues) =>
    watermark_url === ''
      ? [watermark_placement, watermark_strength, watermark_text.trim() || name].join(' ')
      : [watermark_placement, watermark_url].join(' ');
  return markOf(values) !== markOf(saved);
}
