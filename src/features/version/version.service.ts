/**
 * Shows platform admins what runs here. The public sees nothing of it, because a version reveals which known
 * vulnerabilities to try.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { requirePlatformAdmin, type Caller } from '#src/features/tenancy/actor.rules.ts';
import { notesOf, readChangelog, type ReleaseNotes } from '#src/features/version/changelog.rules.ts';
import { UPDATES_SHOWN, type VersionAnswer } from '#src/features/version/version.contract.ts';
import * as versionSql from '#src/features/version/version.sql.ts';
import type { Config } from '#src/platform/config/config.ts';
import { PUBLIC, type Database } from '#src/platform/db/db.ts';
import { readMigrations } from '#src/platform/db/migrate.ts';
import { ROOT } from '#src/platform/program-files.ts';
import { VERSION } from '#src/platform/version.ts';
import { bind } from '#src/shared/bind.ts';

const run = promisify(execFile);

type VersionDeps = { database: Database; config: Pick<Config, 'commit'> };
export type VersionService = ReturnType<typeof createVersionService>;

type VersionContext = VersionDeps & { startedAt: Date; code: () => Promise<Code> };

/** The facts that do not change while the process runs. */
type Code = { commit: string | null; expected: string; notes: ReleaseNotes[] };

async function readCode(commit: string | null): Promise<Code> {
  const changelog = await readFile(join(ROOT, 'CHANGELOG.md'), 'utf8').catch(() => '');
  const migrations = await readMigrations();
  return {
    commit: commit ?? (await commitOfClone()),
    expected: migrations.at(-1)?.name ?? '',
    notes: notesOf(readChangelog(changelog), VERSION),
  };
}

/** Null outside of a git clone, or without git. */
async function commitOfClone(): Promise<string | null> {
  if (!existsSync(join(ROOT, '.git'))) return null;
  const found = await run('git', ['-C', ROOT, 'rev-parse', '--short=12', 'HEAD']).catch(() => null);
  return found?.stdout.trim() || null;
}

/** @throws unauthenticated; forbidden for anyone but platform admins */
export async function describe(ctx: VersionContext, caller: Caller): Promise<VersionAnswer> {
  requirePlatformAdmin(caller.actor);
  const code = await ctx.code();
  const [migrations, postgres] = await ctx.database.read(PUBLIC, (db) =>
    Promise.all([versionSql.listMigrations(db, UPDATES_SHOWN), versionSql.findPostgresVersion(db)]),
  );
  return {
    version: VERSION,
    commit: code.commit,
    unreleased: code.notes.some(({ date }) => date === null),
    schema: { current: migrations[0]?.name ?? null, expected: code.expected },
    updates: migrations.map(({ name, appliedAt }) => ({ name, applied_at: appliedAt.toISOString() })),
    postgres,
    node: process.version,
    started_at: ctx.startedAt.toISOString(),
  };
}

/** What changed in this version, from CHANGELOG.md. @throws as `describe` */
export async function whatIsNew(ctx: VersionContext, caller: Caller): Promise<ReleaseNotes[]> {
  requirePlatformAdmin(caller.actor);
  return (await ctx.code()).notes;
}

export function createVersionService(deps: VersionDeps) {
  let reading: Promise<Code> | null = null;
  const code = () => (reading ??= readCode(deps.config.commit));
  const startedAt = new Date(Date.now() - process.uptime() * 1000);
  return bind({ ...deps, startedAt, code }, { describe, whatIsNew });
}
