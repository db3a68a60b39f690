/** A small program next to the product: it prints its port, and ends when its input does. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export type Yardstick = { pid: number; url: string; stop(): void };

/** @param name of a file in this folder, without its ending */
export async function startYardstick(name: string, ...args: string[]): Promise<Yardstick> {
  const child = spawn(process.execPath, [join(import.meta.dirname, `${name}.ts`), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { pid: child.pid ?? 0, url: `http://127.0.0.1:${port}`, stop: () => void child.stdin.end() };
}
