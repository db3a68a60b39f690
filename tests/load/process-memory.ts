/** Memory of processes, read from /proc (Linux). */
import { readFileSync } from 'node:fs';

/**
 * Proportional set size in MB: memory that processes share counts once, for other programs of the same Node, too. A
 * process that has just exited has none.
 */
export const pssMb = (pids: readonly number[]): number => sumMb(pids, 'Pss');

/** The part of it that is no file: what a process allocated itself. No other program changes it. */
export const ownMb = (pids: readonly number[]): number => sumMb(pids, 'Pss_Anon');

function sumMb(pids: readonly number[], name: 'Pss' | 'Pss_Anon'): number {
  let kilobytes = 0;
  for (const pid of pids) {
    try {
      const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
      kilobytes += Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0);
    } catch {
      // It has exited meanwhile.
    }
  }
  return kilobytes / 1024;
}
