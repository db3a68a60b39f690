/**
 * Sideline on many machines, as docs/operations.md describes it: haproxy, three web and two worker processes, PostgreSQL
 * with a synchronous standby, an S3 store, a card company and a mail server.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DATABASE_NAME, OWNER_ROLE, withClient } from '#src/platform/db/client.ts';
import { freePort } from '#tests/load/product.ts';
import { openMailSink, type MailSink } from '#tests/support/mail-sink.ts';
import { startRadosgw, type Radosgw } from '#tests/support/radosgw.ts';
import { startStripeStandIn, type StandIn } from '#tests/support/stripe-stand-in/stand-in.ts';
import { startBalancer, type Balancer } from '#tests/fleet/support/balancer.ts';
import { startPrimary, startStandby, type PostgresServer } from '#tests/fleet/support/postgres-pair.ts';
import { createProgram, type Program } from '#tests/fleet/support/program.ts';

export type Fleet = {
  /** The public address: haproxy. */
  url: string;
  /** Through haproxy, as the tables' owner. */
  ownerUrl: string;
  /** Through haproxy, bound by row-level security. */
  appUrl: string;
  /** The environment of each process, for scripts that run next to them. */
  env: Record<string, string>;
  webs: Program[];
  workers: Program[];
  balancer: Balancer;
  primary: PostgresServer;
  standby: PostgresServer;
  /** After `standby` was promoted: makes a standby of it in place of the primary, which was killed. */
  replacePrimary(): Promise<void>;
  store: Radosgw;
  cards: StandIn;
  mail: MailSink;
  stop(): Promise<void>;
};

/** Shorter than the five seconds of operators, because the test waits for each process; longer than two checks. */
const DRAIN_SECONDS = 3;
const OWNER_PASSWORD = 'fleet-owner';

async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

type Closer = () => unknown;

/** Starts everything, or nothing. */
export async function startFleet(): Promise<Fleet> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sideline-fleet-'));
  const closers: Closer[] = process.env.FLEET_KEEP
    ? []
    : [() => rm(folder, { recursive: true, force: true, maxRetries: 5 })];
  const stop = async () => {
    for (const close of closers.splice(0)) await close();
  };
  try {
    return await build(folder, closers, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function build(folder: string, closers: Closer[], stop: () => Promise<void>): Promise<Fleet> {
  const opened = <T>(part: T, close: (part: T) => unknown): T => {
    closers.unshift(() => close(part));
    return part;
  };
  const [site = 0, database = 0, ...rest] = await freePorts(9);
  const [webPorts, workerPorts, postgresPorts] = [rest.slice(0, 3), rest.slice(3, 5), rest.slice(5)];
  const folders = ['primary', 'standby'].map((name) => path.join(folder, name)) as [string, string];

  const [store, cards, mail, { primary, standby }] = await Promise.all([
    startRadosgw().then((started) => opened(started, (part) => part.stop())),
    startStripeStandIn().then((started) => opened(started, (part) => part.close())),
    openMailSink().then((started) => opened(started, (part) => part.close())),
    startPair(folders, postgresPorts).then((started) =>
      opened(started, (part) => Promise.all([part.primary.stop(), part.standby.stop()])),
    ),
  ]);
  const bucket = await store.makeBucket('photos');
  const balancer = opened(
    await startBalancer(folder, { site, webs: webPorts, database, postgres: postgresPorts }),
    (part) => part.stop(),
  );
  const ownerUrl = `postgres://${OWNER_ROLE}:${OWNER_PASSWORD}@127.0.0.1:${database}/${DATABASE_NAME}`;
  const env = {
    DATA_DIR: path.join(folder, 'data'),
    DATABASE_URL: ownerUrl,
    S3_BUCKET: bucket.bucket,
    S3_ENDPOINT: bucket.endpoint,
    S3_REGION: bucket.region,
    S3_FORCE_PATH_STYLE: 'true',
    AWS_ACCESS_KEY_ID: bucket.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: bucket.credentials.secretAccessKey,
    APP_SECRET: 'a secret of the fleet, the same in each process',
    STRIPE_SECRET_KEY: cards.secretKey,
    STRIPE_PUBLISHABLE_KEY: 'pk_test_fleet',
    STRIPE_API_BASE: cards.url,
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    TRUST_PROXY: '127.0.0.1',
    METRICS_TOKEN: 'a token of the fleet',
    DRAIN_SECONDS: String(DRAIN_SECONDS),
    RATE_LIMIT_FACTOR: '1000000',
    LOG_LEVEL: 'warn',
  };
  await balancer.untilServer('database/postgres_1', 'UP');
  const program = (role: 'web' | 'worker', portName: string) => (port: number, index: number) =>
    createProgram({
      name: `${role}_${index + 1}`,
      folder,
      env: { ...env, ROLE: role, [portName]: String(port) },
      isReady: async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok,
    });
  const [webs, workers] = [webPorts.map(program('web', 'PORT')), workerPorts.map(program('worker', 'WORKER_PORT'))];
  const programs = opened([...webs, ...workers], (all) => Promise.all(all.map((each) => each.kill())));
  await Promise.all(programs.map((each) => each.start()));
  for (const { name } of webs) await balancer.untilServer(`web/${name}`, 'UP');
  const fleet: Fleet = {
    url: `http://localhost:${site}`,
    ownerUrl,
    appUrl: `${ownerUrl}?options=${encodeURIComponent('-c role=sideline_app')}`,
    env,
    webs,
    workers,
    balancer,
    primary,
    standby,
    store,
    cards,
    mail,
    stop,
    async replacePrimary() {
      const place = path.join(folder, 'new-standby');
      const started = await startStandby(standby, folders[1], place, postgresPorts[0] ?? 0);
      fleet.primary = opened(started, (part) => part.stop());
    },
  };
  return fleet;
}

async function startPair(folders: [string, string], ports: readonly number[]) {
  const primary = await startPrimary(folders[0], ports[0] ?? 0);
  // An administrator does this once; the product creates its other role and its tables.
  await withClient(primary.superUrl, async (client) => {
    await client.query(`create role ${OWNER_ROLE} login createrole password '${OWNER_PASSWORD}'`);
    await client.query(`create database ${DATABASE_NAME} owner ${OWNER_ROLE}`);
  });
  return { primary, standby: await startStandby(primary, ...folders, ports[1] ?? 0) };
}

/** Waits until a condition is true. */
export async function untilTrue(what: string, isTrue: () => Promise<boolean>, withinMs: number): Promise<void> {
  for (const deadline = Date.now() + withinMs; Date.now() < deadline; await sleep(200))
    if (await isTrue().catch(() => false)) return;
  throw new Error(`${what} did not happen within ${withinMs / 1000} s`);
}
