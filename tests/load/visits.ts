/** Visitors who arrive two at a time, at random moments, and how long each waits. */
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Twenty visits a second, in pairs, because a page makes more than one request at a time. Pairs do not overlap in an
 * idle product.
 */
const TOGETHER = 2;
const GAP_MS = { least: 60, most: 140 };
const NS_PER_MS = 1_000_000;

/** Milliseconds of each visit; for `ownWait` of them the visitor's own process waited for a core, which a real browser would not share. */
export type Visit = { ms: number; ownWaitMs: number };

/** Milliseconds during which this thread was ready and had no core (Linux). */
function waitedMs(): number {
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[1]) / NS_PER_MS;
}

/**
 * Twenty visits a second until `until` is over. No visit waits for earlier ones. @throws for any answer other than 200
 */
export async function visit(url: string, until: Promise<unknown>): Promise<Visit[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const visits: Promise<Visit>[] = [];
  let isOver = false;
  const over = until.finally(() => {
    isOver = true;
  });
  for (let nextAt = performance.now(); !isOver; nextAt += GAP_MS.least + Math.random() * (GAP_MS.most - GAP_MS.least)) {
    await sleep(Math.max(0, nextAt - performance.now()));
    for (let one = 0; one < TOGETHER; one++) visits.push(visitOnce(url, agent));
  }
  const made = await Promise.all(visits);
  await over;
  agent.destroy();
  return made;
}

function visitOnce(url: string, agent: Agent): Promise<Visit> {
  return new Promise((resolve, reject) => {
    const [waitedBefore, startedAt] = [waitedMs(), performance.now()];
    const request = get(url, { agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
      response.resume().once('end', () => {
        const ms = performance.now() - startedAt;
        resolve({ ms, ownWaitMs: Math.min(ms, waitedMs() - waitedBefore) });
      });
    });
    request.once('error', reject);
  });
}

/** A percentile of visits, without the visitor's own waits or with them. */
export function percentile(visits: readonly Visit[], share: number, { withOwnWait = false } = {}): number {
  const times = visits.map(({ ms, ownWaitMs }) => (withOwnWait ? ms : ms - ownWaitMs)).toSorted((a, b) => a - b);
  return times[Math.min(times.length - 1, Math.floor((times.length * share) / 100))] ?? Number.NaN;
}
