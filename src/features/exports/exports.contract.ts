/** An organization's export of its own data: texts, limits, and the format (docs/export-format.md). */
import * as z from 'zod/mini';

export const YOUR_DATA_TITLE = 'Your data';
export const ALREADY_MAKING = 'A copy of your data is already being created.';
export const STORAGE_IS_FULL = 'There is no space for a copy of your data right now. Please try again later.';
export const EXPORT_NOT_FOUND = 'This copy is no longer available. Please make a new one.';

/** The format's limit; readers refuse more. */
export const FORMAT = 'sideline-export';
export const FORMAT_VERSION = 1;
export const MANIFEST = 'sideline-export.json';

export const KEEP_DAYS = 7;
export const EXPORTS_A_DAY = 4;
/** Of one archive of originals. */
export const PART_BYTES = 1_000_000_000;
export const PART_FILES = 20_000;
/** Of one data file, so that it fits into memory. */
export const ROWS_A_FILE = 5_000;
export const LISTED = 10;

const EXPORT_STATES = ['waiting', 'making', 'ready', 'failed', 'expired'] as const;

const exportPart = z.object({
  part: z.number(),
  name: z.string(),
  /** Where to download it; `Range` continues an interrupted download. */
  url: z.string(),
  files: z.number(),
  bytes: z.number(),
});
export const exportAnswer = z.object({
  id: z.number(),
  state: z.enum(EXPORT_STATES),
  created_at: z.string(),
  expires_at: z.nullable(z.string()),
  photos: z.number(),
  /** Of those: damaged or missing in the store, and therefore in none of its archives. */
  unreadable_photos: z.number(),
  bytes: z.number(),
  parts: z.array(exportPart),
});
export type ExportAnswer = z.infer<typeof exportAnswer>;
export const exportsAnswer = z.object({ exports: z.array(exportAnswer) });

/** The first file of the first archive: a description of the export, and every other data file with its hash. */
export const manifestSchema = z.object({
  format: z.literal(FORMAT),
  version: z.number(),
  made_at: z.string(),
  made_by: z.string(),
  organization: z.object({ id: z.number(), name: z.string(), domain_name: z.string(), kind: z.string() }),
  files: z.array(z.object({ name: z.string(), rows: z.nullable(z.number()), bytes: z.number(), sha256: z.string() })),
  originals: z.object({ files: z.number(), bytes: z.number() }),
});
export type Manifest = z.infer<typeof manifestSchema>;
