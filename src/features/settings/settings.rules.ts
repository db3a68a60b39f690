/** Which column each change is stored in, and what members see of the settings. */
import { markName } from '#src/features/pictures/mark.rules.ts';
import { presentOrganization, type Organization } from '#src/features/tenancy/organizations.rules.ts';
import * as words from '#src/features/settings/settings.contract.ts';
import { SETTINGS_PICTURES, type SettingsPicture } from '#src/features/branding/settings-pictures.contract.ts';
import { present } from '#src/shared/field-names.ts';
import { pick } from '#src/shared/form-values.ts';
import { formatDollars } from '#src/shared/money.ts';

/** The column of each picture's key. */
const KEY_COLUMNS = {
  logo: 'logo_key',
  watermark: 'watermark_key',
  home_image: 'home_image_key',
  tablet_ad: 'tablet_ad_key',
  mobile_ad: 'mobile_ad_key',
} as const satisfies Record<SettingsPicture, string>;

/** Fields that are public columns of the same name. */
const OPEN_FIELDS = [
  'name',
  'contact_name',
  'contact_email',
  'primary_color',
  'watermark_text',
  'watermark_placement',
  'watermark_strength',
  'time_zone',
] as const;

/** Absent fields stay unchanged. */
type Given<Field extends keyof words.SettingsChanges> = {
  [Name in Field]?: Exclude<words.SettingsChanges[Name], undefined>;
};
export type PrivateColumns = Given<words.PrivateField>;
export type OpenColumns = Given<(typeof OPEN_FIELDS)[number] | 'domain_name' | 'can_add_custom_payment'> &
  Partial<Record<(typeof KEY_COLUMNS)[SettingsPicture] | 'tablet_ad_url' | 'mobile_ad_url', string | null>> & {
    default_photo_price_cents?: number;
  };

/** Columns that members see under their own names. */
const SHOWN_COLUMNS = [
  ...words.PRIVATE_FIELDS,
  'contact_name',
  'contact_email',
  'time_zone',
  'watermark_text',
  'watermark_placement',
  'watermark_strength',
] as const;

/** What is stored in addition to the public facts. */
type SettingsFacts = Pick<words.SettingsAnswer, (typeof SHOWN_COLUMNS)[number]> &
  Pick<words.SettingsAnswer['processor_info'], 'stripe_pk' | 'stripe_sk_last4'> & { watermark_key: string | null };

export function privateColumns(changes: words.SettingsChanges): PrivateColumns {
  return given(pick(changes, words.PRIVATE_FIELDS));
}

const PAYEE_FIELDS = ['billing_name', 'billing_address', 'billing_city', 'billing_state', 'billing_zip'] as const;
export type PayeeFacts = Pick<PrivateColumns, (typeof PAYEE_FIELDS)[number]> & { name?: string };

/** Whom payouts name, and their address; the organization itself without a billing name (`payeeOf` in payouts.rules.ts). */
const payeeOf = (facts: PayeeFacts): string =>
  JSON.stringify([facts.billing_name || facts.name, ...PAYEE_FIELDS.slice(1).map((field) => facts[field] || null)]);

/** A zip or city alone says nothing: sign-ups store the zip of the card. */
export const hasPayee = (facts: PayeeFacts): boolean => Boolean(facts.billing_name || facts.billing_address);

/** Whether payouts go to another name, or to any other part of an address; a new name of the organization is one, too, if they name it. */
export const changesPayee = (stored: PayeeFacts, written: PayeeFacts): boolean =>
  payeeOf({ ...stored, ...written }) !== payeeOf(stored);

/** Everything except the path, the permission and the pictures, which are handled separately. */
export function openColumns(changes: words.SettingsChanges, pictures: Partial<Record<SettingsPicture, string | null>>) {
  return given({
    ...pick(changes, OPEN_FIELDS),
    default_photo_price_cents: changes.default_photo_price,
    tablet_ad_url: changes.tablet_display_url,
    mobile_ad_url: changes.mobile_display_url,
    ...Object.fromEntries(SETTINGS_PICTURES.map((kind) => [KEY_COLUMNS[kind], pictures[kind]])),
  });
}

/** Leaves out the columns of absent fields. */
function given<Columns extends object>(
  columns: Columns,
): { [Name in keyof Columns]: Exclude<Columns[Name], undefined> } {
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as never;
}

/** Our own address of the watermark, for members: a clean copy of it would help to remove it. */
function watermarkAddress(organizationId: number, key: string | null): string | null {
  if (key === null) return null;
  return `/api/v1/affiliates/${organizationId}/watermark?v=${key.slice(key.lastIndexOf('/') + 1).slice(0, 16)}`;
}

/** The value of a picture field: keep, remove, use the logo as watermark, or use this upload. */
export function pictureRequest(kind: SettingsPicture, organizationId: number, value: string | null | undefined) {
  if (value === undefined) return 'kept';
  const text = (value ?? '').trim();
  if (text === '') return 'removed';
  const path = URL.parse(text, 'http://here')?.pathname ?? '';
  const pictures = `/api/v1/organizations/${organizationId}/pictures/`;
  if (kind === 'watermark' && path === `${pictures}logo`) return 'of logo';
  // Someone who sends the whole answer back sends our own addresses.
  if (
    path === `${pictures}${kind}` ||
    (kind === 'watermark' && path === `/api/v1/affiliates/${organizationId}/watermark`)
  )
    return 'kept';
  return { upload: text };
}

/** Whether photos must be watermarked again (rule 57). */
export function marksDiffer(before: Mark, after: Mark): boolean {
  return markNameOf(before) !== markNameOf(after);
}
type Mark = Pick<SettingsFacts, 'watermark_key' | 'watermark_text' | 'watermark_placement' | 'watermark_strength'> & {
  name: string;
  domain_name: string;
};

const markNameOf = (mark: Mark): string =>
  markName({
    organizationName: mark.name,
    domainName: mark.domain_name,
    watermarkKey: mark.watermark_key,
    watermarkText: mark.watermark_text,
    watermarkPlacement: mark.watermark_placement,
    watermarkStrength: mark.watermark_strength,
  });

/** The organization for its members; the secret card key only as four digits (rule 7). */
export function presentSettings(
  organization: Organization,
  facts: SettingsFacts,
  people: readonly { id: number; email: string; firstName: string; lastName: string }[],
): words.SettingsAnswer {
  return {
    ...presentOrganization(organization),
    ...pick(facts, SHOWN_COLUMNS),
    watermark_url: watermarkAddress(organization.id, facts.watermark_key),
    processor_info: {
      stripe_pk: facts.stripe_pk,
      stripe_sk: null,
      stripe_sk_set: facts.stripe_sk_last4 !== null,
      stripe_sk_last4: facts.stripe_sk_last4,
    },
    user_details: people.map((person) => present(words.settingsPerson, person)),
  };
}

type AuditedColumns = Omit<OpenColumns & PrivateColumns, 'domain_name' | 'can_add_custom_payment'>;
type Values = Record<string, string | null>;
type SettingsChange = { before: Values; after: Values };

const NAMES: Partial<Record<keyof AuditedColumns, string>> = {
  default_photo_price_cents: 'default_photo_price',
  logo_key: 'logo',
  watermark_key: 'watermark',
  home_image_key: 'home_image',
  tablet_ad_key: 'tablet_banner',
  tablet_ad_url: 'tablet_banner_link',
  mobile_ad_key: 'mobile_banner',
  mobile_ad_url: 'mobile_banner_link',
};
/** They have audit entries of their own, like card keys and passwords. */
const LOGGED_SEPARATELY = new Set(['domain_name', 'can_add_custom_payment']);

function valueOf(column: string, value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (column === 'default_photo_price_cents') return formatDollars(Number(value));
  return column.endsWith('_key') ? 'a picture' : String(value);
}

/** Only what changed; null if nothing did. `stored` has at least the columns that are written. */
export function settingsChange(stored: Readonly<Record<string, unknown>>, written: AuditedColumns) {
  const change: SettingsChange = { before: {}, after: {} };
  for (const [column, value] of Object.entries(written)) {
    const old = stored[column] ?? null;
    if (LOGGED_SEPARATELY.has(column) || old === (value ?? null)) continue;
    const name = NAMES[column as keyof AuditedColumns] ?? column;
    const [before, after] = [valueOf(column, old), valueOf(column, value)];
    change.before[name] = before;
    change.after[name] = before !== null && before === after ? 'another picture' : after;
  }
  return Object.keys(change.after).length === 0 ? null : change;
}
