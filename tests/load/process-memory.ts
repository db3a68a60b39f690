/** Memory of processes, read from /proc (Linux). */
import { readFileSync } from 'node:fs';

/** Proportional set size in MB: memory that processes share counts once. A process that has just ended has none. */
export function pssMb(pids: readonly number[]): number {
  let kilobytes = 0;
  for (const pid of pids) {
    try {
      const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
      kilobytes += Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0);
    } catch {
      // It has ended meanwhile.
    }
  }
  return kilobytes / 1024;
}
