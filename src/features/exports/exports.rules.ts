/** The layout and names of an export's files. */
import { writeCsv, type CsvCell } from '#src/shared/csv.ts';

export const dataKey = (exportId: number, name: string) =>
  `exports/${exportId}/${name.toLowerCase().replaceAll('_', '-')}`;

/** `photos-0001.csv` */
export const dataFile = (dataset: string, number: number, ending: 'csv' | 'jsonl') =>
  `${dataset}-${String(number).padStart(4, '0')}.${ending}`;

/** `hawks-data.zip`, `hawks-originals-01.zip` */
export function archiveName(path: string, part: number, parts: number): string {
  if (part === 1) return `${path}-data.zip`;
  const digits = Math.max(2, String(parts).length);
  return `${path}-originals-${String(part - 1).padStart(digits, '0')}.zip`;
}

function cellOf(value: unknown): CsvCell {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (value instanceof Date) return value.toISOString();
  return JSON.stringify(value);
}

/** Rows with the same columns as CSV. */
export const csvOf = (columns: readonly string[], rows: readonly Record<string, unknown>[]): string =>
  writeCsv(
    columns,
    rows.map((row) => columns.map((column) => cellOf(row[column]))),
  );

/** One JSON object on each line. */
export const jsonLinesOf = (rows: readonly Record<string, unknown>[]) =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join('');

export const readmeOf = (
  name: string,
  madeAt: Date,
) => `Everything that Sideline keeps for ${name}, as of ${madeAt.toISOString()}.

sideline-export.json   what this is, and each file with its size and SHA-256
*.csv                  one table of each kind of thing, for spreadsheets
*.jsonl                the same, one JSON object a line, for programs
pictures/              logo, watermark and banners
originals/             your photos as they were uploaded, in the other archives;
                       "file" in the table of photos names each

Unpack all archives into one folder. Amounts are cents, times are UTC (ISO 8601).
The CSV files begin text with ' where a spreadsheet could take it for a formula; the JSON files do not.
`;

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** "4.2 GB" */
export function sizeWords(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const amount = bytes / 1000 ** step;
  return `${step === 0 || amount >= 100 ? Math.round(amount) : Math.round(amount * 10) / 10} ${UNITS[step]}`;
}
