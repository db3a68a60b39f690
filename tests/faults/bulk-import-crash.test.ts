/**
 * Fault F21: the worker is killed at the first, the 500th and the last row of an import. It resumes, and nothing is
 * created twice or partially.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { BulkAnswer } from '#src/features/bulk-imports/bulk-imports.contract.ts';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import type { CrashPoint } from '#src/platform/processes/crash-points.ts';
import { csvOf, GALLERY_HEAD, galleryRow, sendCsv, USER_HEAD, userRow } from '#tests/support/csv-files.ts';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;
beforeAll(async () => {
  people = await settleNeighborhood(server);
});

/** Works on an import in processes of their own until one is killed or nothing is left; returns its exit. */
async function work(importId: number, crashAt: CrashPoint): Promise<unknown[]> {
  const { dataDir, appSecret } = server.platform.config;
  for (;;) {
    const program = spawn(
      process.execPath,
      [path.join(import.meta.dirname, 'bulk-import-program.ts'), server.data.appUrl, String(importId)],
      {
        env: { ...process.env, DATA_DIR: dataDir, APP_SECRET: appSecret, DEMO: 'off', CRASH_AT: crashAt },
        stdio: ['ignore', 'inherit', 'inherit'],
      },
    );
    const exit: unknown[] = await once(program, 'exit');
    // On a busy machine the seconds of one job end before its row.
    if (exit[0] !== 0 || (await importNow(importId)).status === 'finished') return exit;
  }
}

const KILLED = [null, 'SIGKILL'];
/** What nothing kills needs no process of its own. */
const workHere = (importId: number) => server.app.bulkImports.work(importId, new AbortController().signal, 0);

async function begin(kind: 'users' | 'galleries', content: string): Promise<number> {
  const answer = await sendCsv(server, kind, { content }, { as: people.tokens.admin, query: '?wait=0' });
  expect(answer.statusCode).toBe(202);
  return answer.json<BulkAnswer>().import_id ?? 0;
}
const importNow = async (importId: number) =>
  (
    await server.call({ method: 'GET', url: `/api/v1/bulk/${importId}?limit=0`, as: people.tokens.admin })
  ).json<BulkAnswer>();
const sound = async () => expect(await checkInvariants({ ...server.platform, sandboxCards: true })).toEqual([]);
const countOf = async (query: string) => Number((await server.data.ownerQuery<{ n: number }>(query))[0]?.n);

test('galleries: after a kill at rows 1, 500 and last, each is created once', async () => {
  const file = csvOf(GALLERY_HEAD, ...Array.from({ length: 505 }, (_, index) => galleryRow(`Crash ${index}`)));
  const importId = await begin('galleries', file);
  expect(await work(importId, 'bulk.first_row')).toEqual(KILLED);
  expect(await importNow(importId)).toMatchObject({ status: 'running', created: 0, waiting: 505 });
  expect(await work(importId, 'bulk.row_500')).toEqual(KILLED);
  expect(await importNow(importId)).toMatchObject({ status: 'running', created: 499, waiting: 6 });
  await sound();
  expect(await work(importId, 'bulk.last_row')).toEqual(KILLED);
  expect(await importNow(importId)).toMatchObject({ status: 'running', created: 505, waiting: 0 });
  await workHere(importId);
  // Repeating it changes nothing.
  await workHere(importId);
  expect(await importNow(importId)).toMatchObject({ status: 'finished', total: 505, created: 505, failed: 0 });
  expect(await countOf("select count(*) as n from galleries where name like 'Crash %'")).toBe(505);
  await sound();
  const again = await sendCsv(
    server,
    'galleries',
    { content: file },
    { as: people.tokens.admin, query: '?dry_run=true' },
  );
  expect(again.json()).toMatchObject({ created: 0, skipped: 505, failed: 0 });
}, 240_000);

test('accounts: after a kill in and after a row, each has its organization and its email, and no password is left', async () => {
  const file = csvOf(USER_HEAD, userRow('invited', { password: '' }), userRow('with-password'));
  const importId = await begin('users', file);
  expect(await work(importId, 'bulk.first_row')).toEqual(KILLED);
  expect(await importNow(importId)).toMatchObject({ created: 0, waiting: 2 });
  expect(await countOf("select count(*) as n from users where email like '%@new.test'")).toBe(0);
  expect(await work(importId, 'bulk.after_row')).toEqual(KILLED);
  expect(await importNow(importId)).toMatchObject({ created: 1, waiting: 1 });
  await workHere(importId);
  expect(await importNow(importId)).toMatchObject({ status: 'finished', created: 2 });
  expect(await countOf("select count(*) as n from mail_outbox where recipient like '%@new.test'")).toBe(1);
  expect(await countOf('select count(*) as n from bulk_import_rows where password_sealed is not null')).toBe(0);
  await server.signIn('with-password@new.test', 'orange-river-9');
  await sound();
}, 120_000);
