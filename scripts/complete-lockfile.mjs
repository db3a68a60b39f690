/**
 * `node scripts/complete-lockfile.mjs`, after every change of dependencies: writes into package-lock.json the optional
 * packages of other platforms that npm left out. A registry mirror that does not carry them makes npm drop them, and
 * `npm ci` of npm 11 then refuses the lockfile on every machine. Without an integrity hash they are fetched by their exact version.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const OS_NAMES = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32', 'aix', 'netbsd', 'openbsd', 'sunos'];
const CPU_NAMES = ['arm64', 'arm', 'x64', 'ia32', 'ppc64', 'riscv64', 's390x', 'wasm32', 'loong64', 'mips64el'];

/** What a platform package's name says of where it runs: `@oxlint/binding-linux-x64-musl`. */
function platformOf(name) {
  const words = name.split(/[-/]/);
  const os = words.find((word) => OS_NAMES.includes(word));
  const cpu =
    words.find((word) => CPU_NAMES.includes(word)) ?? (words.some((word) => /^arm/.test(word)) ? 'arm' : undefined);
  const libc = words.some((word) => word.startsWith('musl'))
    ? 'musl'
    : words.some((word) => word.startsWith('gnu'))
      ? 'glibc'
      : undefined;
  return { ...(cpu && { cpu: [cpu] }), ...(os && { os: [os] }), ...(libc && { libc: [libc] }) };
}

/** Names and versions that some package wants optionally and the lockfile does not have. */
export function missingOptionalPackages(lock) {
  const missing = new Map();
  for (const [place, entry] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (
        !/^\d/.test(version) ||
        lock.packages[`node_modules/${name}`] ||
        lock.packages[`${place}/node_modules/${name}`]
      )
        continue;
      missing.set(name, { version, ...(entry.dev && { dev: true }), optional: true, ...platformOf(name) });
    }
  }
  return missing;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', 'package-lock.json');
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const missing = missingOptionalPackages(lock);
  for (const [name, entry] of missing) lock.packages[`node_modules/${name}`] = entry;
  const { '': own, ...rest } = lock.packages;
  lock.packages = {
    '': own,
    ...Object.fromEntries(Object.entries(rest).sort(([one], [other]) => (one < other ? -1 : 1))),
  };
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  process.stdout.write(`${missing.size} added\n`);
}
