/** When a child counts as hanging, by the supervisor's own limit (fault F36). `tests/faults/supervisor.test.ts` has a whole product hang. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createChildren, type Children } from '#src/platform/processes/children.ts';
import { SILENT_AFTER_MS } from '#src/platform/processes/messages.ts';

/** Ready immediately, and silent from then on. */
const SILENT_PROGRAM = `
  process.on('message', ({ type }) => (type === 'stop' ? process.exit(0) : process.send({ type: 'ready' })));
  process.send({ type: 'hello' });
`;

let folder: string;
let children: Children;
let said: string[];
const killed = () => said.filter((line) => line.includes('silent'));

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  folder = mkdtempSync(path.join(tmpdir(), 'sideline-children-'));
  const program = path.join(folder, 'silent.mjs');
  writeFileSync(program, SILENT_PROGRAM);
  said = [];
  const log = pino({}, { write: (line: string) => void said.push((JSON.parse(line) as { msg: string }).msg) });
  const addresses = () => ({}) as never;
  children = createChildren({ program, port: 0, addresses, log, silentAfterMs: SILENT_AFTER_MS });
  await children.keep('worker', 'worker');
});

afterEach(async () => {
  vi.useRealTimers();
  await children.stopAll();
  rmSync(folder, { recursive: true, force: true });
});

test('one that is silent is killed after 30 seconds, not before, and restarted', async () => {
  expect(SILENT_AFTER_MS).toBe(30_000);
  vi.advanceTimersByTime(30_000);
  expect(killed()).toEqual([]);
  vi.advanceTimersByTime(3_000);
  expect(killed()).toEqual(['worker has been silent for 30 s and is ended']);
  await vi.waitFor(() => expect(said).toContain('worker ended and is started again'), { timeout: 20_000 });
});

test('one that starts may be silent for two minutes', async () => {
  writeFileSync(path.join(folder, 'silent.mjs'), 'process.on("message", () => process.exit(0));');
  void children.keep('worker', 'late worker').catch(() => undefined);
  vi.advanceTimersByTime(120_000);
  expect(killed()).not.toContainEqual(expect.stringContaining('late worker'));
  vi.advanceTimersByTime(3_000);
  expect(killed()).toContain('late worker has been silent for 120 s and is ended');
  await vi.waitFor(() => expect(said).toContain('late worker ended and is started again'), { timeout: 20_000 });
});
