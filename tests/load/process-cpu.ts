/** CPU time of whole process trees, read from /proc (Linux). Ended children count through their parents. */
import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks a second; 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** `ownMs`, to the tick; `childrenMs` of those that have ended. */
type Stat = { parent: number; ownMs: number; childrenMs: number };

function statOf(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold spaces; fields are counted after it.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [userTicks = 0, systemTicks = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15);
    const ofTicks = (ticks: number) => (ticks * 1000) / TICKS_PER_SECOND;
    return {
      parent: fields[1] ?? 0,
      ownMs: ofTicks(userTicks + systemTicks),
      childrenMs: ofTicks(childUser + childSystem),
    };
  } catch {
    return null;
  }
}

function statsOfAll(): Map<number, Stat> {
  const stats = new Map<number, Stat>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    const stat = Number.isInteger(pid) && pid > 0 ? statOf(pid) : null;
    if (stat) stats.set(pid, stat);
  }
  return stats;
}

function below(stats: ReadonlyMap<number, Stat>, rootPids: readonly number[]): number[] {
  const isBelow = (pid: number): boolean => {
    for (let at = pid; at > 1; at = stats.get(at)?.parent ?? 0) if (rootPids.includes(at)) return true;
    return false;
  };
  return [...stats.keys()].filter(isBelow);
}

/** These processes and all below them. */
export function treeOf(rootPids: readonly number[]): number[] {
  return below(statsOfAll(), rootPids);
}

/** Of the threads that run now, to the nanosecond: a round of the smallest yardsticks takes a dozen ticks. */
function msOfThreads(pid: number): number {
  let nanoseconds = 0;
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`))
      nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
  } catch {
    // It, or one of its threads, has just ended.
  }
  return nanoseconds / 1_000_000;
}

/** Milliseconds of user and system time of the trees below these processes, themselves included. */
export function cpuMsOf(rootPids: readonly number[]): number {
  const stats = statsOfAll();
  let sum = 0;
  for (const pid of below(stats, rootPids)) {
    const { ownMs = 0, childrenMs = 0 } = stats.get(pid) ?? {};
    // What threads took that have ended is in the ticks alone.
    sum += Math.max(ownMs, msOfThreads(pid)) + childrenMs;
  }
  return sum;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
