/**
 * Pays out orders, or sends payouts to a transfer provider, in a process that may be killed in the middle. The
 * provider's books are a file of lines `key ref`, because real ones outlive our process.
 */
import '#src/platform/load-tsx.ts';
import { appendFileSync, readFileSync } from 'node:fs';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import { JOB_DEFINITIONS } from '#src/jobs.ts';
import { readConfig } from '#src/platform/config/config.ts';
import { createLog } from '#src/platform/log.ts';
import { openPlatform } from '#src/platform/platform.ts';
import type { PayoutSender } from '#src/platform/payouts/payouts.ts';

const { createApp } = await import('#src/app.ts');

const [appUrl = '', booksFile = '', adminId = '', ...work] = process.argv.slice(2);

const lines = () => readFileSync(booksFile, 'utf8').split('\n').filter(Boolean);
const refOf = (key: string) =>
  lines()
    .find((line) => line.startsWith(key))
    ?.split(' ')[1];
const payoutSender: PayoutSender = {
  mode: 'provider',
  async send({ key }) {
    if (refOf(key) === undefined) appendFileSync(booksFile, `${key} tr_${lines().length + 1}\n`);
    return { state: 'paid', ref: refOf(key) ?? '' };
  },
  async find(key) {
    const ref = refOf(key);
    return ref === undefined ? { state: 'absent' } : { state: 'paid', ref };
  },
};

const platform = await openPlatform({
  config: readConfig(process.env),
  addresses: { ownerUrl: appUrl, appUrl, appRole: null },
  log: createLog({ level: 'silent', name: 'crash' }),
  processName: 'crash',
  jobDefinitions: JOB_DEFINITIONS,
  works: false,
});
const { payouts } = createApp({ ...platform, payoutSender });
const admin: Caller = {
  actor: {
    kind: 'user',
    userId: Number(adminId),
    roleId: 2,
    memberships: [],
    sessionHash: Buffer.alloc(32),
    confirmedAt: new Date(),
  },
  visitorId: null,
  unlocks: new Map(),
  ip: '203.0.113.9',
};
const [verb, ...rest] = work;
if (verb === 'pay') await payouts.payOutOrders(admin, rest.map(Number), { key: 'the one press' });
else await payouts.submit(rest[0] ?? '');
await platform.close();
