/**
 * `npm run test:image`: builds the image from deploy/Dockerfile and starts its processes like compose and the chart:
 * not root, without rights, on a read-only root file system. Needs root on Debian with the packages buildah, podman,
 * runc and mmdebstrap; takes a few minutes. Needs no image registry: the base is made from Debian's packages.
 *
 * IMAGE_FOLDER keeps base and layers for the next run (/var/tmp/sideline-image).
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '#tests/load/product.ts';
import { startThrowawayPostgres, type ThrowawayPostgres } from '#tests/support/throwaway-postgres.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const FOLDER = process.env.IMAGE_FOLDER ?? '/var/tmp/sideline-image';
const BASE = 'localhost/sideline-base:trixie';
const IMAGE = 'localhost/sideline:test';
/** Debian's folder for local certificates; the package ca-certificates adds them when it is installed. */
const OWN_CERTIFICATES = '/usr/local/share/ca-certificates';
const STORE = [
  '--root',
  path.join(FOLDER, 'store'),
  '--runroot',
  path.join(FOLDER, 'run'),
  '--storage-driver',
  'overlay',
];
/** The container runtime: runc also works on machines with control groups v1. */
const RUNTIME = ['--runtime', '/usr/sbin/runc', '--cgroup-manager', 'cgroupfs'];
const MEGABYTE = 1_000_000;
const MAX_IMAGE_BYTES = 500 * MEGABYTE;
const MAX_WAIT_MS = 90_000;

type Ran = { code: number; text: string };

/** Runs podman; `text` is its output and the container's. */
function podman(words: readonly string[], input = ''): Ran {
  const { status, stdout, stderr } = spawnSync('podman', [...STORE, ...RUNTIME, ...words], { encoding: 'utf8', input });
  return { code: status ?? 1, text: `${stdout}${stderr}`.trim() };
}

function tool(program: string, words: readonly string[]): void {
  execFileSync(program, words, { stdio: ['ignore', 'inherit', 'inherit'], cwd: ROOT });
}

function refuseToBegin(): string | null {
  if (process.getuid?.() !== 0) return 'it has to run as root';
  const missing = ['buildah', 'podman', 'runc', 'mmdebstrap'].filter(
    (name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0,
  );
  return missing.length === 0 ? null : `Debian’s packages are missing: ${missing.join(', ')}`;
}

/** A Debian of packages alone, like the official slim images. */
function makeBase(): void {
  if (podman(['image', 'exists', BASE]).code === 0) return;
  const archive = path.join(FOLDER, 'base.tar');
  const left = ['man', 'doc', 'locale'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`);
  tool('mmdebstrap', ['--variant=minbase', ...left, 'trixie', archive]);
  tool('podman', [...STORE, 'import', archive, BASE]);
}

function build(): void {
  // A machine behind a proxy with its own certificate lends it.
  const trust = existsSync(OWN_CERTIFICATES) ? ['--volume', `${OWN_CERTIFICATES}:${OWN_CERTIFICATES}:ro`] : [];
  const commit = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).stdout.trim();
  tool('buildah', [
    ...STORE,
    ...'bud --layers --format docker --isolation chroot --network host --file deploy/Dockerfile'.split(' '),
    ...trust,
    ...[`BASE=${BASE}`, `SIDELINE_COMMIT=${commit}`].flatMap((argument) => ['--build-arg', argument]),
    '--tag',
    IMAGE,
    ROOT,
  ]);
}

type Site = { database: ThrowawayPostgres; port: number; workerPort: number };

/** The words of `podman run` that compose and chart say in their own ways. */
function runWords(site: Site, role: string, name: string): string[] {
  const settings = {
    ROLE: role,
    DATABASE_URL: site.database.superUrl.replace(/postgres$/, 'sideline'),
    ALLOW_SANDBOX: '1',
    APP_SECRET: 'only for this test, only for this test',
    HOST: '127.0.0.1',
    PORT: String(site.port),
    WORKER_PORT: String(site.workerPort),
  };
  const rights = '--cap-drop ALL --security-opt no-new-privileges --ulimit nofile=1024:1024 --ulimit nproc=1024:1024';
  const files = '--read-only --tmpfs /tmp --volume sideline-test:/data';
  return [
    ...`run --name ${name} --network host ${files} ${rights}`.split(' '),
    ...Object.entries(settings).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
  ];
}

async function untilReady(name: string): Promise<void> {
  for (const deadline = Date.now() + MAX_WAIT_MS; ; await sleep(500)) {
    const asked = podman(['exec', name, 'node', 'scripts/ask-ready.mjs']);
    if (asked.code === 0) return;
    if (Date.now() > deadline) throw new Error(`${name} is not ready: ${asked.text}\n${podman(['logs', name]).text}`);
  }
}

const expectOf = (ran: Ran, holds: (ran: Ran) => boolean): void => {
  if (!holds(ran)) throw new Error(`ended with ${ran.code}: ${ran.text}`);
};
const inside = (name: string, ...words: string[]) => podman(['exec', name, ...words]);

/** Each: a sentence, and a function that throws if it is not true. They run in this order. */
function checks(site: Site): [string, () => Promise<void> | void][] {
  const { port } = site;
  return [
    [
      `the image is smaller than ${MAX_IMAGE_BYTES / MEGABYTE} MB`,
      () => {
        const bytes = Number(podman(['image', 'inspect', '--format', '{{.Size}}', IMAGE]).text);
        console.log(
          `  ${Math.round(bytes / MEGABYTE)} MB, ${Math.round(bytes / MEGABYTE - baseMegabytes())} MB without its Debian`,
        );
        if (!(bytes < MAX_IMAGE_BYTES)) throw new Error(`${bytes} bytes`);
      },
    ],
    [
      'migrations bring an empty database to this version',
      () => expectOf(podman([...runWords(site, 'migrate', 'migrate-1'), IMAGE]), ({ code }) => code === 0),
    ],
    [
      'a second run of them has nothing to do',
      () => expectOf(podman([...runWords(site, 'migrate', 'migrate-2'), IMAGE]), ({ code }) => code === 0),
    ],
    ...['web', 'worker'].map((role): [string, () => Promise<void>] => [
      `${role} starts and says that it is ready`,
      async () => {
        expectOf(podman([...runWords(site, role, role), '--detach', IMAGE]), ({ code }) => code === 0);
        await untilReady(role);
      },
    ]),
    [
      'the health check of the image holds',
      () => expectOf(podman(['healthcheck', 'run', 'web']), ({ code }) => code === 0),
    ],
    [
      'pages come',
      async () => {
        const answer = await fetch(`http://127.0.0.1:${port}/pricing`);
        const text = await answer.text();
        if (answer.status !== 200 || !text.includes('</html>'))
          throw new Error(`${answer.status}: ${text.slice(0, 300)}`);
      },
    ],
    ['nothing runs as root', () => expectOf(inside('worker', 'id', '-u'), ({ text }) => text === '10001')],
    [
      'the program cannot be written',
      () => expectOf(inside('web', 'touch', '/app/x'), ({ text }) => text.includes('Read-only file system')),
    ],
    [
      'a platform admin is made by the script of the image',
      () =>
        expectOf(
          podman(
            [
              'exec',
              '--interactive',
              'web',
              'node',
              'scripts/admin.ts',
              'create-admin',
              'ann@operator.test',
              'Ann',
              'Operator',
            ],
            'sideline-test\n',
          ),
          ({ code }) => code === 0,
        ),
    ],
    [
      'an email that web queues is sent by the worker',
      async () => {
        await fetch(`http://127.0.0.1:${port}/password`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ user: { email: 'ann@operator.test' } }),
        });
        for (const deadline = Date.now() + MAX_WAIT_MS; ; await sleep(500)) {
          const found = inside('worker', 'sh', '-c', 'cat /data/outbox/*.eml');
          if (found.text.includes('ann@operator.test')) return;
          if (Date.now() > deadline) throw new Error(`${found.text}\n${podman(['logs', 'worker']).text}`);
        }
      },
    ],
    [
      'the picture library loads',
      () =>
        expectOf(
          inside(
            'worker',
            'node',
            '-e',
            "require('sharp')({create:{width:8,height:8,channels:3,background:'red'}}).jpeg().toBuffer().then((b)=>console.log(b.length>100))",
          ),
          ({ text }) => text === 'true',
        ),
    ],
    [
      'the data checks pass',
      () => expectOf(inside('worker', 'node', 'scripts/check-invariants.ts'), ({ code }) => code === 0),
    ],
    ...['web', 'worker'].map((role): [string, () => void] => [
      `${role} ends with 0 when it is told to stop`,
      () => {
        podman(['stop', '--time', '45', role]);
        expectOf(podman(['inspect', '--format', '{{.State.ExitCode}}', role]), ({ text }) => text === '0');
      },
    ]),
  ];
}

const baseMegabytes = (): number => Number(podman(['image', 'inspect', '--format', '{{.Size}}', BASE]).text) / MEGABYTE;

async function main(): Promise<number> {
  const reason = refuseToBegin();
  if (reason !== null) {
    console.log(`The image cannot be tested here: ${reason}.`);
    return 1;
  }
  mkdirSync(FOLDER, { recursive: true });
  makeBase();
  build();
  const names = ['web', 'worker', 'migrate-1', 'migrate-2'];
  const clear = () => {
    podman(['rm', '--force', '--time', '5', ...names]);
    podman(['volume', 'rm', '--force', 'sideline-test']);
  };
  clear();
  const site = { database: await startThrowawayPostgres(), port: await freePort(), workerPort: await freePort() };
  let passed = 0;
  const all = checks(site);
  try {
    for (const [sentence, check] of all) {
      await check();
      passed += 1;
      console.log(`✓ ${sentence}`);
    }
  } catch (error) {
    console.log(`✗ ${all[passed]?.[0]}\n${error instanceof Error ? error.message : String(error)}`);
  } finally {
    clear();
    await site.database.stop();
  }
  console.log(`\n${passed} passed, ${all.length - passed} failed`);
  return passed === all.length ? 0 : 1;
}

process.exitCode = await main();
