/** Entries of the log as text for people, and as cells of a file. */
import type { AuditEntry } from '#src/features/audit/audit.contract.ts';
import type { CsvCell } from '#src/shared/csv.ts';
import { formatDollars } from '#src/shared/money.ts';

const spaced = (name: string) => name.replaceAll('_', ' ').replace(/\bapi\b/, 'API');
const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** "takedown.mode_changed" as "Takedown: mode changed". */
export function actionWords(action: string): string {
  const [kind = '', ...done] = action.split('.');
  return done.length === 0 ? sentence(spaced(kind)) : `${sentence(spaced(kind))}: ${spaced(done.join('.'))}`;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The name, code or file that an object has in its entry's details; only old entries have a file. */
function nameIn(details: unknown): string | null {
  const { name, code, file } = isObject(details) ? details : {};
  const found = name ?? code ?? file;
  return typeof found === 'string' && found !== '' ? found : null;
}

/** Kinds of objects without a name. The action already says what was made, and a number adds nothing. */
const NAMELESS = new Set(['export', 'roster_import', 'bulk_import']);

/**
 * The object of an action: its name in the entry (“Season prices”), else its current name, else "tax rate 7". Empty for the
 * organization whose log it is.
 */
export function objectWords(
  entry: Pick<AuditEntry, 'object_type' | 'object_id' | 'object_name' | 'organization_id' | 'details'>,
): string {
  const { object_type: type, object_id: id } = entry;
  if (type === 'organization' && id === String(entry.organization_id)) return '';
  const name = nameIn(entry.details) ?? entry.object_name;
  if (name === null) return NAMELESS.has(type) ? '' : `${spaced(type)} ${id}`.trim();
  return `“${name}”`;
}

/** The actor if no signed-in person did it. */
export const NO_PERSON = 'Sideline or a visitor';
export const actorWords = ({ actor }: Pick<AuditEntry, 'actor'>): string =>
  actor === null ? NO_PERSON : actor.name.trim() || `Person ${actor.id}`;

type DetailLine = { name: string; text: string };

function valueWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : value.map(valueWords).join(', ');
  if (isObject(value))
    return Object.entries(value)
      .map(([name, part]) => `${spaced(name)} ${valueWords(part)}`)
      .join(', ');
  return String(value);
}

const PAIRS = [
  ['before', 'after'],
  ['from', 'to'],
] as const;
/** `plan_before` is the value before `plan`. */
const BEFORE = '_before';

const percent = (parts: number, whole: number) => `${(parts * 100) / whole} %`;
/** Stored units converted for people. */
const UNITS: Readonly<Record<string, { name: string; text: (value: number) => string }>> = {
  share_bps: { name: 'Sideline keeps', text: (value) => percent(value, 10_000) },
  rate_ppm: { name: 'Rate', text: (value) => percent(value, 1_000_000) },
  last4: { name: 'Secret key ends with', text: String },
};

const CENTS = /_cents$/;
const unitOf = (name: string) =>
  UNITS[name] ??
  (CENTS.test(name) ? { name: sentence(spaced(name.replace(CENTS, ''))), text: formatDollars } : undefined);

function lineOf(name: string, values: readonly unknown[]): DetailLine {
  const unit = unitOf(name);
  const words = values.map((value) => (unit && typeof value === 'number' ? unit.text(value) : valueWords(value)));
  return { name: unit?.name ?? sentence(spaced(name)), text: words.join(' → ') };
}

/** What changed, "before → after", and the other details of the entry. */
export function detailLines(details: unknown): DetailLine[] {
  if (!isObject(details)) return [];
  const left = { ...details };
  const lines: DetailLine[] = [];
  for (const [first, second] of PAIRS) {
    if (!(first in left) || !(second in left)) continue;
    const [before, after] = [left[first], left[second]];
    delete left[first];
    delete left[second];
    if (isObject(before) && isObject(after))
      for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
        lines.push(lineOf(name, [before[name], after[name]]));
    else lines.push({ name: 'Changed', text: `${valueWords(before)} → ${valueWords(after)}` });
  }
  for (const [name, value] of Object.entries(left)) {
    const isBefore = name.endsWith(BEFORE) && name.slice(0, -BEFORE.length) in left;
    const before = `${name}${BEFORE}`;
    if (!isBefore) lines.push(lineOf(name, before in left ? [left[before], value] : [value]));
  }
  return lines;
}

/** The columns of the file. */
export const AUDIT_COLUMNS: readonly (readonly [head: string, cell: (entry: AuditEntry) => CsvCell])[] = [
  ['Number', ({ id }) => id],
  ['At', ({ at }) => at],
  ['Person', ({ actor }) => actor?.id ?? ''],
  ['Person name', ({ actor }) => actor?.name ?? ''],
  ['Organization', (entry) => entry.organization_id ?? ''],
  ['Organization name', (entry) => entry.organization_name ?? ''],
  ['Action', ({ action }) => action],
  ['Thing', (entry) => entry.object_type],
  ['Thing number', (entry) => entry.object_id],
  ['Details', ({ details }) => JSON.stringify(details)],
  ['Address', ({ ip }) => ip ?? ''],
];

export const auditCells = (entry: AuditEntry) => AUDIT_COLUMNS.map(([, cell]) => cell(entry));
