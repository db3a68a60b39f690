import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Writer } from '#src/platform/db/db.ts';
import type { JobObservation } from '#src/platform/jobs/pg-boss-jobs.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';
import { createEmailSender, pauseAfter } from './email-sender.ts';
import type { Email } from './mail.ts';
import * as outboxSql from './outbox.sql.ts';
import { outbox } from './outbox.ts';

const db = useTestDatabase();
let delivered: Email[];
let logged: { level: string; attempt?: number; retriedHourly?: boolean; message: string }[];
let observed: JobObservation['outcome'][];
let deliver: (email: Email) => Promise<void>;
let sender: ReturnType<typeof createEmailSender>;

const openSender = (options: Partial<Parameters<typeof createEmailSender>[0]> = {}) =>
  createEmailSender({
    database: db.database,
    mailTransport: { deliver: (email) => deliver(email), close: async () => undefined },
    log: {
      warn: (details, message) => void logged.push({ level: 'warn', ...details, message }),
      error: (details, message) => void logged.push({ level: 'error', ...details, message }),
    },
    observe: ({ outcome }) => void observed.push(outcome),
    ...options,
  });
const takeIt = async (email: Email) => void delivered.push(email);
const refuse = () => Promise.reject(new Error('421 down'));

beforeEach(async () => {
  [delivered, logged, observed, deliver] = [[], [], [], takeIt];
  await db.ownerQuery('delete from mail_outbox');
  sender = openSender();
});

const inTransaction = (work: (tx: Writer) => Promise<void>) => db.database.write({ kind: 'system', why: 'test' }, work);
const emailOf = (key: string): Email => ({
  to: 'ana@example.org',
  subject: 'Your photos',
  html: '<p>secret link</p>',
  text: 'secret link',
  dedupeKey: key,
});
const queue = (key: string, options?: { afterSeconds: number }) =>
  inTransaction((tx) => outbox.queueEmail(tx, emailOf(key), options));
const rows = () =>
  db.ownerQuery<{ attempts: number; last_error: string | null; html: string; is_sent: boolean; wait: number }>(
    `select attempts, last_error, html, sent_at is not null as is_sent,
            case when due_at < 'infinity' then round(extract(epoch from due_at - now()))::integer else -1 end as wait
       from mail_outbox order by id`,
  );
const makeDue = () => db.ownerQuery("update mail_outbox set due_at = now() where due_at < 'infinity'");
const keysOf = () => delivered.map(({ dedupeKey }) => dedupeKey);
const isDue = async () => (await db.ownerQuery(outboxSql.DUE_EMAIL)).length > 0;

describe('an email in the outbox', () => {
  test('is sent once and then keeps its key but not its text', async () => {
    await queue('receipt:1');
    expect(await sender.sendDue()).toBe(1);
    expect(await sender.sendDue()).toBe(0);
    expect(delivered).toEqual([emailOf('receipt:1')]);
    expect(await rows()).toMatchObject([{ attempts: 1, last_error: null, html: '', is_sent: true }]);
    expect(observed).toEqual(['done']);
  });

  test('is sent once per key, also when it is queued again after it was sent', async () => {
    await queue('receipt:1');
    await queue('receipt:1');
    await sender.sendDue();
    await queue('receipt:1');
    await sender.sendDue();
    expect(delivered).toHaveLength(1);
    expect(await rows()).toHaveLength(1);
  });

  test('is rolled back with its transaction', async () => {
    await expect(
      inTransaction(async (tx) => {
        await outbox.queueEmail(tx, emailOf('receipt:1'));
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await rows()).toEqual([]);
  });

  test('is found by a worker within about a second', async () => {
    sender.start();
    await queue('receipt:1');
    await expect.poll(keysOf).toEqual(['receipt:1']);
    await sender.close();
    expect(await rows()).toMatchObject([{ is_sent: true }]);
  });

  test('is sent when the sender is told, which looks itself once a minute then', async () => {
    let wake: () => void = () => undefined;
    let asked = '';
    await queue('receipt:0');
    sender.start((rows, woken) => ([asked, wake] = [rows, woken]));
    // It has looked once.
    await expect.poll(async () => (await rows())[0]?.is_sent).toBe(true);
    delivered = [];
    expect([asked, await isDue()]).toEqual([outboxSql.DUE_EMAIL, false]);
    await queue('receipt:1');
    expect(await isDue()).toBe(true);
    await sleep(1_500);
    expect(delivered).toEqual([]);
    wake();
    wake();
    await expect.poll(keysOf).toEqual(['receipt:1']);
    await sender.close();
    expect(await isDue()).toBe(false);
    wake();
    await sleep(100);
    expect(keysOf()).toEqual(['receipt:1']);
  });

  test('waits as long as it was queued for, so that others go first', async () => {
    await queue('invitation:1', { afterSeconds: 100 });
    await queue('receipt:1');
    expect(await sender.sendDue()).toBe(1);
    expect(keysOf()).toEqual(['receipt:1']);
  });

  test('waits while the mail server is down, gives the reason, and is sent when it is back', async () => {
    await queue('receipt:1');
    deliver = refuse;
    await sender.sendDue();
    expect(await sender.sendDue()).toBe(0);
    await makeDue();
    await sender.sendDue();
    expect(await rows()).toEqual([
      { attempts: 2, last_error: '421 down', html: '<p>secret link</p>', is_sent: false, wait: 10 },
    ]);
    const warning = { level: 'warn', job: 'mail.send', retriedHourly: false, message: 'a job failed' };
    expect(logged).toMatchObject([
      { ...warning, attempt: 1 },
      { ...warning, attempt: 2 },
    ]);
    deliver = takeIt;
    await makeDue();
    await sender.sendDue();
    expect(delivered).toHaveLength(1);
    expect(await rows()).toMatchObject([{ attempts: 3, last_error: null, is_sent: true }]);
    expect(observed).toEqual(['failed', 'failed', 'done']);
  });

  test('is retried for an hour, then hourly, which is logged as an error, and after four days never again', async () => {
    const pauses = Array.from({ length: 10 }, (_, index) => pauseAfter(index + 1));
    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 900, 900]);
    await queue('receipt:1');
    deliver = refuse;
    await db.ownerQuery('update mail_outbox set attempts = 10');
    await sender.sendDue();
    expect(await rows()).toMatchObject([{ attempts: 11, wait: 3600 }]);
    expect(logged).toMatchObject([
      { level: 'warn', retriedHourly: true },
      {
        level: 'error',
        job: 'mail.send',
        cause: '421 down',
        message: 'an email has failed for an hour: it is retried hourly for four days',
      },
    ]);
    expect(observed).toEqual(['failed', 'dead']);
    await db.ownerQuery("update mail_outbox set created_at = now() - interval '4 days 1 minute', due_at = now()");
    await sender.sendDue();
    expect(await rows()).toMatchObject([{ attempts: 12, is_sent: false, wait: -1 }]);
    expect(await sender.sendDue()).toBe(0);
  });

  test('whose sending never ends fails at its time limit, and others are sent', async () => {
    for (const key of ['hangs', '1', '2']) await queue(key);
    deliver = async (email) => {
      if (email.dedupeKey === 'hangs') await new Promise(() => undefined);
      delivered.push(email);
    };
    sender = openSender({ attemptMs: 200 });
    await sender.sendDue();
    expect(keysOf()).toEqual(['1', '2']);
    expect(logged).toMatchObject([{ level: 'warn', attempt: 1, message: 'a job failed' }]);
    expect(await rows()).toMatchObject([{ attempts: 1, last_error: 'not sent within 0.2 s', wait: 5 }, {}, {}]);
  });

  test('whose reason cannot be stored waits like other failed ones, and delays none of them', async () => {
    for (const key of ['nul', 'unsayable', 'down', 'good']) await queue(key);
    const reasons: Record<string, string> = { nul: '550 no \u0000 user', unsayable: 'unsayable', down: '421 down' };
    deliver = async (email) => {
      const reason = reasons[email.dedupeKey];
      if (reason !== undefined) throw new Error(reason);
      delivered.push(email);
    };
    await db.ownerQuery("alter table mail_outbox add constraint sayable check (last_error <> 'unsayable')");
    try {
      await sender.sendDue();
    } finally {
      await db.ownerQuery('alter table mail_outbox drop constraint sayable');
    }
    expect(keysOf()).toEqual(['good']);
    const failed = { attempts: 1, wait: 5 };
    expect(await rows()).toMatchObject([
      { ...failed, last_error: '550 no  user' },
      { ...failed, last_error: 'see the log' },
      { ...failed, last_error: '421 down' },
      { attempts: 1, is_sent: true },
    ]);
    expect(logged.filter(({ level }) => level === 'error')).toMatchObject([
      { job: 'mail.send', message: 'why an email failed cannot be stored' },
    ]);
  });

  test('that crashes its worker each time is retried less and less often, and no longer with those claimed with it', async () => {
    const keys = Array.from({ length: 20 }, (_, number) => `deadly:${number}`);
    for (const key of keys) await queue(key);
    for (const [attempts, least, most] of [
      [0, 15, 15],
      [1, 30, 60],
      [3, 120, 240],
      [30, 1800, 3600],
    ] as const) {
      await db.ownerQuery('update mail_outbox set attempts = $1, due_at = now()', [attempts]);
      await db.database.read({ kind: 'public' }, (tx) => outboxSql.takeDueEmails(tx, { limit: 20, seconds: 15 }));
      const taken = await rows();
      const waits = taken.map(({ wait }) => wait);
      expect(taken.every((row) => row.attempts === attempts + 1)).toBe(true);
      expect(Math.min(...waits)).toBeGreaterThanOrEqual(least - 2);
      expect(Math.max(...waits)).toBeLessThanOrEqual(most);
      expect(new Set(waits).size > 5).toBe(attempts > 0);
    }
  });

  test('goes before those that are due for less long', async () => {
    for (const key of ['1', '2', '3']) await queue(key);
    await db.ownerQuery('update mail_outbox set due_at = now() - make_interval(secs => dedupe_key::integer)');
    await sender.sendDue();
    expect(keysOf()).toEqual(['3', '2', '1']);
  });

  test('that is erased keeps neither its recipient nor an answer that quotes it', async () => {
    await queue('receipt:1');
    deliver = () => Promise.reject(new Error('550 <ana@example.org> is unknown'));
    await sender.sendDue();
    await inTransaction((tx) => outbox.forgetEmails(tx, ['receipt:1']));
    const found = await db.ownerQuery("select from mail_outbox m where m::text like '%ana@example.org%'");
    expect(found).toHaveLength(0);
  });

  test('with a header inside its address is refused and not stored', async () => {
    const evil = { ...emailOf('receipt:1'), to: 'ana@example.org\r\nBcc: victim@example.org' };
    await expect(inTransaction((tx) => outbox.queueEmail(tx, evil))).rejects.toMatchObject({
      code: 'invalid',
      details: { errors: { email: expect.anything() } },
    });
    expect(await rows()).toEqual([]);
  });
});

describe('several workers', () => {
  test('send each email once', async () => {
    const keys = Array.from({ length: 60 }, (_, number) => `receipt:${number}`);
    for (const key of keys) await queue(key);
    deliver = async (email) => {
      await sleep(2);
      delivered.push(email);
    };
    const counts = await Promise.all([sender, openSender(), openSender()].map((each) => each.sendDue()));
    expect(counts).toEqual([20, 20, 20]);
    expect(keysOf().toSorted()).toEqual(keys.toSorted());
  });

  test('take over the emails of one that died, after 15 seconds', async () => {
    await queue('receipt:1');
    const [begun, dead] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    deliver = () => (begun.resolve(), dead.promise);
    const sending = sender.sendDue();
    await begun.promise;
    const other = openSender();
    expect(await other.sendDue()).toBe(0);
    expect((await rows())[0]?.wait).toBeLessThanOrEqual(15);
    deliver = takeIt;
    await makeDue();
    expect(await other.sendDue()).toBe(1);
    expect(keysOf()).toEqual(['receipt:1']);
    dead.resolve();
    await sending;
  });

  test('extend the claim on an email whose sending takes long, and do not send what is erased meanwhile', async () => {
    for (const key of ['slow:1', 'slow:2', 'forgotten']) await queue(key);
    const server = Promise.withResolvers<void>();
    deliver = async (email) => {
      await server.promise;
      delivered.push(email);
    };
    const sending = sender.sendDue();
    await expect.poll(isDue).toBe(false);
    await inTransaction((tx) => outbox.forgetEmails(tx, ['forgotten']));
    await db.ownerQuery('update mail_outbox set due_at = now() where sent_at is null');
    await expect.poll(isDue).toBe(false);
    expect(await openSender().sendDue()).toBe(0);
    server.resolve();
    await sending;
    expect(keysOf()).toEqual(['slow:1', 'slow:2']);
  });

  test('return what they have not begun when they stop', async () => {
    for (const key of ['1', '2', '3']) await queue(key);
    const server = Promise.withResolvers<void>();
    let begun = 0;
    deliver = async (email) => {
      begun += 1;
      await server.promise;
      delivered.push(email);
    };
    sender.start();
    await expect.poll(() => begun).toBe(2);
    const closing = sender.close();
    server.resolve();
    await closing;
    expect(keysOf()).toEqual(['1', '2']);
    expect(await openSender().sendDue()).toBe(1);
    expect(keysOf()).toEqual(['1', '2', '3']);
  });
});

test('a worker that could not extend its claims neither sends nor returns the emails of another', async () => {
  for (const key of ['1', '2', '3', '4']) await queue(key);
  let isAway = false;
  const server = Promise.withResolvers<void>();
  const cutOff = openSender({
    takenSeconds: 2,
    database: {
      read: async (scope, work) => {
        if (isAway) throw new Error('away');
        return db.database.read(scope, work);
      },
    },
    mailTransport: {
      deliver: async (email) => {
        delivered.push({ ...email, dedupeKey: `first ${email.dedupeKey}` });
        await server.promise;
      },
      close: async () => undefined,
    },
  });
  const sending = cutOff.sendDue();
  await expect.poll(keysOf).toHaveLength(2);
  isAway = true;
  // Its claims end.
  await expect.poll(isDue).toBe(true);
  const other = Promise.withResolvers<void>();
  deliver = async (email) => {
    delivered.push(email);
    await other.promise;
  };
  const taking = sender.sendDue();
  await expect.poll(keysOf).toHaveLength(4);
  isAway = false;
  server.resolve();
  await sending;
  expect(await openSender().sendDue()).toBe(0);
  other.resolve();
  await taking;
  expect(keysOf()).toEqual(['first 1', 'first 2', '1', '2', '3', '4']);
});

test('an email that was sent while the database was unreachable is marked before more is claimed, not sent again', async () => {
  await queue('receipt:1');
  let isAway = false;
  sender = createEmailSender({
    database: {
      read: async (scope, work) => {
        if (isAway) throw new Error('away');
        return db.database.read(scope, work);
      },
    },
    mailTransport: {
      deliver: async (email) => void [(isAway = true), delivered.push(email)],
      close: async () => undefined,
    },
    log: { warn: () => undefined, error: () => undefined },
  });
  await expect(sender.sendDue()).rejects.toThrow('away');
  isAway = false;
  await makeDue();
  expect(await sender.sendDue()).toBe(0);
  expect(delivered).toHaveLength(1);
  expect(await rows()).toMatchObject([{ attempts: 1, is_sent: true }]);
});
