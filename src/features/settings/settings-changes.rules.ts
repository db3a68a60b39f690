/** What a change of settings leaves in the audit log: each value before and after. Never keys, passwords or whole pictures. */
import type { OpenColumns, PrivateColumns } from '#src/features/settings/settings.rules.ts';
import { cents, formatDollars } from '#src/shared/money.ts';

/** The path, the permission of own keys, keys and passwords have lines of their own. */
type AuditedColumns = Omit<OpenColumns & PrivateColumns, 'domain_name' | 'can_add_custom_payment'>;
type Values = Record<string, string | null>;
export type SettingsChange = { before: Values; after: Values };

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
/** They have lines of their own. */
const SAID_ELSEWHERE = new Set(['domain_name', 'can_add_custom_payment']);

function valueOf(column: string, value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (column === 'default_photo_price_cents') return formatDollars(cents(Number(value)));
  return column.endsWith('_key') ? 'a picture' : String(value);
}

/** Only what became another; null where everything is as it was. `kept` has at least the columns that are written. */
export function settingsChange(
  kept: Readonly<Record<string, unknown>>,
  written: AuditedColumns,
): SettingsChange | null {
  const change: SettingsChange = { before: {}, after: {} };
  for (const [column, value] of Object.entries(written)) {
    const old = kept[column] ?? null;
    if (SAID_ELSEWHERE.has(column) || old === (value ?? null)) continue;
    const name = NAMES[column as keyof AuditedColumns] ?? column;
    const [before, after] = [valueOf(column, old), valueOf(column, value)];
    change.before[name] = before;
    change.after[name] = before !== null && before === after ? 'another picture' : after;
  }
  return Object.keys(change.after).length === 0 ? null : change;
}
