/**
 * P20: how much slower photos load while the worker imports 10,000 accounts, or a roster of 2,000, and the memory of
 * reading and importing.
 */
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '#src/platform/db/client.ts';
import { load } from '#tests/load/http-load.ts';
import { makeGallery } from '#tests/load/made-gallery.ts';
import { makeOwner, makePlatformAdmin } from '#tests/load/made-owner.ts';
import { cpuMsOf, median } from '#tests/load/process-cpu.ts';
import { atRest, UNCACHED, type Bench } from '#tests/load/open-bench.ts';
import { processesOf, type Product } from '#tests/load/product.ts';
import type { BenchResult, BenchRow } from '#tests/load/rows.ts';
import { percentile, visit, type Visit } from '#tests/load/visits.ts';

const ROWS = 10_000;
const HEAD = 'orgname,newOrgName,customPath,firstName,lastName,email,password,tax_id';
/** Of visits while accounts are imported. Before and after each import, the product is idle for half as long. */
const BUSY_MS = 6_000;
const CALM_MS = BUSY_MS / 2;
const LIMITS = { must: 1.5, aim: 1.1 };
const WARM_VISITS = 1_500;
/** Share of all cores; a window in which other programs took more is repeated, at most this often. */
const FOREIGN_SHARE = 0.04;
const MORE_TRIES = 4;
const PAGE_BYTES = 4096;

/** Resident memory of each process of the product, the largest first, in MB. */
function largestMb(product: Product): number {
  const sizes = processesOf(product).map((pid) => {
    try {
      return (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES) / 1_048_576;
    } catch {
      return 0;
    }
  });
  return Math.max(...sizes);
}

function fileOf(round: number, withPasswords: boolean): string {
  const tag = `${withPasswords ? 'with' : 'without'}-${round}`;
  const rows = Array.from(
    { length: ROWS },
    (_, index) =>
      `Sideline,Club ${tag} ${index},${tag}-${index},Una,Miller,${tag}-${index}@new.test,${withPasswords ? 'orange-river-9' : ''},12-34`,
  );
  return [HEAD, ...rows].join('\n');
}

/** Returns the import, which has begun. */
async function upload(
  product: Product,
  authorization: string,
  content: string,
  path = '/api/v1/bulk/users?wait=0',
): Promise<number> {
  const form = new FormData();
  form.append('file', new Blob([content], { type: 'text/csv' }), 'rows.csv');
  const response = await fetch(product.url + path, {
    method: 'POST',
    headers: { authorization },
    body: form,
  });
  if (response.status !== 202) throw new Error(`the import answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { import_id: number }).import_id;
}

/**
 * Cancels the rest of an import, with its emails, so that the product is idle afterwards; returns how many rows were
 * done.
 */
async function endImport(product: Product, importId: number): Promise<number> {
  return withClient(product.ownerUrl, async (client) => {
    const stopped = await client.query(
      "update bulk_import_rows set result = 'failed', messages = '{stopped}', password_sealed = null where import_id = $1 and result is null",
      [importId],
    );
    await client.query("update mail_outbox set due_at = 'infinity' where sent_at is null");
    await client.query('vacuum analyze bulk_import_rows');
    return ROWS - (stopped.rowCount ?? 0);
  });
}

/** Milliseconds of work on all cores, without the product and this process; and milliseconds of all cores. */
function foreignTimes(product: Product): { busyMs: number; allMs: number } {
  let [busyMs, allMs] = [-cpuMsOf([product.pid, product.postgresPid, process.pid]), 0];
  for (const { times } of cpus()) {
    busyMs += times.user + times.nice + times.sys + times.irq;
    allMs += times.user + times.nice + times.sys + times.irq + times.idle;
  }
  return { busyMs, allMs };
}

/**
 * Returns a function that watches windows and returns the quietest of its tries; `shares` gets the CPU share of other
 * programs in each.
 */
function watcher(product: Product, shares: number[]): <Window>(window: () => Promise<Window>) => Promise<Window> {
  let left = MORE_TRIES;
  return async (window) => {
    let best: { share: number; seen: Awaited<ReturnType<typeof window>> } | null = null;
    for (;;) {
      const before = foreignTimes(product);
      const seen = await window();
      const after = foreignTimes(product);
      const share = (after.busyMs - before.busyMs) / (after.allMs - before.allMs);
      if (best === null || share < best.share) best = { share, seen };
      if (best.share <= FOREIGN_SHARE || left-- <= 0) break;
    }
    shares.push(best.share);
    return best.seen;
  };
}

const ROUNDS = 3;
const ROSTER_ROWS = 2_000;
const ROSTER_TEAMS = 40;
/** Of a roster, whose windows are short: each has some ninety visits. In the 97.5th percentile one pair would decide. */
const ROSTER_ROUNDS = 5;
const ROSTER_SHARE = 95;

const ROSTER = [
  'first_name,last_name,number,team,family_email,consent,external_id',
  ...Array.from(
    { length: ROSTER_ROWS },
    (_, index) =>
      `Una${index},Miller,${index % 100},Team ${index % ROSTER_TEAMS},family-${index}@new.test,yes,id-${index}`,
  ),
].join('\n');

/** What is used by every import. */
type Rig = { product: Product; url: string; watch: ReturnType<typeof watcher> };

/** The visits of an import: while its file is read, and those that count. `ms` and `rows` are of its work. */
type Busy = { read: Visit[]; readMs: number; busy: Visit[]; ms: number; rows: number };
/** Together with the visits just before and just after it. */
type Round = Busy & { calm: Visit[] };

async function timed<T>(work: () => Promise<T>): Promise<{ done: T; ms: number }> {
  const began = performance.now();
  return { done: await work(), ms: performance.now() - began };
}

/** Imports accounts for six seconds, and cancels the rest. */
async function besideAccounts({ product, url, watch }: Rig, authorization: string, content: string): Promise<Busy> {
  const uploading = upload(product, authorization, content);
  const reading = await timed(() => visit(url, uploading));
  const working = await timed(() => watch(() => visit(url, sleep(BUSY_MS))));
  const rows = await endImport(product, await uploading);
  return { read: reading.done, readMs: reading.ms, busy: working.done, ms: working.ms, rows };
}

async function untilImported(product: Product, authorization: string, importId: number): Promise<void> {
  for (;;) {
    const answer = await fetch(`${product.url}/api/v1/bulk/roster/${importId}?limit=0`, { headers: { authorization } });
    const { status, failed } = (await answer.json()) as { status: string; failed: number };
    if (failed > 0) throw new Error(`${failed} rows of the roster failed`);
    if (status !== 'running') return;
    await sleep(200);
  }
}

type Club = { organizationId: number; authorization: string };

async function makeClub(product: Product): Promise<Club> {
  const { organizationId } = await makeGallery(product.ownerUrl, 0);
  const { authorization } = await makeOwner(product, organizationId);
  return { organizationId, authorization };
}

/**
 * The visits while 2,000 athletes are imported, from the upload to the last row. Each time into an organization of its
 * own: namesakes on teams of an earlier import are read and compared, which made each import dearer than the one before.
 * The next one is made after an import, so that nothing is made between a calm window and the import.
 */
function rosterImports({ product, url, watch }: Rig, first: Club): () => Promise<Busy> {
  let club = first;
  async function once(): Promise<Busy> {
    const { organizationId, authorization } = club;
    const { done, ms } = await timed(async () => {
      const path = `/api/v1/bulk/roster?affiliate_id=${organizationId}&wait=0`;
      const uploading = upload(product, authorization, ROSTER, path);
      const reading = await timed(() => visit(url, uploading));
      const writing = await visit(url, untilImported(product, authorization, await uploading));
      return { read: reading.done, readMs: reading.ms, busy: [...reading.done, ...writing] };
    });
    club = await makeClub(product);
    return { ...done, ms, rows: ROSTER_ROWS };
  }
  return () => watch(once);
}

type Kind = 'invited' | 'with passwords' | 'a roster';

/**
 * All imports in turns, each between two calm windows, which it shares with the imports before and after it. So a
 * change of the machine affects an import and what it is compared with.
 */
async function seeImports(rig: Rig, imports: readonly [Kind, () => Promise<Busy>][]): Promise<Record<Kind, Round[]>> {
  const calmVisits = async () => {
    await atRest(rig.product);
    return rig.watch(() => visit(rig.url, sleep(CALM_MS)));
  };
  const rounds: Record<Kind, Round[]> = { invited: [], 'with passwords': [], 'a roster': [] };
  let before = await calmVisits();
  for (const [kind, begin] of imports) {
    const busy = await begin();
    const after = await calmVisits();
    rounds[kind].push({ ...busy, calm: [...before, ...after] });
    before = after;
  }
  return rounds;
}

/** The median round: load from other programs in one of them does not count as the import's. */
const typical = (windows: readonly Visit[][], share: number, options?: { withOwnWait: boolean }): number =>
  median(windows.map((visits) => percentile(visits, share, options)));

/** A round of each: how much slower than in its own calm windows. */
const slowdown = (rounds: readonly Round[], share: number): number =>
  median(rounds.map(({ busy, calm }) => percentile(busy, share) / percentile(calm, share)));

function resultOf(kind: Kind, rounds: readonly Round[], share: number): BenchResult {
  const [calm, busy, read] = (['calm', 'busy', 'read'] as const).map((phase) => rounds.map((round) => round[phase]));
  const figure = { value: slowdown(rounds, share), ...LIMITS };
  const details: Record<string, number> = {};
  for (const [phase, windows] of [
    ['calm', calm ?? []],
    ['busy', busy ?? []],
  ] as const) {
    for (const one of new Set([50, share, 97.5])) details[`p${one} ms ${phase}`] = typical(windows, one);
    details[`own waits too, ${phase}`] = typical(windows, share, { withOwnWait: true });
  }
  details['median ms while read'] = typical(read ?? [], 50);
  details['p97.5 ms while read'] = typical(read ?? [], 97.5);
  details['read in s'] = median(rounds.map(({ readMs }) => readMs)) / 1_000;
  details['rows a second'] = median(rounds.map(({ rows, ms }) => (rows * 1_000) / ms));
  const named = Object.entries(details).map(([name, value]) => [`${kind}: ${name}`, value] as const);
  return { figures: { [kind]: figure }, details: Object.fromEntries(named) };
}

async function measure(bench: Bench): Promise<BenchResult> {
  const product = await bench.product(UNCACHED);
  const { galleryId } = await bench.gallery(100);
  const { authorization } = await bench.made('an administrator', makePlatformAdmin);
  const url = `${product.url}/api/v1/galleries/${galleryId}/gallery_photos?limit=10`;
  const foreignShares: number[] = [];
  const rig: Rig = { product, url, watch: watcher(product, foreignShares) };
  const roster = rosterImports(rig, await makeClub(product));
  const imports: [Kind, () => Promise<Busy>][] = [];
  for (let round = 0; round < ROSTER_ROUNDS; round++) {
    if (round < ROUNDS) {
      imports.push(['invited', () => besideAccounts(rig, authorization, fileOf(round, false))]);
      imports.push(['with passwords', () => besideAccounts(rig, authorization, fileOf(round, true))]);
    }
    imports.push(['a roster', roster]);
  }
  await load(url, WARM_VISITS);
  const largestBefore = largestMb(product);
  const rounds = await seeImports(rig, imports);
  const results = [
    resultOf('invited', rounds.invited, 97.5),
    resultOf('with passwords', rounds['with passwords'], 97.5),
    resultOf('a roster', rounds['a roster'], ROSTER_SHARE),
  ];
  return {
    figures: Object.assign({}, ...results.map(({ figures }) => figures)) as BenchResult['figures'],
    details: {
      ...(Object.assign({}, ...results.map(({ details }) => details)) as BenchResult['details']),
      'largest process grew MB': largestMb(product) - largestBefore,
      'most that others took of the cores, %': Math.max(...foreignShares) * 100,
    },
  };
}

export const importRow: BenchRow = {
  name: 'P20',
  what: 'slowdown of visitors while 10,000 CSV rows are imported, or a roster of 2,000',
  notQuick: 'its windows must be many',
  measure,
};
