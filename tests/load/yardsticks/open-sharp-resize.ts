/** Starts the sharp yardstick as its own process and requests the CPU of one file. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const YARDSTICK = join(import.meta.dirname, 'sharp-resize.ts');

export function openYardstick(): { cpuMs(file: string): Promise<number>; close(): void } {
  const program = spawn(process.execPath, [YARDSTICK], { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
  return {
    async cpuMs(file) {
      program.stdin.write(`${file}\n`);
      const answer = await answers.next();
      if (answer.done) throw new Error('The yardstick ended.');
      return (JSON.parse(answer.value) as { cpuMs: number }).cpuMs;
    },
    close: () => program.stdin.end(),
  };
}
