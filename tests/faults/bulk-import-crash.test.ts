/** Fault F21: the worker is killed at the first, the 500th and the last row of an import. It goes on where it was, and nothing is there twice or by half. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { BulkAnswer } from '#src/features/bulk-imports/bulk-imports.contract.ts';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import type { CrashPoint } from '#src/platform/processes/crash-points.ts';
import { csvOf, GALLERY_HEAD, galleryRow, sendCsv, USER_HEAD, userRow } from '#tests/support/csv-files.ts';
import { settleNeighbourhood, type Neighbourhood } from '#tests/support/neighbourhood.ts';
import { useTestHouse } from '#tests/support/test-house.ts';

const house = useTestHouse();
let people: Neighbourhood;
beforeAll(async () => {
  people = await settleNeighbourhood(house);
});

/** Works on an import in a process of its own; answers how it ended. */
async function work(importId: number, crashAt: CrashPoint | '' = ''): Promise<unknown[]> {
  const { dataDir, appSecret } = house.platform.config;
  const program = spawn(
    process.execPath,
    [path.join(import.meta.dirname, 'bulk-import-program.ts'), house.data.appUrl, String(importId)],
    {
      env: { ...process.env, DATA_DIR: dataDir, APP_SECRET: appSecret, DEMO: 'off', CRASH_AT: crashAt },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  return once(program, 'exit');
}

const KILLED = [null, 'SIGKILL'];
const DONE = [0, null];

async function begin(kind: 'users' | 'galleries', content: string): Promise<number> {
  const answer = await sendCsv(house, kind, { content }, { as: people.tokens.admin, query: '?wait=0' });
  expect(answer.statusCode).toBe(202);
  return answer.json<BulkAnswer>().import_id ?? 0;
}
const standing = async (importId: number) =>
  (
    await house.call({ method: 'GET', url: `/api/v1/bulk/${importId}?limit=0`, as: people.tokens.admin })
  ).json<BulkAnswer>();
const sound = async () => expect(await checkInvariants({ ...house.platform, sandboxCards: true })).toEqual([]);
const countOf = async (query: string) => Number((await house.data.ownerQuery<{ n: number }>(query))[0]?.n);

test('accounts: killed at rows 1, 500 and last, each is made once, with its letter', async () => {
  const rows = Array.from({ length: 520 }, (_, index) => userRow(`crash-${index}`, { password: '' }));
  const importId = await begin('users', csvOf(USER_HEAD, ...rows));
  expect(await work(importId, 'bulk.first_row')).toEqual(KILLED);
  expect(await standing(importId)).toMatchObject({ status: 'running', created: 0, waiting: 520 });
  await sound();
  expect(await work(importId, 'bulk.row_500')).toEqual(KILLED);
  expect(await standing(importId)).toMatchObject({ status: 'running', created: 499, waiting: 21 });
  await sound();
  expect(await work(importId, 'bulk.last_row')).toEqual(KILLED);
  expect(await standing(importId)).toMatchObject({ status: 'running', created: 520, waiting: 0 });
  expect(await work(importId)).toEqual(DONE);
  // Doing it once more is the same.
  expect(await work(importId)).toEqual(DONE);
  expect(await standing(importId)).toMatchObject({ status: 'finished', total: 520, created: 520, failed: 0 });
  expect(await countOf("select count(*) as n from users where email like 'crash-%'")).toBe(520);
  expect(await countOf("select count(*) as n from organizations where domain_name like 'crash-%'")).toBe(520);
  expect(await countOf("select count(*) as n from mail_outbox where recipient like 'crash-%'")).toBe(520);
  await sound();
  const again = await sendCsv(
    house,
    'users',
    { content: csvOf(USER_HEAD, ...rows) },
    { as: people.tokens.admin, query: '?dry_run=true' },
  );
  expect(again.json()).toMatchObject({ created: 0, skipped: 520, failed: 0 });
}, 120_000);

test('galleries and passwords: killed after a row, the next attempt goes on behind it', async () => {
  const galleries = await begin(
    'galleries',
    csvOf(GALLERY_HEAD, galleryRow('First'), galleryRow('Second', { password: 'goalkeeper' })),
  );
  expect(await work(galleries, 'bulk.after_row')).toEqual(KILLED);
  expect(await standing(galleries)).toMatchObject({ created: 1, waiting: 1 });
  const users = await begin('users', csvOf(USER_HEAD, userRow('with-password')));
  expect(await work(users, 'bulk.first_row')).toEqual(KILLED);
  for (const importId of [galleries, users]) expect(await work(importId)).toEqual(DONE);
  expect(await standing(galleries)).toMatchObject({ status: 'finished', created: 2 });
  expect(await countOf("select count(*) as n from galleries where name in ('First', 'Second')")).toBe(2);
  expect(await countOf('select count(*) as n from bulk_import_rows where password_sealed is not null')).toBe(0);
  await house.signIn('with-password@new.test', 'orange-river-9');
  await sound();
}, 60_000);
