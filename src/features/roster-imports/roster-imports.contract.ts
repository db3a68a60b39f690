/** A roster from a file: columns, schemas and texts (athletes specification B.3, B.4, B.8). */
import * as z from 'zod/mini';
import { MAX_PHOTOS } from '#src/features/allowances/allowances.contract.ts';
import { bulkQuery, bulkRowsBody, importQuery } from '#src/features/bulk-imports/bulk-imports.contract.ts';
import { counted } from '#src/shared/counted.ts';
import { idSchema } from '#src/shared/validators.ts';

export { bulkRowsBody };
export const IMPORT_TITLE = 'Import a roster';
export const COLUMNS_TITLE = 'Which column is which?';

/** The fields of a column; `name` is first and last name in one. */
export const ROSTER_FIELDS = [
  'first_name',
  'last_name',
  'name',
  'number',
  'team',
  'season',
  'family_email',
  'consent',
  'external_id',
  'included_photos',
] as const;
export type RosterField = (typeof ROSTER_FIELDS)[number];
export const FIELD_WORDS: Record<RosterField, string> = {
  first_name: 'First name',
  last_name: 'Last name',
  name: 'First and last name',
  number: 'Number',
  team: 'Team',
  season: 'Season',
  family_email: 'Family’s email',
  consent: 'Consent',
  external_id: 'ID',
  included_photos: 'Included photos',
};

export const RESULTS = ['created', 'updated', 'skipped', 'failed', 'waiting'] as const;
type RosterResult = (typeof RESULTS)[number];

/** After "Row n: " (B.4). */
export const FIRST_NAME_REQUIRED = 'first name is required.';
export const NUMBER_NOT_VALID = 'number must be 0 to 9999 or 00.';
export const EMAIL_NOT_VALID = 'email is not a valid address.';
export const TEAM_REQUIRED = 'team is required.';
export const NAME_TOO_LONG = 'a name has at most 60 characters.';
export const ID_TOO_LONG = 'an ID has at most 80 characters.';
export const TOO_MANY_EMAILS = 'an athlete can have 8 addresses.';
export const INCLUDED_NOT_VALID = `included photos must be 1 to ${MAX_PHOTOS}, or blank.`;
export const notAConsent = (text: string) => `“${shortened(text)}” is not a consent. Use yes, family or no.`;
export const seasonUnknown = (text: string) => `“${shortened(text)}” is not one of your seasons.`;
export const sameAthlete = (row: number) => `same athlete as row ${row}.`;
export const movesQuestion = (team: string) => `moves to ${team}?`;
export const ATHLETE_GONE = 'this athlete is no longer on the roster.';
export const STOPPED = 'the import was stopped before this row. Please upload the file again.';
/** Warnings: the row is imported all the same. */
export const sameName = (row: number) => `same name as row ${row}. Both will be kept.`;
export const sameNameAsOther = 'someone else on the team has this name. Both will be kept.';
export const FAMILY_DECIDED = 'the family decided otherwise, and that stays.';
export const MEMBER_DECIDED = 'a member decided otherwise, and that stays.';
export const willMove = (from: string, to: string) => `moves from ${from} to ${to}.`;

/** What becomes different for an athlete on the roster. */
export const joins = (name: string, team: string) => `${name} joins ${team}.`;
export const renamed = (name: string, later: string) => `${name} is now called ${later}.`;
export const has = (name: string, what: string, before: string | number | null) =>
  `${name} has ${what}${before === null ? '' : ` instead of ${before}`}.`;
export const ownConsent = (name: string, consent: string) => `Your own consent for ${name} is ${consent}.`;
export const includes = (name: string, photos: number) =>
  `${name} has ${counted(photos, 'included photo', 'included photos')}.`;
export const newAddress = (name: string, email: string) => `${name} has the new address ${email}.`;
/** What happens to a row, before its cells in the preview. */
export const RESULT_HEADING = 'Import';
export const RESULT_WORDS: Partial<Record<RosterResult, string>> = {
  created: 'New',
  updated: 'Changed',
  skipped: 'As before',
};

export const FIRST_NAME_MISSING = 'Please say which column has the first name.';
export const TEAM_MISSING = 'Please say which column has the team, or name one team for the whole file.';
export const COLUMN_TWICE = 'Only addresses can be in several columns.';
export const COLUMNS_NOT_VALID = 'Columns are written like first_name:0,last_name:1.';
export const IMPORT_RUNNING = 'Another file is being imported. Please wait until it is done.';
export const TOO_MANY_TEAMS = 'A season can have 200 teams. Is this the column of the teams?';
export const NOTHING_NEW = 'Everything in this file is already on the roster.';
export const failedRows = (rows: number) => counted(rows, 'row cannot be imported', 'rows cannot be imported');
export const IMPORT_THE_OTHERS =
  'Import the others now, or correct the file and choose it again. Athletes who are already on the roster are not added twice.';
export const CORRECT_ROWS = 'Please correct the file and choose it again.';
export const UPLOADING = 'Uploading your CSV...';
export const ALL_DONE = 'The roster is up to date.';
/** Leads to cards and tags. */
export const WHAT_NEXT =
  'Next: choose a team on the roster and print its cards. Then open a gallery and click “Tag athletes”.';
export const SOME_FAILED = 'Some rows could not be imported.';
export const MOVES_QUESTION = 'These athletes are on another team of this season now. What happens to them?';

/** How long contents of failed rows are kept for correction. */
export const CELLS_KEPT_DAYS = 7;
export const SAMPLES = 3;

function shortened(text: string): string {
  const letters = [...text];
  return letters.length > 40 ? `${letters.slice(0, 40).join('')}…` : text;
}

/** What happens to athletes on another team of the season: they move, join as well, or are other children with the same name. */
export const MOVES = ['move', 'join', 'new'] as const;
export type Moves = (typeof MOVES)[number];

/** `first_name:0,family_email:5,family_email:6`: columns of the file, from 0. */
const columns = z
  .string({ error: COLUMNS_NOT_VALID })
  .check(
    z.regex(new RegExp(`^(?:(?:${ROSTER_FIELDS.join('|')}):\\d{1,3}(?:,|$))+$`), COLUMNS_NOT_VALID),
    z.maxLength(400, COLUMNS_NOT_VALID),
  );
export const rosterQuery = z.object({
  ...bulkQuery.shape,
  affiliate_id: idSchema,
  /** Guessed when absent. */
  columns: z.optional(columns),
  /** For rows without a season. When absent, the current season, which is created if there is none. */
  season_id: z.optional(idSchema),
  /** For rows without a team. */
  team: z.optional(z.string().check(z.maxLength(60, NAME_TOO_LONG))),
  /** When absent, rows whose athlete is on another team fail with the question. */
  moves: z.optional(z.enum(MOVES, { error: 'Must be move, join or new.' })),
  /** In a dry run: after so many errors, so many warnings and so many changes, rows with more are left out. */
  limit: importQuery.shape.limit,
});
export type RosterQuery = z.output<typeof rosterQuery>;
export const importParams = z.object({ importId: idSchema });

export const rosterImportAnswer = z.object({
  /** Null for a dry run. */
  import_id: z.nullable(z.number()),
  status: z.enum(['checked', 'running', 'finished', 'stopped']),
  started_at: z.nullable(z.string()),
  total: z.number(),
  /** In a dry run: what would be created. */
  created: z.number(),
  updated: z.number(),
  skipped: z.number(),
  failed: z.number(),
  waiting: z.number(),
  /** The file's columns and the field of each; only in a dry run. */
  columns: z.array(
    z.object({ heading: z.string(), samples: z.array(z.string()), field: z.nullable(z.enum(ROSTER_FIELDS)) }),
  ),
  /** Questions to answer before anything can be imported. */
  asks: z.array(z.string()),
  /** Teams that the import will create. */
  new_teams: z.array(z.string()),
  /** Rows whose athlete is on another team of the season. */
  moving: z.number(),
  notices: z.array(z.string()),
  /** The first rows as they were understood; only in a dry run. */
  preview: z.array(z.object({ row: z.number(), cells: z.record(z.string(), z.string()) })),
  /** What the rows say together, also those that are left out; only in a dry run. */
  sentences: z.nullable(z.object({ errors: z.number(), warnings: z.number(), changes: z.number() })),
  /** In a dry run with a `limit`: those of the preview, and the first with errors, with warnings and with changes. */
  rows: z.array(
    z.object({
      row: z.number(),
      result: z.enum(RESULTS),
      errors: z.array(z.string()),
      warnings: z.array(z.string()),
      /** What becomes different for an athlete on the roster; only in a dry run. */
      changes: z.array(z.string()),
      /** The athlete's id. */
      id: z.nullable(z.number()),
    }),
  ),
});
export type RosterImportAnswer = z.infer<typeof rosterImportAnswer>;
