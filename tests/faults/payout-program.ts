/** Pays out orders, or sends payouts to a transfer provider, in a process that may be killed in the middle. */
import '#src/platform/load-tsx.ts';
import { JOB_DEFINITIONS } from '#src/jobs.ts';
import { readConfig } from '#src/platform/config/config.ts';
import { createLog } from '#src/platform/log.ts';
import { openPlatform } from '#src/platform/platform.ts';

const { openPayouts } = await import('#tests/faults/support/transfer-books.ts');

const [appUrl = '', booksFile = '', adminId = '', verb = '', ...rest] = process.argv.slice(2);
const platform = await openPlatform({
  config: readConfig(process.env),
  addresses: { ownerUrl: appUrl, appUrl, appRole: null },
  log: createLog({ level: 'silent', name: 'crash' }),
  processName: 'crash',
  jobDefinitions: JOB_DEFINITIONS,
  works: false,
});
const payouts = openPayouts(platform, booksFile, Number(adminId));
await (verb === 'pay' ? payouts.pay(rest.map(Number)) : payouts.submit(rest[0] ?? ''));
await platform.close();
