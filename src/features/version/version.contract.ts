/** What runs here, for platform admins: release, commit, schema, and changes. */
import * as z from 'zod/mini';

export const VERSION_TITLE = 'Version';
/** How many migrations are listed, newest first. */
export const UPDATES_SHOWN = 20;

export const versionAnswer = z.object({
  /** The newest release that this code contains. */
  version: z.string(),
  /** Null if neither git nor SIDELINE_COMMIT has it. */
  commit: z.nullable(z.string()),
  /** True if the code has changes that are not in a release yet. */
  unreleased: z.boolean(),
  schema: z.object({
    /** The newest migration of the database. */
    current: z.nullable(z.string()),
    /** The newest migration in this code; an older one means that a newer version has changed the database. */
    expected: z.string(),
  }),
  /** The newest migrations, with the time when they ran on this database. */
  updates: z.array(z.object({ name: z.string(), applied_at: z.string() })),
  postgres: z.string(),
  node: z.string(),
  started_at: z.string(),
});
export type VersionAnswer = z.infer<typeof versionAnswer>;
