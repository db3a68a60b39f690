/** What remains of a program when the npm that started it is killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, test } from 'vitest';

const MODULE = path.join(import.meta.dirname, 'npm-parent.ts');
const PROGRAM = `
  const { stopWithNpm } = await import(${JSON.stringify(MODULE)});
  stopWithNpm(() => process.exit());
  setTimeout(() => undefined, 60_000);
  console.log(process.pid);`;
/** As npm does: starts the program and waits for it. */
const PARENT = `
  const { spawn } = await import('node:child_process');
  spawn(process.execPath, ['--input-type=module', '--eval', ${JSON.stringify(PROGRAM)}], { stdio: 'inherit' });`;

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('a program that npm started ends when npm is killed, and one of another parent continues', async () => {
  async function killParent(env: Record<string, string>): Promise<number> {
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', PARENT], {
      env: { PATH: process.env.PATH, ...env },
    });
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    parent.kill('SIGKILL');
    return Number(line);
  }
  const [own, other] = [await killParent({ npm_lifecycle_event: 'start' }), await killParent({})];
  await expect.poll(() => isAlive(own), { timeout: 50_000 }).toBe(false);
  expect(isAlive(other)).toBe(true);
  process.kill(other, 'SIGKILL');
});
