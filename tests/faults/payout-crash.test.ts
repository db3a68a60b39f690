/**
 * The server is killed during a payout: before the commit nothing is created, and after the money has moved it is not
 * moved again.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import type { CrashPoint } from '#src/platform/processes/crash-points.ts';
import { owedTo, sellDue, shareOf } from '#tests/support/due-orders.ts';
import { openPayouts } from '#tests/faults/support/transfer-books.ts';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;
let adminId: number;
let booksFile: string;
beforeAll(async () => {
  people = await settleNeighborhood(server);
  const [admin] = await server.data.ownerQuery<{ id: number }>(
    "select id from users where email = 'admin@people.test'",
  );
  adminId = admin?.id ?? 0;
  booksFile = path.join(server.platform.config.dataDir, 'provider-of-transfers');
  await writeFile(booksFile, '');
});

/** Works in a process of its own that is killed; returns its exit. */
async function work(args: readonly string[], crashAt: CrashPoint): Promise<unknown[]> {
  const { dataDir, appSecret } = server.platform.config;
  const program = spawn(
    process.execPath,
    [path.join(import.meta.dirname, 'payout-program.ts'), server.data.appUrl, booksFile, String(adminId), ...args],
    {
      env: { ...process.env, DATA_DIR: dataDir, APP_SECRET: appSecret, DEMO: 'off', CRASH_AT: crashAt },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  return once(program, 'exit');
}

const KILLED = [null, 'SIGKILL'];
const listPayouts = () =>
  server.data.ownerQuery<{ status: string; amount: number; batch: string }>(
    'select status, amount_cents as amount, batch_key::text as batch from payouts order by id',
  );
const moved = async () => (await readFile(booksFile, 'utf8')).split('\n').filter(Boolean);
const sound = async () =>
  expect(
    // These orders have no photos and no emails.
    (await checkInvariants({ ...server.platform, sandboxCards: false })).filter(
      (line) => !/^(receipts|orders):/.test(line),
    ),
  ).toEqual([]);

test('a kill before the commit creates nothing, and the next call pays once; after a kill when the money has moved, it is moved once and confirmed', async () => {
  const orders = await sellDue(server, people.hawks.id, { amounts: [1000, 2500, 4000] });
  const ids = orders.map(({ id }) => String(id));
  // What nothing kills needs no process of its own.
  const here = openPayouts(server.platform, booksFile, adminId);
  const due = shareOf(1000) + shareOf(2500) + shareOf(4000);

  expect(await work(['pay', ...ids], 'payout.before_commit')).toEqual(KILLED);
  expect(await listPayouts()).toEqual([]);
  expect(await owedTo(server, people.hawks.id)).toBe(due);
  await sound();

  const paid = await here.pay(ids.map(Number));
  // The same call again gets the same response, and pays nothing.
  expect(await here.pay(ids.map(Number))).toEqual(paid);
  const [payout, ...others] = await listPayouts();
  expect([payout?.status, payout?.amount, others]).toEqual(['created', due, []]);
  expect(await owedTo(server, people.hawks.id)).toBe(0);

  expect(await work(['submit', payout?.batch ?? ''], 'payout.after_send')).toEqual(KILLED);
  expect([(await moved()).length, (await listPayouts())[0]?.status]).toEqual([1, 'created']);
  await sound();
  await here.submit(payout?.batch ?? '');
  await here.submit(payout?.batch ?? '');
  expect([(await moved()).length, (await listPayouts())[0]?.status]).toEqual([1, 'paid']);
  expect(await server.data.ownerQuery("select 1 from ledger_txs where kind = 'payout_confirmed'")).toHaveLength(1);
  await sound();
}, 240_000);
