/** CPU time of whole process trees, read from /proc (Linux). Ended children count through their parents. */
import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks a second; 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

type Stat = { parent: number; ticks: number };

function statOf(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold spaces; fields are counted after it.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [userTicks = 0, systemTicks = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15);
    return { parent: fields[1] ?? 0, ticks: userTicks + systemTicks + childUser + childSystem };
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

/** Milliseconds of user and system time of the trees below these processes, themselves included. Precise to 10 ms a process. */
export function cpuMsOf(rootPids: readonly number[]): number {
  const stats = statsOfAll();
  let ticks = 0;
  for (const pid of below(stats, rootPids)) ticks += stats.get(pid)?.ticks ?? 0;
  return (ticks * 1000) / TICKS_PER_SECOND;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
