/** Whether build/ was made from the present sources. */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const FILES = [
  'vite.config.ts',
  'react-router.config.ts',
  'tsconfig.json',
  'package-lock.json',
  'scripts/build-program.ts',
  'scripts/start.ts',
];

function sourceHash(root) {
  const hash = createHash('sha256');
  const below = readdirSync(path.join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name));
  for (const file of [...FILES.map((name) => path.join(root, name)), ...below].sort((one, other) =>
    one < other ? -1 : 1,
  )) {
    hash
      .update(`${path.relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

const stampOf = (root) => path.join(root, 'build', '.sources');

export function buildIsFresh(root) {
  try {
    return readFileSync(stampOf(root), 'utf8') === sourceHash(root);
  } catch {
    return false;
  }
}

export function markBuildFresh(root) {
  writeFileSync(stampOf(root), sourceHash(root));
}
