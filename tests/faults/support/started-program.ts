import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { NODE_ENVIRONMENT } from '#tests/support/node-environment.ts';

export type StartedProgram = {
  child: ChildProcess;
  pid: number;
  /** Everything on stdout and stderr so far. */
  output(): string;
  /** Resolves when the text has been printed; rejects if the program ends first, or after two minutes. */
  until(text: string | RegExp): Promise<RegExpExecArray>;
  /** Exit code, or the signal's name. */
  ended: Promise<number | NodeJS.Signals>;
  kill(signal: NodeJS.Signals): void;
};

const MAX_WAIT_MS = 120_000;

/**
 * Starts a Node program with nothing from our own environment but what Node itself needs, and the given
 * variables.
 */
export function startProgram(program: string, env: Record<string, string>): StartedProgram {
  const child = spawn(process.execPath, [program], {
    env: { ...NODE_ENVIRONMENT, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = once(child, 'exit').then(([code, signal]) => (signal ?? code) as number | NodeJS.Signals);
  let isOver = false;
  void ended.then(() => (isOver = true));
  return {
    child,
    pid: child.pid ?? 0,
    output: () => output,
    ended,
    kill: (signal) => void child.kill(signal),
    async until(text) {
      const pattern = typeof text === 'string' ? new RegExp(text.replaceAll(/[^\w\s]/g, '\\$&')) : text;
      for (const deadline = Date.now() + MAX_WAIT_MS; Date.now() < deadline;) {
        const found = pattern.exec(output);
        if (found) return found;
        if (isOver) break;
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      throw new Error(`${program} did not print ${pattern}:\n${output}`);
    },
  };
}
