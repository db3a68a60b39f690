/** Payouts over a transfer provider whose books are a file of lines `key ref`, because real ones outlive our process. */
import { appendFileSync, readFileSync } from 'node:fs';
import { createApp } from '#src/app.ts';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import type { PayoutSender } from '#src/platform/payouts/payouts.ts';
import type { Platform } from '#src/platform/platform.ts';

/** What an administrator does with them: pays out orders, always by the same press of the button, or submits a batch. */
export function openPayouts(platform: Platform, booksFile: string, adminId: number) {
  const { payouts } = createApp({ ...platform, payoutSender: senderOf(booksFile) });
  const admin: Caller = {
    actor: {
      kind: 'user',
      userId: adminId,
      roleId: 2,
      memberships: [],
      sessionHash: Buffer.alloc(32),
      confirmedAt: new Date(),
    },
    visitorId: null,
    unlocks: new Map(),
    ip: '203.0.113.9',
  };
  return {
    pay: (orderIds: readonly number[]) => payouts.payOutOrders(admin, [...orderIds], { key: 'the one press' }),
    submit: (batch: string) => payouts.submit(batch),
  };
}

function senderOf(booksFile: string): PayoutSender {
  const lines = () => readFileSync(booksFile, 'utf8').split('\n').filter(Boolean);
  const refOf = (key: string) =>
    lines()
      .find((line) => line.startsWith(key))
      ?.split(' ')[1];
  return {
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
}
