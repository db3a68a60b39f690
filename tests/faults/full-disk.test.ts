/**
 * A disk that other programs have filled: the database stops, restarts automatically, and has lost nothing (rule 63).
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, open, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { withClient } from '#src/platform/db/client.ts';
import { embeddedPasswords } from '#src/platform/db/embedded-cluster.ts';
import { embeddedUrl, runningPostgresPort, stopEmbeddedPostgres } from '#src/platform/db/embedded-postgres.ts';
import { copyPreparedFolder } from '#tests/faults/support/prepared-folder.ts';
import { startProgram } from '#tests/faults/support/started-program.ts';

const PROGRAM = path.join(import.meta.dirname, 'support', 'small-product.ts');
const MAX_WAIT_MS = 60_000;

/** Uses up every free byte, as a log of another program would. */
async function fillUp(file: string): Promise<void> {
  const handle = await open(file, 'a');
  try {
    for (const piece of [1_048_576, 4_096])
      for (;;) {
        const { bytesWritten } = await handle.write(Buffer.alloc(piece, 1)).catch(() => ({ bytesWritten: 0 }));
        if (bytesWritten < piece) break;
      }
  } finally {
    await handle.close();
  }
}

async function eventually<T>(look: () => Promise<T>): Promise<T> {
  for (const deadline = Date.now() + MAX_WAIT_MS; ; await sleep(100)) {
    try {
      return await look();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

it('a full disk: the reserve is deleted so that the database recovers, and is created again later', async (context) => {
  const disk = await mkdtemp(path.join(tmpdir(), 'sideline-full-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=300m', 'tmpfs', disk], { stdio: 'ignore' });
  } catch {
    await rm(disk, { recursive: true, force: true, maxRetries: 5 });
    context.skip('this user may not mount a small disk');
  }
  const dataDir = path.join(disk, 'data');
  const reserve = path.join(dataDir, 'postgres.reserve');
  await copyPreparedFolder(dataDir);
  const program = startProgram(PROGRAM, { DATA_DIR: dataDir, PORT: '0', WEB_CONCURRENCY: '1', LOG_LEVEL: 'info' });
  try {
    const [, site = ''] = await program.until(/^Sideline is ready at (http:\/\/localhost:\d+)$/m);
    const ask = async (page: string): Promise<unknown> => {
      const answer = await fetch(site + page);
      if (!answer.ok) throw new Error(`${page} answered ${answer.status}`);
      return answer.json();
    };
    await eventually(async () => expect((await stat(reserve)).size).toBeGreaterThan(32_000_000));
    await ask('/write');
    const junk = path.join(disk, 'junk');
    const port = (await runningPostgresPort(dataDir)) ?? 0;
    const url = embeddedUrl(port, 'postgres', embeddedPasswords(dataDir).superuser, 'postgres');
    let acknowledged = 1;
    // Each switch needs another segment of the log: recycled ones are used up first.
    for (const deadline = Date.now() + MAX_WAIT_MS; Date.now() < deadline && (await stat(reserve).catch(() => null));) {
      await fillUp(junk);
      await ask('/write').then(
        () => (acknowledged += 1),
        () => undefined,
      );
      await withClient(url, (client) => client.query('select pg_switch_wal()')).catch(() => undefined);
      await sleep(200);
    }
    // The file is deleted a moment before the log says so.
    await eventually(async () =>
      expect(program.output()).toContain('the disk is full: the space that was held for the database is given up'),
    );
    await eventually(() => ask('/count'));
    const { rows } = (await ask('/count')) as { rows: number };
    expect(rows).toBeGreaterThanOrEqual(acknowledged);
    await eventually(() => ask('/write'));
    const { bavail, bsize } = await statfs(disk);
    expect(bavail * bsize).toBeLessThan(64_000_000);

    await rm(junk);
    await eventually(async () => expect((await stat(reserve)).size).toBeGreaterThan(32_000_000));
    await ask('/write');
    program.kill('SIGTERM');
    expect(await program.ended).toBe(0);
  } finally {
    program.kill('SIGKILL');
    await program.ended;
    await stopEmbeddedPostgres(dataDir);
    execFileSync('umount', ['-l', disk], { stdio: 'ignore' });
    await rm(disk, { recursive: true, force: true, maxRetries: 5 });
  }
});
