/**
 * A machine whose clock is a day ahead of the database's, or behind it. Everything that must be right everywhere uses
 * the database's clock: sessions, links, limits, idempotency, due jobs and emails.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createEmailSender } from '#src/platform/mail/email-sender.ts';
import { installJobSchema } from '#src/platform/jobs/job-schema.ts';
import { payloadJob } from '#src/platform/jobs/jobs.ts';
import { openJobs } from '#src/platform/jobs/pg-boss-jobs.ts';
import { listProcesses } from '#src/platform/processes/processes.sql.ts';
import { startHeartbeat } from '#src/platform/processes/sign-of-life.ts';
import { openSale } from '#tests/support/bought-photos.ts';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { chargesOf, payWith } from '#tests/support/payer.ts';
import { TEST_PASSWORD, useTestServer } from '#tests/support/test-server.ts';
import { z } from 'zod';

const server = useTestServer();
const RealDate = Date;
const DAY = 86_400_000;
const BOTH: readonly [string, number][] = [
  ['a day ahead', DAY + 3_600_000],
  ['a day behind', -DAY - 3_600_000],
];
let people: Neighborhood;

beforeAll(async () => {
  await installJobSchema(server.data.ownerUrl);
  people = await settleNeighborhood(server);
});
afterEach(() => {
  globalThis.Date = RealDate;
});

/** From here on the clock of this process, but not of the database, is shifted by this much. */
function shiftClock(ms: number): void {
  globalThis.Date = class extends RealDate {
    constructor(...given: unknown[]) {
      super(...((given.length === 0 ? [RealDate.now() + ms] : given) as [number]));
    }
    static override now = () => RealDate.now() + ms;
  } as DateConstructor;
}

const system = { kind: 'system', why: 'test' } as const;

describe.each(BOTH)('on a machine whose clock is %s', (_how, ms) => {
  test('people log in and stay logged in; a session ends when the database says so', async () => {
    shiftClock(ms);
    const token = await server.signIn(people.emails.owner);
    const current = () => server.call({ method: 'GET', url: '/users/current', as: token });
    expect((await current()).statusCode).toBe(200);
    await server.data.ownerQuery(
      `update sessions set expires_at = now() - interval '1 second' where user_id = (select id from users where email = $1)`,
      [people.emails.owner],
    );
    expect((await current()).statusCode).toBe(401);
  });

  test('a password that was just typed is recent, and one of eleven minutes ago is not', async () => {
    shiftClock(ms);
    const token = await server.signIn(people.emails.neighbor, TEST_PASSWORD);
    const isRecent = async () => {
      const actor = await server.app.accounts.actorOf(token);
      if (actor.kind !== 'user') throw new Error('no session');
      server.app.accounts.requireRecentPassword(actor);
    };
    await isRecent();
    await server.data.ownerQuery(`update sessions set confirmed_at = now() - interval '11 minutes'`);
    await expect(isRecent()).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  test('a limit counts what other machines counted', async () => {
    const take = () => server.platform.limits.take({ bucket: `skew ${ms}`, limit: 2, windowSeconds: 3_600 });
    await take();
    shiftClock(ms);
    await take();
    await expect(take()).rejects.toMatchObject({ code: 'too_many' });
    shiftClock(-ms);
    await expect(take()).rejects.toMatchObject({ code: 'too_many' });
  });

  test('an order that was sent to a machine with the right time is not placed again', async () => {
    const sale = await openSale(server, people.tokens.parentMember, people.hawks.id);
    const payload = {
      order: {
        user: {
          first_name: 'Ann',
          last_name: 'Buyer',
          email: 'ann@buyers.test',
          confirm_email: 'ann@buyers.test',
          zip: '55401',
        },
        donation: '',
        taxes: 0,
        subtotal: 4,
        org_id: sale.organizationId,
        donation_gallery_id: null,
        checkout_key: `skewed-checkout-${ms}`,
      },
      stripe_token: await payWith(server),
      items: [{ id: sale.photoIds[0], gallery_id: sale.galleryId, sales_price: 4 }],
    };
    const before = (await chargesOf(server)).length;
    const first = await server.call({ method: 'POST', url: '/api/v1/orders', payload });
    shiftClock(ms);
    const second = await server.call({ method: 'POST', url: '/api/v1/orders', payload });
    expect([first.statusCode, second.statusCode]).toEqual([201, expect.toBeOneOf([200, 201])]);
    expect(second.json<{ vanity_id: string }>().vanity_id).toBe(first.json<{ vanity_id: string }>().vanity_id);
    expect((await chargesOf(server)).length).toBe(before + 1);
  });

  test('an email is sent when it is due, and not before', async () => {
    const delivered: string[] = [];
    const email = (dedupeKey: string) => ({ to: 'a@b.org', subject: 'Hi', html: '', text: '', dedupeKey });
    await server.platform.database.write(system, async (tx) => {
      await server.platform.outbox.queueEmail(tx, email(`now ${ms}`));
      await server.platform.outbox.queueEmail(tx, email(`later ${ms}`), { afterSeconds: 3_600 });
    });
    shiftClock(ms);
    const sender = createEmailSender({
      database: server.platform.database,
      mailTransport: {
        deliver: async ({ dedupeKey }) => void delivered.push(dedupeKey),
        close: async () => undefined,
      },
      log: { warn: () => undefined, error: () => undefined },
    });
    await sender.sendDue();
    expect(delivered.filter((key) => key.endsWith(String(ms)))).toEqual([`now ${ms}`]);
  });

  test('a job starts when it is due, and not before, and is not taken from a worker with the right time', async () => {
    const job = payloadJob(`skew.${ms > 0 ? 'ahead' : 'behind'}`, z.strictObject({ id: z.number() }), {
      retryLimit: 2,
      retryDelaySeconds: 0,
      expireInSeconds: 60,
    });
    const open = () =>
      openJobs({
        url: server.data.appUrl,
        applicationName: 'skewed',
        definitions: [job],
        works: true,
        log: { warn: () => undefined, error: () => undefined },
      });
    const right = await open();
    const [held, started] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const seen: string[] = [];
    await right.work(job, { concurrency: 1 }, async ({ id }) => {
      seen.push(`right ${id}`);
      started.resolve();
      await held.promise;
    });
    await server.platform.database.write(system, (tx) => right.enqueue(tx, job, { id: 1 }));
    await started.promise;
    shiftClock(ms);
    const skewed = await open();
    await skewed.work(job, { concurrency: 1 }, async ({ id }) => void seen.push(`skewed ${id}`));
    const askedAt = performance.now();
    await server.platform.database.write(system, async (tx) => {
      await skewed.enqueue(tx, job, { id: 2 }, { startAfterSeconds: 2 });
      await skewed.enqueue(tx, job, { id: 3 }, { startAfterSeconds: 3_600 });
    });
    await vi.waitFor(() => expect(seen).toContain('skewed 2'), { timeout: 10_000 });
    expect(performance.now() - askedAt).toBeGreaterThan(1_500);
    // Meanwhile the worker that is ahead looks for lost workers, whose heartbeats look old to it.
    if (ms > 0) await sleep(6_000);
    expect(seen).toEqual(['right 1', 'skewed 2']);
    held.resolve();
    await Promise.all([right.close(), skewed.close()]);
  });

  test('is named on the page Health', async () => {
    shiftClock(ms);
    const life = startHeartbeat({ database: server.platform.database, role: 'web', name: `web ${ms}` });
    await vi.waitFor(
      async () => {
        const all = await server.platform.database.read({ kind: 'public' }, listProcesses);
        const one = all.find(({ name }) => name === `web ${ms}`);
        expect(Math.abs((one?.clockAheadMs ?? 0) - ms)).toBeLessThan(30_000);
      },
      { timeout: 10_000 },
    );
    await life.end();
  });
});
