/** haproxy with the operators' configuration, `deploy/haproxy.cfg`: only the addresses are ours. */
import { spawn, type ChildProcess } from 'node:child_process';
import { open } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { end, remember } from '#tests/load/children.ts';
import { findProgram } from '#tests/support/installed.ts';

export type Balancer = {
  /** `kill -9`: all connections are lost. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Waits until its own checks report that a server (`web/web_1`) accepts requests, or does not. */
  untilServer(name: string, state: 'UP' | 'DOWN'): Promise<void>;
  stop(): Promise<void>;
};

export type BalancerPorts = { site: number; webs: readonly number[]; database: number; postgres: readonly number[] };

const CONFIGURATION = path.resolve(import.meta.dirname, '../../../deploy/haproxy.cfg');
const NOTICED_WITHIN_MS = 300_000;

export async function startBalancer(folder: string, ports: BalancerPorts): Promise<Balancer> {
  const at = (port: number | undefined) => `127.0.0.1:${port ?? 0}`;
  const socket = path.join(folder, 'haproxy.sock');
  const env = {
    PATH: process.env.PATH,
    KEEP_USER: '1',
    SITE_BIND: at(ports.site),
    DATABASE_BIND: at(ports.database),
    STATS_SOCKET: socket,
    ...Object.fromEntries(ports.webs.map((port, index) => [`WEB_${index + 1}`, at(port)])),
    ...Object.fromEntries(ports.postgres.map((port, index) => [`POSTGRES_${index + 1}`, at(port)])),
  };
  let child: ChildProcess;

  async function start(): Promise<void> {
    const log = await open(path.join(folder, 'haproxy.log'), 'a');
    child = remember(
      spawn(findProgram('haproxy') ?? 'haproxy', ['-db', '-f', CONFIGURATION], {
        env,
        stdio: ['ignore', log.fd, log.fd],
      }),
    );
    await log.close();
    for (const deadline = Date.now() + NOTICED_WITHIN_MS; !(await statesOf(socket).catch(() => null)); await sleep(50))
      if (Date.now() > deadline || child.exitCode !== null)
        throw new Error(`haproxy did not start: see ${folder}/haproxy.log`);
  }

  await start();
  return {
    start,
    kill: () => end(child, 'SIGKILL'),
    stop: () => end(child),
    async untilServer(name, state) {
      const look = async () => (await statesOf(socket)).get(name)?.startsWith(state) ?? false;
      for (const deadline = Date.now() + NOTICED_WITHIN_MS; !(await look()); await sleep(100))
        if (Date.now() > deadline) throw new Error(`haproxy did not see ${name} ${state} in time`);
    },
  };
}

/** haproxy's status of each server. */
function statesOf(socketFile: string): Promise<Map<string, string>> {
  return new Promise((resolve, reject) => {
    const socket = connect(socketFile, () => socket.end('show stat\n'));
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (part: string) => (text += part));
    socket.on('error', reject);
    socket.on('end', () => {
      const [head = [], ...lines] = text
        .trim()
        .split('\n')
        .map((line) => line.split(','));
      const column = (name: string) => head.findIndex((title) => title.endsWith(name));
      const [proxy, name, state] = [column('pxname'), column('svname'), column('status')];
      resolve(new Map(lines.map((line) => [`${line[proxy]}/${line[name]}`, line[state] ?? ''])));
    });
  });
}
