/** The settings form: what its fields hold, what of it is sent, and what is wrong with it, in the contract's words. */
import { settingsChanges, type SettingsAnswer } from '#src/features/settings/settings.contract.ts';
import type { WatermarkPlacement, WatermarkStrength } from '#src/features/tenancy/settings-words.contract.ts';
import { parseDollarText } from '#src/shared/money.ts';
import { changedFields, typedDollars } from '#src/shared/form-values.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { errorsOf } from '#src/shared/validators.ts';

/** Money is text here, as it is typed; a picture is its address, the key of its upload, or empty for none. */
export type SettingsValues = {
  name: string;
  contact_name: string;
  domain_name: string;
  contact_email: string;
  contact_phone_number: string;
  billing_name: string;
  billing_address: string;
  billing_email: string;
  billing_city: string;
  billing_state: string;
  billing_zip: string;
  billing_phone_number: string;
  tax_id: string;
  default_photo_price: string;
  primary_color: string;
  logo_url: string;
  watermark_url: string;
  home_image_url: string;
  tablet_display_image_url: string;
  tablet_display_url: string;
  mobile_display_image_url: string;
  mobile_display_url: string;
  watermark_text: string;
  watermark_placement: WatermarkPlacement;
  watermark_strength: WatermarkStrength;
  time_zone: string;
  can_add_custom_payment: boolean;
  stripe_pk: string;
  stripe_sk: string;
  password: string;
  confirm_password: string;
};

export function valuesOf(answer: SettingsAnswer): SettingsValues {
  const blank = (value: string | null) => value ?? '';
  return {
    name: answer.name,
    contact_name: blank(answer.contact_name),
    domain_name: answer.domain_name,
    contact_email: blank(answer.contact_email),
    contact_phone_number: blank(answer.contact_phone_number),
    billing_name: blank(answer.billing_name),
    billing_address: blank(answer.billing_address),
    billing_email: blank(answer.billing_email),
    billing_city: blank(answer.billing_city),
    billing_state: blank(answer.billing_state),
    billing_zip: blank(answer.billing_zip),
    billing_phone_number: blank(answer.billing_phone_number),
    tax_id: blank(answer.tax_id),
    default_photo_price: answer.default_photo_price.toFixed(2),
    primary_color: answer.primary_color,
    logo_url: blank(answer.logo_url),
    watermark_url: blank(answer.watermark_url),
    home_image_url: blank(answer.home_image_url),
    tablet_display_image_url: blank(answer.tablet_display_image_url),
    tablet_display_url: blank(answer.tablet_display_url),
    mobile_display_image_url: blank(answer.mobile_display_image_url),
    mobile_display_url: blank(answer.mobile_display_url),
    watermark_text: blank(answer.watermark_text),
    watermark_placement: answer.watermark_placement,
    watermark_strength: answer.watermark_strength,
    time_zone: answer.time_zone,
    can_add_custom_payment: answer.can_add_custom_payment,
    stripe_pk: blank(answer.processor_info.stripe_pk),
    stripe_sk: '',
    password: '',
    confirm_password: '',
  };
}

/** Only what differs from what is saved, so that two windows do not wipe out each other's work. Passwords are left out while they are blank (specification A§5). */
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

/** Every problem of every field that a browser can know of. */
export function problemsOf(values: SettingsValues, saved: SettingsValues, passwordMin: number): FieldErrors {
  const schema = settingsChanges({ minimum: passwordMin, isCommon: () => false });
  return errorsOf(schema.safeParse(changesOf(values, saved)).error);
}

/** The settings as they were sent, where the server says only that it kept them; secrets are forgotten. */
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

/** A price above the limit cannot be typed (specification A§5); anything that is no number is refused later, with words. */
export function mayType(price: string, maximumCents: number): boolean {
  const amount = parseDollarText(price.replace(/\.$/, ''));
  return amount === null || amount <= maximumCents;
}

/** Whether a picture is an upload that waits to be saved. */
export const isUpload = (value: string) => value !== '' && !value.startsWith('/');

/** Whether photos will be marked anew: the picture is the mark, else the words, else the name (rule 48). */
export function changesMark(values: SettingsValues, saved: SettingsValues): boolean {
  const markOf = ({ watermark_url, watermark_text, watermark_placement, watermark_strength, name }: SettingsValues) =>
    watermark_url === ''
      ? [watermark_placement, watermark_strength, watermark_text.trim() || name].join(' ')
      : [watermark_placement, watermark_url].join(' ');
  return markOf(values) !== markOf(saved);
}
