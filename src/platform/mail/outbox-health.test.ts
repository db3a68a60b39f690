/** What operators do with failed emails: retry or discard them, and never send one twice. */
import { beforeEach, expect, test } from 'vitest';
import type { Writer } from '#src/platform/db/db.ts';
import { createEmailSender } from '#src/platform/mail/email-sender.ts';
import type { Email } from '#src/platform/mail/mail.ts';
import { countOutbox, discardEmails, listFailedEmails, retryEmails } from '#src/platform/mail/outbox-health.sql.ts';
import { outbox } from '#src/platform/mail/outbox.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';

const db = useTestDatabase();
const SYSTEM = { kind: 'system', why: 'test' } as const;
const delivered: string[] = [];
let deliver: (email: Email) => Promise<void>;
const takeIt = async ({ dedupeKey }: Email) => void delivered.push(dedupeKey);
const refuse = () => Promise.reject(new Error('421 down'));
const sender = () =>
  createEmailSender({
    database: db.database,
    mailTransport: { deliver: (email) => deliver(email), close: async () => undefined },
    log: { warn: () => undefined, error: () => undefined },
  });

beforeEach(async () => {
  delivered.length = 0;
  deliver = refuse;
  await db.ownerQuery('delete from mail_outbox');
});

const write = <T>(work: (tx: Writer) => Promise<T>) => db.database.write(SYSTEM, work);
const state = () => db.database.read(SYSTEM, countOutbox);
const list = (before: number | null = null, limit = 50) =>
  db.database.read(SYSTEM, (reader) => listFailedEmails(reader, { before, limit }));

async function queue(...keys: string[]): Promise<void> {
  await write(async (tx) => {
    for (const dedupeKey of keys)
      await outbox.queueEmail(tx, { to: 'ana@example.org', subject: 'Hi', html: '<p>', text: 'secret', dedupeKey });
  });
}
async function failed(...keys: string[]): Promise<void> {
  await queue(...keys);
  await sender().sendDue();
}

test('the outbox is counted by the status of its emails', async () => {
  await failed('a', 'b', 'c');
  await db.ownerQuery(`update mail_outbox set due_at = 'infinity' where dedupe_key = 'c'`);
  await queue('d', 'e');
  await write((tx) =>
    outbox.queueEmail(
      tx,
      { to: 'a@b.org', subject: 'Hi', html: '', text: '', dedupeKey: 'later' },
      { afterSeconds: 900 },
    ),
  );
  await db.ownerQuery(`update mail_outbox set due_at = now() - interval '5 minutes' where dedupe_key = 'd'`);
  const found = await state();
  expect(found).toMatchObject({ waiting: 2, later: 1, failing: 2, givenUp: 1, held: 0 });
  expect(found.oldestSeconds).toBeGreaterThan(299);
});

test('an empty outbox has no oldest email', async () => {
  expect(await state()).toEqual({
    waiting: 0,
    later: 0,
    oldestSeconds: null,
    lateSeconds: null,
    failing: 0,
    givenUp: 0,
    held: 0,
  });
});

test('a failed email is listed with its reason until it is sent', async () => {
  await failed('a');
  expect(await list()).toMatchObject([{ subject: 'Hi', error: '421 down', attempts: 1 }]);
  const [one] = await list();
  expect(one?.nextAt).toBeInstanceOf(Date);
  await db.ownerQuery('update mail_outbox set due_at = now()');
  deliver = takeIt;
  await sender().sendDue();
  expect(await list()).toEqual([]);
});

test('failed emails are read page by page, the newest first', async () => {
  await failed('a', 'b', 'c');
  const [first, second] = await list(null, 2);
  expect([first?.nextAt === null, (await list(second?.id ?? 0, 2)).length]).toEqual([false, 1]);
});

test('a retried email is sent immediately, and one that was given up is tried once more', async () => {
  await failed('a', 'b');
  await db.ownerQuery(
    `update mail_outbox set due_at = 'infinity', created_at = now() - interval '5 days' where dedupe_key = 'b'`,
  );
  deliver = takeIt;
  expect(await sender().sendDue()).toBe(0);
  expect(await write((tx) => retryEmails(tx, 'all', 10))).toHaveLength(2);
  await sender().sendDue();
  expect(delivered.toSorted()).toEqual(['a', 'b']);
});

test('if five people click at the same time, the email is retried once', async () => {
  await failed('a');
  const counts = await Promise.all(
    Array.from({ length: 5 }, () => write(async (tx) => (await retryEmails(tx, 'all', 10)).length)),
  );
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
});

test('an email that is being sent is not retried, so that it is not sent twice', async () => {
  await failed('a');
  await db.ownerQuery('update mail_outbox set due_at = now()');
  let finish = (): void => undefined;
  let began = (): void => undefined;
  const underWay = new Promise<void>((resolve) => (began = resolve));
  deliver = async (email) => {
    began();
    await new Promise<void>((resolve) => (finish = resolve));
    await takeIt(email);
  };
  const sending = sender().sendDue();
  await underWay;
  expect(await list()).toEqual([]);
  expect(await write((tx) => retryEmails(tx, 'all', 10))).toEqual([]);
  expect(await sender().sendDue()).toBe(0);
  finish();
  await sending;
  expect(delivered).toEqual(['a']);
});

test('a discarded email is never sent, its text is erased, and its key stays reserved', async () => {
  await failed('a', 'b');
  const [newest] = await list();
  expect(await write((tx) => discardEmails(tx, { ids: [newest?.id ?? 0] }, 10))).toEqual([newest?.id]);
  expect(await state()).toMatchObject({ failing: 1, givenUp: 0, waiting: 0, later: 0 });
  await db.ownerQuery(`update mail_outbox set due_at = now() where due_at < 'infinity'`);
  await queue('a', 'b');
  deliver = takeIt;
  await sender().sendDue();
  expect(delivered).toHaveLength(1);
  expect(await db.ownerQuery('select body_text from mail_outbox where id = $1', [newest?.id])).toEqual([
    { body_text: '' },
  ]);
  expect(await write((tx) => discardEmails(tx, 'all', 10))).toEqual([]);
});

test('emails that were not sent, but have not failed, are neither retried nor discarded', async () => {
  await queue('a');
  expect(await write((tx) => retryEmails(tx, 'all', 10))).toEqual([]);
  expect(await write((tx) => discardEmails(tx, 'all', 10))).toEqual([]);
});
