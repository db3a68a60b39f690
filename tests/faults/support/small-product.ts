/**
 * The smallest product that the supervisor can run: a web process that writes and counts rows, and a worker that does
 * nothing. Started as a real process by the fault tests, so that signals and kills are real.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '#src/platform/config/config.ts';
import { openDatabase } from '#src/platform/db/db.ts';
import { createLog } from '#src/platform/log.ts';
import { openChildLine } from '#src/platform/processes/child.ts';
import { crashAt } from '#src/platform/processes/crash-points.ts';
import { describeFailedStart, SILENT_AFTER_MS } from '#src/platform/processes/messages.ts';
import { runSupervisor } from '#src/platform/processes/supervisor.ts';
import { isProblem, statusOf } from '#src/shared/problem.ts';

/**
 * With SILENT_AFTER_MS the supervisor waits that long for a process that hangs, and processes send ten heartbeats in
 * that time.
 */
const silentAfterMs = Number(process.env['SILENT_AFTER_MS'] ?? SILENT_AFTER_MS);

async function main(): Promise<number | null> {
  const config = readConfig(process.env);
  if (config.role === 'all') {
    const log = createLog({ level: config.logLevel, name: 'supervisor' });
    return runSupervisor({
      config,
      log,
      program: import.meta.filename,
      prepare: async () => undefined,
      silentAfterMs,
    });
  }
  const line = await openChildLine(config, silentAfterMs / 10);
  const { addresses, name } = line.start;
  const database = await openDatabase({ url: addresses.appUrl, role: addresses.appRole, applicationName: name });
  line.metrics.setSource(async () => `of ${name}`);
  if (config.role === 'worker') {
    line.onStop(() => database.close());
    line.ready();
    return null;
  }
  const routes: Record<string, () => Promise<unknown>> = {
    '/pid': async () => process.pid,
    '/metrics of others': line.metrics.ofOthers,
    '/slow': async () => {
      process.stdout.write('a slow answer has begun\n');
      return sleep(1000, 'done');
    },
    '/hang': async () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
    '/crash': async () => crashAt('checkout.after_charge'),
    '/write': () =>
      database.write({ kind: 'system', why: 'test' }, (tx) =>
        tx
          .insertInto('audit_log')
          .values({ action: 'test', object_type: 'test', object_id: '1' })
          .returning('id')
          .executeTakeFirstOrThrow(),
      ),
    '/count': () =>
      database.read({ kind: 'system', why: 'test' }, (db) =>
        db.selectFrom('audit_log').select(db.fn.countAll<number>().as('rows')).executeTakeFirstOrThrow(),
      ),
  };
  const server = createServer((request, response) => {
    const answer = routes[decodeURI(request.url ?? '')] ?? (async () => 'hello');
    answer().then(
      (body) => response.end(JSON.stringify(body ?? null)),
      (error: unknown) => {
        response.statusCode = isProblem(error) ? statusOf(error.code) : 500;
        response.end(JSON.stringify(String(error)));
      },
    );
  });
  line.onStop(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    await closed;
    await database.close();
  });
  await new Promise<void>((resolve) => server.listen(config.port, config.host, resolve));
  line.ready((server.address() as AddressInfo).port);
  return null;
}

try {
  const code = await main();
  if (code !== null) process.exit(code);
} catch (error) {
  process.stderr.write(`${describeFailedStart(error)}\n`);
  process.exit(1);
}
