/**
 * `npm run lockfile`, after every change of dependencies: writes into package-lock.json the optional packages of other
 * platforms that npm left out. A registry mirror that does not carry them makes npm drop them, and `npm ci` of npm 11
 * then refuses the lockfile on every machine. Without an integrity hash they are fetched by their exact version. Our own
 * optional packages lose their `engines`: npm would leave them out where the machine's Node is older than the project's.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

type LockEntry = {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  engines?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};
export type Lockfile = { packages: Record<string, LockEntry> };

const OS_NAMES = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32', 'aix', 'netbsd', 'openbsd', 'sunos'];
const CPU_NAMES = ['arm64', 'arm', 'x64', 'ia32', 'ppc64', 'riscv64', 's390x', 'wasm32', 'loong64', 'mips64el'];

/** The platform in a package's name: `@oxlint/binding-linux-x64-musl`. */
function platformOf(name: string): { cpu?: string[]; os?: string[]; libc?: string[] } {
  const words = name.split(/[-/]/);
  const begins = (start: string): boolean => words.some((word) => word.startsWith(start));
  const os = words.find((word) => OS_NAMES.includes(word));
  const cpu = words.find((word) => CPU_NAMES.includes(word)) ?? (begins('arm') ? 'arm' : undefined);
  const libc = begins('musl') ? 'musl' : begins('gnu') ? 'glibc' : undefined;
  return { ...(cpu && { cpu: [cpu] }), ...(os && { os: [os] }), ...(libc && { libc: [libc] }) };
}

/** Entries for optional packages in an exact version that are missing in the lockfile. */
export function missingOptionalPackages(lock: Lockfile): Map<string, LockEntry> {
  const missing = new Map<string, LockEntry>();
  for (const [place, entry] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const isThere = lock.packages[`node_modules/${name}`] ?? lock.packages[`${place}/node_modules/${name}`];
      if (isThere || !/^\d/.test(version)) continue;
      missing.set(name, { version, ...(entry.dev && { dev: true }), optional: true, ...platformOf(name) });
    }
  }
  return missing;
}

/** The entries of the packages that our package.json itself calls optional. */
export function ownOptionalEntries(lock: Lockfile): LockEntry[] {
  const names = Object.keys(lock.packages['']?.optionalDependencies ?? {});
  return names.map((name) => lock.packages[`node_modules/${name}`] ?? {});
}

if (import.meta.main) {
  const file = path.resolve(import.meta.dirname, '..', 'package-lock.json');
  const lock = JSON.parse(readFileSync(file, 'utf8')) as Lockfile;
  const missing = missingOptionalPackages(lock);
  for (const [name, entry] of missing) lock.packages[`node_modules/${name}`] = entry;
  for (const entry of ownOptionalEntries(lock)) delete entry.engines;
  const byPlace = Object.entries(lock.packages).toSorted(([one], [other]) => (one < other ? -1 : 1));
  lock.packages = Object.fromEntries(byPlace);
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`${missing.size} added`);
}
