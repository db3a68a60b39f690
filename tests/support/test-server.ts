/**
 * The whole product in a test: its own database, objects in a temporary folder, the sandbox card provider, every
 * module's routes. Calls go over HTTP by `inject`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll } from 'vitest';
import { createApp, type App } from '#src/app.ts';
import { buildProduct } from '#src/server.ts';
import type { BuiltServer } from '#src/http/build-server.ts';
import { JOB_DEFINITIONS, workOnJobs } from '#src/jobs.ts';
import type { Clock } from '#src/platform/clock.ts';
import { readConfig } from '#src/platform/config/config.ts';
import { openPictureLab, type OpenPictureLab } from '#src/platform/images/picture-lab.ts';
import { createLog } from '#src/platform/log.ts';
import { createMetrics } from '#src/platform/metrics.ts';
import { openPlatform, type Platform } from '#src/platform/platform.ts';
import { watchState } from '#src/platform/telemetry/state-metrics.ts';
import { openTelemetry } from '#src/platform/telemetry/telemetry.ts';
import { watchPictures } from '#src/platform/telemetry/watchers.ts';
import { requireBuild, ROOT } from '#tests/support/require-build.ts';
import { useTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

export type TestServer = {
  app: App;
  platform: Platform;
  built: BuiltServer;
  data: TestDatabase;
  /** One call; `as` is a bearer token from `signIn`. */
  call(request: InjectOptions & { as?: string | null }): Promise<LightMyRequestResponse>;
  signIn(email: string, password?: string): Promise<string>;
  /** The response of `GET /metrics`, with `metrics`. */
  metricsText(): Promise<string>;
};

const logTo = (lines?: string[]) =>
  lines ? { pretty: false, destination: { write: (line: string) => void lines.push(line) } } : {};

export const TEST_PASSWORD = 'correct horse battery';

export type TestServerOptions = {
  /** Also handles jobs and develops pictures, like the worker. */
  works?: boolean;
  /** Also answers pages, from `build/`. */
  pages?: boolean;
  /** Instead of a copy of the migrated database. */
  database?: (serverDir: string) => Promise<TestDatabase>;
  /** Changes the product's own time; the database's stays. */
  clock?: Clock;
  /** Further environment, as an operator would set it; a function is called when the database exists. */
  env?: Record<string, string> | (() => Record<string, string>);
  /** Also collects metrics, like the product's processes. */
  metrics?: boolean;
  /** Receives the lines of the log, which is silent otherwise. */
  logLines?: string[];
};

let lab: OpenPictureLab | null = null;

/** One for all files of a process, whose picture processes end when they are idle, or with it: each takes long to start. */
const sharedLab = (): OpenPictureLab => (lab ??= openPictureLab({ concurrency: 2, idleMs: 60_000 }));

/** Call at the top of a test file; the fields are set from the first `beforeAll` on. */
export function useTestServer(options: TestServerOptions = {}): TestServer {
  const data = useTestDatabase(options.database);
  const handle = { data } as TestServer;
  const closers: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'sideline-test-'));
    closers.push(() => rm(dataDir, { recursive: true, force: true }));
    const config = readConfig({
      DATA_DIR: dataDir,
      DEMO: 'off',
      LOG_LEVEL: options.logLines ? 'info' : 'silent',
      ...(typeof options.env === 'function' ? options.env() : options.env),
    });
    const log = createLog({ level: config.logLevel, name: 'test', ...logTo(options.logLines) });
    const works = options.works ?? false;
    const metrics = options.metrics ? createMetrics({ processName: 'test' }) : null;
    const readMetrics = metrics?.read ?? (async () => []);
    const telemetry = await openTelemetry({ settings: config.telemetry, processName: 'test', readMetrics, log });
    closers.push(() => telemetry.close());
    const addresses = { ownerUrl: data.ownerUrl, appUrl: data.appUrl, appRole: data.appRole };
    const platform = await openPlatform({
      config,
      addresses,
      log,
      processName: 'test',
      jobDefinitions: JOB_DEFINITIONS,
      works,
      metrics,
      begin: telemetry.begin,
      // A busy machine is not an outage.
      slotWaitMs: 15_000,
      ...(options.clock ? { clock: options.clock } : {}),
    });
    closers.push(() => platform.close());
    const app = createApp(platform);
    if (works) {
      await workOnJobs(platform, app, watchPictures(sharedLab(), platform.observeCall), 2);
    }
    if (metrics) watchState(metrics, platform, app.reconciliation.countOpen);
    const pages = { mode: 'built', root: ROOT } as const;
    if (options.pages) requireBuild();
    const built = await buildProduct({ app, platform, metrics, ...(options.pages ? { pages } : {}) });
    closers.push(() => built.server.close());
    Object.assign(handle, { app, platform, built, metricsText: async () => metrics?.text() ?? '' });
  });

  afterAll(async () => {
    for (const close of closers.reverse()) await close();
  });

  handle.call = ({ as, headers, ...request }) =>
    handle.built.server.inject({
      ...request,
      headers: { host: 'localhost', ...headers, ...(as ? { authorization: `Bearer ${as}` } : {}) },
    });
  handle.signIn = async (email, password = TEST_PASSWORD) => {
    const answer = await handle.call({ method: 'POST', url: '/login', payload: { user: { email, password } } });
    const token = /^Bearer (.+)$/.exec(String(answer.headers['authorization']))?.[1];
    if (token === undefined) throw new Error(`${email} could not sign in: ${answer.body}`);
    return token;
  };
  return handle;
}

/** Opens a page from our own pages, as the user of the token or as a visitor. `label`: that of the host. */
export function openPage({ call }: Pick<TestServer, 'call'>, url: string, label: string, token: string | null) {
  const headers = {
    host: `${label}.sideline.localhost:3000`,
    'sec-fetch-site': 'same-origin',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
    ...(token === null ? {} : { cookie: `token=${token}` }),
  };
  return call({ method: 'GET', url, headers });
}
