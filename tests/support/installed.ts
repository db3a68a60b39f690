/** Programs that npm does not install: tests that need them say so if they are missing. */
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** Debian's folder for administrators' programs, which is not in other users' PATH. */
const MORE_FOLDERS = ['/usr/sbin', '/sbin'];

const CEPH = ['ceph', 'ceph-mon', 'ceph-osd', 'monmaptool', 'radosgw', 'radosgw-admin'];
const CEPH_PACKAGES = 'radosgw ceph-mon ceph-osd ceph-common';
/** What `.ci/run` installs for the fleet test. */
const FLEET_PACKAGES = `haproxy ${CEPH_PACKAGES}`;

/** The file of an installed program; null if there is none. */
export function findProgram(name: string): string | null {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), ...MORE_FOLDERS];
  return folders.map((folder) => path.join(folder, name)).find(isProgram) ?? null;
}

/** Why no S3 store can run here (tests/support/radosgw.ts); null if one can. */
export const whyNoRadosgw = (): string | null => whyNot(CEPH, CEPH_PACKAGES);

/** Why `npm run test:fleet` cannot run here; null if it can. */
export const whyNoFleet = (): string | null => whyNot(['haproxy', ...CEPH], FLEET_PACKAGES);

function whyNot(programs: readonly string[], packages: string): string | null {
  const missing = programs.filter((name) => findProgram(name) === null);
  return missing.length === 0 ? null : `not installed: ${missing.join(', ')} (Debian: ${packages})`;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
