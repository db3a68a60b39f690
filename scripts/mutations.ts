/**
 * Small mistakes in money, rights and limits (`tests/support/mutations.ts`). Each is written into the code for one run
 * of the tests that should catch it, and reverted: `npm run mutations`, or with words of their names as arguments, only
 * those. Exit code 1 if a mistake is not caught or its place is not found. Needs a clean working copy and the pages,
 * which are built first; about ten minutes for all.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MUTATIONS, type Mutation } from '#tests/support/mutations.ts';

const root = path.resolve(import.meta.dirname, '..');

const vitest = path.join(root, 'node_modules', '.bin', 'vitest');
const report = path.join(tmpdir(), `mutation-${process.pid}.json`);
const files = globSync('src/**/*.{ts,tsx}', { cwd: root }).filter((file) => !/\.test\.tsx?$/.test(file));
const texts = new Map(files.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
const wanted = process.argv.slice(2);
const chosen = MUTATIONS.filter(({ what }) => wanted.every((word) => what.includes(word)));

function verdict({ from, to, tests }: Mutation): 'caught' | 'not caught' | 'not found' | 'not run' {
  const places = [...texts].filter(([, text]) => text.includes(from));
  const [place] = places;
  if (place === undefined || places.length > 1) return 'not found';
  const [file, text] = place;
  const target = path.join(root, file);
  try {
    writeFileSync(
      target,
      text.replace(from, () => to),
    );
    const args = ['run', '--project=pure', '--project=unit', '--project=faults', '--bail=1', '--retry=0'];
    spawnSync(vitest, [...args, '--reporter=json', `--outputFile=${report}`, ...tests], { cwd: root, stdio: 'ignore' });
    const { numFailedTests, numPassedTests } = JSON.parse(readFileSync(report, 'utf8')) as Record<string, number>;
    if (numFailedTests === 0 && numPassedTests === 0) return 'not run';
    return numFailedTests === 0 ? 'not caught' : 'caught';
  } finally {
    writeFileSync(target, text);
    rmSync(report, { force: true });
  }
}

if (execFileSync('git', ['status', '--porcelain', '--', 'src'], { cwd: root, encoding: 'utf8' }) !== '') {
  console.error('src has changes that are not committed.');
  process.exit(1);
}
const verdicts = chosen.map((mutation) => {
  const said = verdict(mutation);
  console.log(`${said.padEnd(10)}  ${mutation.what}`);
  return said;
});
const caught = verdicts.filter((said) => said === 'caught').length;
console.log(`${caught} of ${chosen.length} caught`);
process.exit(caught === chosen.length && caught > 0 ? 0 : 1);
