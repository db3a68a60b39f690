/** Shapes, texts and limits of imports from a file (specification A§3, 5, 8, 9; rule 37; bad inputs 109-119). */
import * as z from 'zod/mini';
import { formatCount } from '#src/shared/counted.ts';
import { idSchema } from '#src/shared/validators.ts';

export const DOWNLOAD_DEMO_FILE = 'Download Demo File';
export const ADD_MORE = 'Add More';
export const IMPORT_KINDS = ['users', 'galleries'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/** What the forms of a page have created so far. */
export type Done = { key: string | number; name: string; detail: string; address: string };

export const CSV_ONLY = 'Please upload a CSV file only.';
export const FILE_TOO_LARGE = 'File size exceeds 20MB.';
export const NO_FILE = 'No file selected.';
export const FILE_NOT_READ = 'Failed to read file.';
export const CSV_NOT_PARSED = 'Failed to parse CSV.';
export const NO_VALID_ROWS = 'No valid rows found in CSV.';
export const missingHeaders = (names: readonly string[]): string => `Missing or incorrect headers: ${names.join(', ')}`;
export const TOO_MANY_ROWS = 'This file has more than 10,000 rows. Please split it and upload the parts one by one.';
export const ALREADY_IMPORTING = 'This file is already being imported';
export const OTHER_FILE_BEING_READ = 'Other files are being processed. Please try again in a moment.';

export const fieldRequired = (field: string): string => `${field} is required`;
export const INVALID_CSV_EMAIL = 'Invalid email format';
export const csvPasswordTooShort = (minimum: number): string => `Password must be at least ${minimum} characters`;
export const PARENT_NOT_FOUND = 'Parent organization not found';
export const PARENT_AMBIGUOUS = 'More than one parent organization has this name. Please rename one of them first.';
export const CSV_ACCOUNT_TAKEN = 'This Account information is taken. Please try a new email or org name.';
export const ERROR_SAVING_USER = 'Error saving user';
export const PRICE_NOT_A_NUMBER = 'Price per photo must be a valid number';
export const GOAL_NOT_A_NUMBER = 'Fundraising goal must be a valid number';
export const PASSWORD_WHEN_REQUIRED = 'Password is required when Password Required is true';
export const galleryOwnerNotFound = (name: string, domainName: string): string =>
  `Organization with name ${name} and domain_name ${domainName} not found`;
export const galleryOwnerAmbiguous = (name: string, domainName: string): string =>
  `More than one organization has the name ${name} and the domain_name ${domainName}. Please create its galleries one by one.`;
export const mustBeYesOrNo = (field: string): string => `${field} must be yes or no`;
export const tooLong = (field: string, max: number): string => `${field} must have at most ${max} characters`;
/** The field, and the earlier row with the same value. */
export const alsoInRow = (field: string, row: number): string => `${field}: also in row ${row}`;
export const ofField = (field: string, message: string): string => `${field}: ${message}`;
export const MORE_CELLS_THAN_HEADERS = 'This row has more cells than the file has headers';
const ROWS_NAMED = 5;
/** "3 rows", and the first of their numbers. */
const rowsNamed = (rows: readonly number[], isWhat: (named: string) => string): string => {
  const named = rows.slice(0, ROWS_NAMED).map((row) => formatCount(row));
  const more = rows.length > named.length ? ' and more' : '';
  return `${formatCount(rows.length)} rows ${isWhat(`${named.join(', ')}${more}`)}`;
};
/** Lines that were copied, perhaps by mistake; the first of them are listed. */
export const equalRows = (rows: readonly number[]): string =>
  rows.length === 1
    ? `Row ${formatCount(rows[0] ?? 0)} is the same as an earlier row. It creates a separate gallery.`
    : rowsNamed(rows, (named) => `are the same as an earlier row (${named}). Each creates a separate gallery.`);
/** Lines with only commas: skipped, and reported, because something may be missing there. */
export const emptyRows = (rows: readonly number[]): string =>
  rows.length === 1
    ? `Row ${formatCount(rows[0] ?? 0)} is empty and is skipped.`
    : rowsNamed(rows, (named) => `are empty and are skipped (${named}).`);
export const GALLERY_NOT_CREATED = 'Failed to create gallery. Please check the data and try again.';

/** Texts of the pages (A§8). */
export const UPLOADING = 'Uploading your CSV...';
export const UPLOADED = 'Upload successful!';
export const ALL_CREATED: Record<ImportKind, string> = {
  users: 'Users Created Successfully!',
  galleries: 'Galleries Created Successfully!',
};
export const SOME_FAILED: Record<ImportKind, string> = {
  users: 'Some users could not be created.',
  galleries: 'Some galleries could not be created.',
};
export const NOT_STARTED: Record<ImportKind, string> = {
  users: ERROR_SAVING_USER,
  galleries: 'Error creating gallery',
};
export const ORGANIZATIONS_NOT_FETCHED = 'Failed to fetch organizations.';
export const ERRORS_TITLE = 'CSV Errors Detected';
export const ERRORS_SENTENCE = 'This File cannot be Proceed';
export const rowMessage = (row: number, message: string): string => `Row ${row}: ${message}`;

/** 20 MB; one byte more is refused. */
export const MAX_CSV_BYTES = 20_971_520;
export const MAX_ROWS = 10_000;
export const CSV_PASSWORD_MIN = 8;
/** Rows of the preview, and of the list of errors before the rest is offered as a file. */
export const PREVIEW_ROWS = 5;
export const ERRORS_SHOWN = 200;
export const RECENT_IMPORTS = 10;
/** The gallery uploader waits this long after the organizations have loaded (A§9). */
export const SETTLE_MS = 3_000;
/** The contents of a file are deleted this long after its import. */
export const CELLS_KEPT_DAYS = 30;
/** In place of the name of a file, which may be a person's. */
export const NAME_DELETED = 'Name deleted';
/** A call waits at most this long for the end of its import. */
export const MAX_WAIT_SECONDS = 15;

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()], { error: 'Must be text.' });
/** Rows by column name, for programs that have no file. */
export const bulkRowsBody = z.nullish(
  z.strictObject({
    rows: z
      .array(z.record(z.string(), cell, { error: 'Each row must be an object with its columns.' }), {
        error: NO_VALID_ROWS,
      })
      .check(z.maxLength(MAX_ROWS, TOO_MANY_ROWS)),
  }),
);
export type BulkRows = { rows: Record<string, string | number | boolean | null>[] };

const digits = (max: number) =>
  z.pipe(
    z.string().check(z.regex(/^\d{1,5}$/, 'Must be a number.')),
    z.transform((text: string) => Math.min(Number(text), max)),
  );
export const bulkQuery = z.object({
  /** Only checks: nothing is created. */
  dry_run: z.optional(z.enum(['true', 'false'], { error: 'Must be true or false.' })),
  /** Seconds to wait for the end, 15 at most and by default; 0 returns when the import has started. */
  wait: z.optional(digits(MAX_WAIT_SECONDS)),
});
export const importQuery = z.object({
  /** Rows after this one. */
  after: z.optional(digits(99_999)),
  /** All if absent; 0 for the counts alone. */
  limit: z.optional(digits(MAX_ROWS)),
});
export const importParams = z.object({ importId: idSchema });

export const bulkAnswer = z.object({
  /** Null for a dry run. */
  import_id: z.nullable(z.number()),
  kind: z.enum(IMPORT_KINDS),
  file_name: z.string(),
  status: z.enum(['checked', 'running', 'finished', 'stopped']),
  started_at: z.nullable(z.string()),
  started_by: z.nullable(z.string()),
  total: z.number(),
  /** In a dry run: would be created. */
  created: z.number(),
  skipped: z.number(),
  failed: z.number(),
  waiting: z.number(),
  /** Notes about the file as a whole: columns that are not used. */
  notices: z.array(z.string()),
  /** Invitation emails that the import will send to people without a password; null once it has started. */
  invitations: z.nullable(z.number()),
  /** The first rows, without passwords; only in a dry run. */
  preview: z.array(z.object({ row: z.number(), cells: z.record(z.string(), z.string()) })),
  rows: z.array(
    z.object({
      row: z.number(),
      result: z.enum(['created', 'skipped', 'failed', 'waiting']),
      errors: z.array(z.string()),
      /** Id of the user or the gallery. */
      id: z.nullable(z.number()),
    }),
  ),
});
export type BulkAnswer = z.infer<typeof bulkAnswer>;
export type BulkRowAnswer = BulkAnswer['rows'][number];
