/**
 * The processes of a folder (Linux): those with it in their environment (`TMPDIR`, `DATA_DIR`), and PostgreSQL, whose
 * environment is empty, by its data folder on the command line. A process id alone may belong to another program by now.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** They lose nothing that is needed. */
const STOP_MS = 5_000;

function textOf(pid: number, file: 'environ' | 'cmdline'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // It has ended, or belongs to someone else.
    return '';
  }
}

export function processesOfFolder(folder: string): number[] {
  const isIn = (value: string) => value === folder || value.startsWith(`${folder}/`);
  return readIds().filter(
    (pid) =>
      textOf(pid, 'environ')
        .split('\0')
        .some((entry) => isIn(entry.slice(entry.indexOf('=') + 1))) || textOf(pid, 'cmdline').split('\0').some(isIn),
  );
}

function readIds(): number[] {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 1 && pid !== process.pid);
  } catch {
    return [];
  }
}

/** Asks them to end, also those that they start meanwhile, and kills what is left after a while. */
export async function endProcessesOfFolder(folder: string): Promise<void> {
  const asked = new Set<number>();
  for (const began = Date.now(); ; await sleep(100)) {
    const pids = processesOfFolder(folder);
    if (pids.length === 0) return;
    const late = (Date.now() - began) / STOP_MS;
    const databases = pids.filter((pid) => textOf(pid, 'cmdline').includes('postgres'));
    const others = pids.filter((pid) => !databases.includes(pid));
    for (const pid of others) {
      if (late > 1 || !asked.has(pid)) signal(pid, late > 1 ? 'SIGKILL' : 'SIGTERM');
      asked.add(pid);
    }
    // A product stops its database itself; one that is killed leaves memory of the system behind.
    if (others.length === 0) for (const pid of databases) signal(pid, late > 2 ? 'SIGKILL' : 'SIGQUIT');
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has already ended.
  }
}
