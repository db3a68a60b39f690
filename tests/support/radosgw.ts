/**
 * A real S3 store for tests: Ceph on one machine (a monitor, a store in memory, its S3 gateway), from Debian's
 * packages.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import type { S3Place } from '#src/platform/storage/s3-storage.ts';
import { end, remember } from '#tests/load/children.ts';
import { freePort } from '#tests/load/product.ts';
import { findProgram } from '#tests/support/installed.ts';

export type Bucket = S3Place & { endpoint: string; credentials: { accessKeyId: string; secretAccessKey: string } };

export type Radosgw = {
  /** A new bucket, with the product's settings for it. */
  makeBucket(name: string): Promise<Bucket>;
  /** `kill -9` of the gateway: the store does not answer, and keeps its data. */
  killGateway(): Promise<void>;
  /** Starts it again, at the same address. */
  startGateway(): Promise<void>;
  stop(): Promise<void>;
};

const CREDENTIALS = { accessKeyId: 'SIDELINE', secretAccessKey: 'SIDELINESECRET' };
/** Far more than it needs: a busy machine is not a failure. */
const START_WITHIN_MS = 300_000;
const ANSWER_WITHIN_MS = 10_000;
const PAUSE_MS = 200;
const LAST_LINES = 15;
const run = promisify(execFile);
const programOf = (name: string): string => findProgram(name) ?? name;

/** Starts a store of its own, on free ports, within seconds. It keeps everything in memory. */
export async function startRadosgw(): Promise<Radosgw> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sideline-rgw-'));
  for (const part of ['mon', 'osd', 'rgw', 'log', 'run']) await mkdir(path.join(folder, part));
  const [monitorPort, gatewayPort, fsid] = [await freePort(), await freePort(), randomUUID()];
  const conf = path.join(folder, 'ceph.conf');
  await writeFile(conf, configuration({ folder, fsid, monitorPort, gatewayPort }));
  const endpoint = `http://127.0.0.1:${gatewayPort}`;
  const children = new Set<ChildProcess>();
  let isWanted = true;
  const ask = (name: string, ...words: string[]) =>
    run(programOf(name), ['-c', conf, ...words], { timeout: START_WITHIN_MS });

  /** Until a monitor has elected itself for the first time, it may refuse a command with EPERM (1) instead of waiting. */
  async function askNewMonitor(...words: string[]): Promise<void> {
    for (const deadline = Date.now() + START_WITHIN_MS; ; await sleep(PAUSE_MS))
      try {
        return void (await ask('ceph', ...words));
      } catch (error) {
        if ((error as { code?: unknown }).code !== 1 || Date.now() > deadline) throw error;
      }
  }

  async function start(name: string, ...words: string[]): Promise<ChildProcess> {
    const log = await open(path.join(folder, 'log', `${name}.out`), 'a');
    const child = remember(spawn(programOf(name), ['-f', '-c', conf, ...words], { stdio: ['ignore', log.fd, log.fd] }));
    children.add(child);
    await log.close();
    return child;
  }

  /** A part that ends unexpectedly is restarted, as an init system does. */
  async function keep(name: string, ...words: string[]): Promise<void> {
    const child = await start(name, ...words);
    child.once('exit', () => setTimeout(() => void (isWanted && keep(name, ...words)), PAUSE_MS));
  }

  let gateway: ChildProcess;
  async function startGateway(): Promise<void> {
    gateway = await start('radosgw', '-n', 'client.rgw');
    for (const deadline = Date.now() + START_WITHIN_MS; ; await sleep(100)) {
      if (
        await fetch(endpoint, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).then(
          (answer) => answer.ok,
          () => false,
        )
      )
        return;
      if (Date.now() > deadline || gateway.exitCode !== null)
        throw new Error(`radosgw did not start:\n${await lastWords(folder)}`);
    }
  }

  async function stop(): Promise<void> {
    isWanted = false;
    await Promise.all([...children].map((child) => end(child, 'SIGKILL')));
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }

  try {
    const monmap = path.join(folder, 'monmap');
    const addresses = `[v1:127.0.0.1:${monitorPort}]`;
    await run(programOf('monmaptool'), ['--create', '--addv', 'a', addresses, '--fsid', fsid, monmap]);
    await ask('ceph-mon', '--mkfs', '-i', 'a', '--monmap', monmap);
    await keep('ceph-mon', '-i', 'a');
    const uuid = randomUUID();
    await askNewMonitor('osd', 'new', uuid);
    await ask('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', uuid);
    await keep('ceph-osd', '-i', '0');
    await startGateway();
    const { accessKeyId, secretAccessKey } = CREDENTIALS;
    const user = ['--uid=sideline', '--display-name=Sideline'];
    const keys = [`--access-key=${accessKeyId}`, `--secret-key=${secretAccessKey}`];
    await ask('radosgw-admin', '-n', 'client.rgw', 'user', 'create', ...user, ...keys);
  } catch (error) {
    await stop();
    throw error;
  }

  return {
    async makeBucket(bucket) {
      const place = { endpoint, region: 'us-east-2', forcePathStyle: true, credentials: CREDENTIALS };
      const client = new S3Client({ ...place, credentials: { ...CREDENTIALS } });
      await client.send(new CreateBucketCommand({ Bucket: bucket }));
      client.destroy();
      return { ...place, bucket };
    },
    killGateway: () => end(gateway, 'SIGKILL'),
    startGateway,
    stop,
  };
}

/** The last lines of each part's log. */
async function lastWords(folder: string): Promise<string> {
  const logs = await readdir(path.join(folder, 'log'));
  const tails = logs.map(async (name) => {
    const text = await readFile(path.join(folder, 'log', name), 'utf8');
    return `${name}:\n${text.trim().split('\n').slice(-LAST_LINES).join('\n')}`;
  });
  return (await Promise.all(tails)).join('\n');
}

type Places = { folder: string; fsid: string; monitorPort: number; gatewayPort: number };

/** One of each, no copies, no sign-in between its parts, and everything on this machine. */
const configuration = ({ folder, fsid, monitorPort, gatewayPort }: Places): string => `
[global]
fsid = ${fsid}
mon host = v1:127.0.0.1:${monitorPort}
ms bind msgr2 = false
paxos propose interval = 0.02
paxos min wait = 0.01
auth cluster required = none
auth service required = none
auth client required = none
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon warn on pool no redundancy = false
mon max pg per osd = 1000
run dir = ${folder}/run
log file = ${folder}/log/$name.log
mon cluster log file = ${folder}/log/cluster.log
admin socket = ${folder}/run/$name.asok
pid file = ${folder}/run/$name.pid
[mon.a]
mon data = ${folder}/mon
public addr = 127.0.0.1:${monitorPort}
[osd.0]
osd data = ${folder}/osd
osd objectstore = memstore
memstore device bytes = 2147483648
osd op num shards = 1
public addr = 127.0.0.1
cluster addr = 127.0.0.1
[client.rgw]
rgw data = ${folder}/rgw
rgw frontends = beast endpoint=127.0.0.1:${gatewayPort}
rgw thread pool size = 16
rgw enable usage log = false
rgw relaxed region enforcement = true
`;
