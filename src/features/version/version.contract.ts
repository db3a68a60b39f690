/** What runs here, for platform admins: release, commit, schema, and what changed. */
import * as z from 'zod/mini';

export const VERSION_TITLE = 'Version';
/** Migrations that the page and the call name, newest first. */
export const UPDATES_SHOWN = 20;

export const versionAnswer = z.object({
  /** The newest release that this code contains. */
  version: z.string(),
  /** Null where neither git nor SIDELINE_COMMIT says it. */
  commit: z.nullable(z.string()),
  /** True where the code has changes that are not in a release yet. */
  unreleased: z.boolean(),
  schema: z.object({
    /** The newest migration that the database has. */
    current: z.nullable(z.string()),
    /** The newest that this code has; an older one means that a newer version has changed the database. */
    expected: z.string(),
  }),
  /** The newest migrations, with the time at which this database got them. */
  updates: z.array(z.object({ name: z.string(), applied_at: z.string() })),
  postgres: z.string(),
  node: z.string(),
  started_at: z.string(),
});
export type VersionAnswer = z.infer<typeof versionAnswer>;
