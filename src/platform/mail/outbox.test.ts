import { beforeEach, describe, expect, test } from 'vitest';
import type { Writer } from '#src/platform/db/db.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';
import type { Email } from './mail.ts';
import { createOutbox, sendEmailJob, type Outbox } from './outbox.ts';

const db = useTestDatabase();
let enqueued: { name: string; payload: unknown; key: string | undefined }[];
let delivered: Email[];
let isDown: boolean;
let outbox: Outbox;

const jobs: Jobs = {
  enqueue: async (_tx, job, payload, options) =>
    void enqueued.push({ name: job.name, payload: job.parse(payload), key: options?.singletonKey }),
  enqueueMany: async () => undefined,
  work: async () => undefined,
  close: async () => undefined,
};
const mailTransport = {
  async deliver(email: Email) {
    if (isDown) throw new Error('421 down');
    delivered.push(email);
  },
  close: async () => undefined,
};

beforeEach(async () => {
  [enqueued, delivered, isDown] = [[], [], false];
  await db.ownerQuery('delete from mail_outbox');
  outbox = createOutbox({ database: db.database, jobs, mailTransport });
});

const inTransaction = (work: (tx: Writer) => Promise<void>) => db.database.write({ kind: 'system', why: 'test' }, work);
const emailOf = (key: string): Email => ({
  to: 'ana@example.org',
  subject: 'Your photos',
  html: '<p>secret link</p>',
  text: 'secret link',
  dedupeKey: key,
});
const rows = () =>
  db.ownerQuery<{ id: number; attempts: number; last_error: string | null; html: string; is_sent: boolean }>(
    'select id, attempts, last_error, html, sent_at is not null as is_sent from mail_outbox order by id',
  );

async function queued(key: string): Promise<number> {
  await inTransaction((tx) => outbox.queueEmail(tx, emailOf(key)));
  return sendEmailJob.parse(enqueued.at(-1)?.payload).letterId;
}

describe('an email in the outbox', () => {
  test('is sent once and then keeps its key but not its text', async () => {
    const id = await queued('receipt:1');
    await outbox.sendEmail(id);
    await outbox.sendEmail(id);
    expect(delivered).toEqual([emailOf('receipt:1')]);
    expect(await rows()).toEqual([{ id, attempts: 1, last_error: null, html: '', is_sent: true }]);
  });

  test('is queued once per key, also after it was sent', async () => {
    const id = await queued('receipt:1');
    await inTransaction((tx) => outbox.queueEmail(tx, emailOf('receipt:1')));
    await outbox.sendEmail(id);
    await inTransaction((tx) => outbox.queueEmail(tx, emailOf('receipt:1')));
    expect(enqueued).toEqual([{ name: 'mail.send', payload: { letterId: id }, key: String(id) }]);
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

  test('waits while the mail server is down, and says why', async () => {
    const id = await queued('receipt:1');
    isDown = true;
    await expect(outbox.sendEmail(id)).rejects.toThrow('421 down');
    await expect(outbox.sendEmail(id)).rejects.toThrow('421 down');
    expect(await rows()).toMatchObject([
      { attempts: 2, last_error: '421 down', html: '<p>secret link</p>', is_sent: false },
    ]);
    isDown = false;
    await outbox.sendEmail(id);
    expect(delivered).toHaveLength(1);
    expect(await rows()).toMatchObject([{ attempts: 3, last_error: null, is_sent: true }]);
  });

  test('with a header inside its address is refused and not stored', async () => {
    const evil = { ...emailOf('receipt:1'), to: 'ana@example.org\r\nBcc: victim@example.org' };
    await expect(inTransaction((tx) => outbox.queueEmail(tx, evil))).rejects.toMatchObject({
      code: 'invalid',
      details: { errors: { email: expect.anything() } },
    });
    expect(await rows()).toEqual([]);
  });

  test('is queued again when it was given up, unless it is sent, young or days old', async () => {
    const ids = [];
    for (const key of ['sent', 'young', 'overdue', 'ancient']) ids.push(await queued(key));
    const [sent = 0, , overdue = 0] = ids;
    await outbox.sendEmail(sent);
    await db.ownerQuery(
      "update mail_outbox set created_at = now() - interval '2 hours' where dedupe_key in ('sent', 'overdue')",
    );
    await db.ownerQuery("update mail_outbox set created_at = now() - interval '5 days' where dedupe_key = 'ancient'");
    enqueued = [];
    expect(await outbox.sweep()).toBe(1);
    expect(enqueued.map(({ payload }) => payload)).toEqual([{ letterId: overdue }]);
  });
});
