/** Fault F33: the mail server is down when an email is written; the transaction commits, and the email is sent once it is back. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createEmailSender } from '#src/platform/mail/email-sender.ts';
import type { Email } from '#src/platform/mail/mail.ts';
import { outbox } from '#src/platform/mail/outbox.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';

const db = useTestDatabase();

test('an email written while the mail server is down is sent once when it is back', async () => {
  const tried: Email[] = [];
  const sent: Email[] = [];
  const mailTransport = {
    async deliver(sentEmail: Email) {
      tried.push(sentEmail);
      if (tried.length < 2) throw new Error('connect ECONNREFUSED');
      sent.push(sentEmail);
    },
    close: async () => undefined,
  };
  const log = { warn: () => undefined, error: () => undefined };
  const sender = createEmailSender({ database: db.database, mailTransport, log });
  sender.start();
  const sentEmail: Email = {
    to: 'ana@example.org',
    subject: 'Your photos',
    html: '<p>x</p>',
    text: 'x',
    dedupeKey: 'receipt:1',
  };
  for (let again = 0; again < 2; again++)
    await db.database.write({ kind: 'system', why: 'test' }, (tx) => outbox.queueEmail(tx, sentEmail));

  for (const deadline = Date.now() + 30_000; sent.length === 0 && Date.now() < deadline;) await sleep(50);
  await sleep(300);
  expect({ tried, sent }).toEqual({ tried: [sentEmail, sentEmail], sent: [sentEmail] });
  expect(await db.ownerQuery('select attempts, last_error, sent_at is not null as is_sent from mail_outbox')).toEqual([
    { attempts: 2, last_error: null, is_sent: true },
  ]);
  await sender.close();
});
