/** A small program next to the product: it prints its port, and ends when its input does. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { remember } from '#tests/load/children.ts';
import { freePort } from '#tests/load/product.ts';

export type Yardstick = { pid: number; url: string; stop(): void };

/** @param name of a file in this folder, without its ending */
export async function startYardstick(name: string, ...args: string[]): Promise<Yardstick> {
  const child = remember(
    spawn(process.execPath, [join(import.meta.dirname, `${name}.ts`), ...args], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, NODE_ENV: 'production' },
    }),
  );
  const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { pid: child.pid ?? 0, url: `http://127.0.0.1:${port}`, stop: () => void child.stdin.end() };
}

/** nginx with one file, configured as distributions ship it; null if it is not installed. */
export async function startNginx(bytes: Buffer): Promise<Yardstick | null> {
  const program = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'nginx'))
    .find((path) => existsSync(path));
  if (program === undefined) return null;
  const folder = await mkdtemp(join(tmpdir(), 'sideline-nginx-'));
  const port = await freePort();
  await writeFile(join(folder, 'file.jpg'), bytes);
  // One process, under our own user, which may read the folder.
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr;
     events { worker_connections 64; }
     http {
       access_log access.log; sendfile on; tcp_nopush on; types { image/jpeg jpg; }
       client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
       server { listen 127.0.0.1:${port}; root ${folder}; }
     }`,
  );
  const child = remember(
    spawn(program, ['-p', folder, '-c', 'nginx.conf'], { stdio: ['ignore', 'inherit', 'ignore'] }),
  );
  const url = `http://127.0.0.1:${port}/file.jpg`;
  for (let tries = 0; child.exitCode === null && tries < 100; tries++) {
    if (
      await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return { pid: child.pid ?? 0, url, stop: () => void child.kill() };
    await pause(50);
  }
  throw new Error('nginx did not start');
}
