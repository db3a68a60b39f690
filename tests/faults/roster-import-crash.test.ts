/**
 * The worker is killed in the middle of a roster import. It resumes, and no one is on the roster twice or partially
 * (fault F21).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { RosterImportAnswer } from '#src/features/roster-imports/roster-imports.contract.ts';
import { csvOf, sendCsv } from '#tests/support/csv-files.ts';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;
beforeAll(async () => {
  people = await settleNeighborhood(server);
});

/** Works in a process of its own that is killed; returns its exit. */
async function work(importId: number, crashAt: 'roster.piece' | 'roster.after_piece'): Promise<unknown[]> {
  const { dataDir, appSecret } = server.platform.config;
  const program = path.join(import.meta.dirname, 'bulk-import-program.ts');
  const child = spawn(process.execPath, [program, server.data.appUrl, String(importId), 'roster'], {
    env: { ...process.env, DATA_DIR: dataDir, APP_SECRET: appSecret, DEMO: 'off', CRASH_AT: crashAt },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return once(child, 'exit');
}

test('each athlete exists once, after a kill within a batch and after one', async () => {
  const lines = Array.from(
    { length: 120 },
    (_, at) => `Child${at},Rivera,${at},Team ${at % 4},child${at}@families.test,no`,
  );
  const file = { content: csvOf('first name,last name,number,team,email,consent', ...lines) };
  const send = (query: string) =>
    sendCsv(server, 'roster', file, {
      as: people.tokens.owner,
      query: `?affiliate_id=${people.hawks.id}&${query}`,
    });
  const importId = (await send('wait=0')).json<RosterImportAnswer>().import_id ?? 0;
  const url = `/api/v1/bulk/roster/${importId}?limit=0`;
  const importNow = async () => (await server.call({ url, as: people.tokens.owner })).json<RosterImportAnswer>();
  const ends = [];
  for (const point of ['roster.piece', 'roster.after_piece'] as const)
    ends.push([...(await work(importId, point)), (await importNow()).created]);
  // A batch is written completely, or again.
  expect(ends).toEqual([
    [null, 'SIGKILL', 0],
    [null, 'SIGKILL', 100],
  ]);
  // What nothing kills needs no process of its own.
  await server.app.rosterImports.work(importId, new AbortController().signal, 0);
  expect(await importNow()).toMatchObject({ status: 'finished', created: 120, failed: 0, waiting: 0 });
  const [counts] = await server.data.ownerQuery<object>(
    `select (select count(*)::int from athletes) as athletes, (select count(*)::int from entries) as entries,
            (select count(*)::int from athlete_families) as emails, (select count(*)::int from teams) as teams,
            (select count(*)::int from roster_import_rows where cells is not null) as cells`,
  );
  expect(counts).toEqual({ athletes: 120, entries: 120, emails: 120, teams: 4, cells: 0 });
  expect((await send('dry_run=true')).json()).toMatchObject({ created: 0, updated: 0, skipped: 120, failed: 0 });
}, 120_000);
