/** The programs that a bench has started: none outlives it. */
import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';

const running = new Set<ChildProcess>();
/** A product stops its own processes and its database in this time. */
const STOP_WAIT_MS = 20_000;

/** Registers a program until it ends. */
export function remember<Child extends ChildProcess>(child: Child): Child {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Asks a program to end, and waits. */
export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WAIT_MS);
  await ended;
  clearTimeout(timer);
}

/** Ends every program that is still running. */
export async function endAll(): Promise<void> {
  await Promise.all([...running].map((child) => end(child)));
}
