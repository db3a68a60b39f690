import { createHash } from 'node:crypto';
import type { SendMailOptions } from 'nodemailer';
import type { Letter } from '#src/platform/mail/mail.ts';
import { problem } from '#src/shared/problem.ts';

// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * Refuses what would end a header line and begin another (threat 64), and addresses that are lists.
 * @throws invalid, under `email` or `subject`.
 */
export function checkHeaders(letter: Pick<Letter, 'to' | 'replyTo' | 'subject'>): void {
  if (!isOneAddress(letter.to) || (letter.replyTo !== undefined && !isOneAddress(letter.replyTo))) {
    throw problem('invalid', 'Invalid email address', { errors: { email: ['Invalid email address'] } });
  }
  if (CONTROL.test(letter.subject)) {
    const words = 'contains characters that are not allowed';
    throw problem('invalid', `subject ${words}.`, { errors: { subject: [words] } });
  }
}

function isOneAddress(address: string): boolean {
  return !CONTROL.test(address) && !/[,;<>"\\]|\s/.test(address) && address.includes('@');
}

/** A letter as the mail library takes it. The Message-ID is made of the dedupe key, so that a letter sent twice is one. */
export function messageOf(letter: Letter, from: string): SendMailOptions {
  checkHeaders(letter);
  const domain = /@([a-z0-9.-]+)/i.exec(from)?.[1] ?? 'localhost';
  return {
    from,
    to: { name: '', address: letter.to },
    ...(letter.replyTo === undefined ? {} : { replyTo: { name: '', address: letter.replyTo } }),
    subject: letter.subject,
    html: letter.html,
    text: letter.text,
    messageId: `<${dedupeName(letter)}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    // Letters are finished texts: nothing in them is a path or an address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** The same for the same letter, and without what the key may tell. */
export function dedupeName(letter: Pick<Letter, 'dedupeKey'>): string {
  return createHash('sha256').update(letter.dedupeKey).digest('hex').slice(0, 32);
}
