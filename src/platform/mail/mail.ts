/** One finished email, and what it may contain. */
import { createHash } from 'node:crypto';
import type { SendMailOptions } from 'nodemailer';
import { problem } from '#src/shared/problem.ts';

export type Email = {
  to: string;
  /** The reply address, if it is not the sender. */
  replyTo?: string;
  subject: string;
  html: string;
  text: string;
  /** Becomes the Message-ID, so that an email sent twice is recognized as one. */
  dedupeKey: string;
  /** An address that ends all emails of this kind with one click, without a session (RFC 8058). */
  unsubscribeUrl?: string;
  /** Id of the request that caused it, sent as the header `X-Request-Id`. */
  requestId?: string;
};

/** The key of the last email to someone who was erased begins so: its recipient is erased when it was sent. */
export const LAST_EMAIL = 'last:';

/** Delivers one email: by SMTP, or to files below `DATA_DIR/outbox`. `deliver` rejects if it could not, or was aborted. */
export type MailTransport = {
  deliver(email: Email, signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
};

/**
 * Names that users choose (of a buyer, an organization, a gallery, a file) appear in emails that they can have sent to
 * anyone. A link in a name would seem to be ours, and email programs turn every address they see into a link.
 */
const LINKS = /(?:[a-z][a-z\d+.-]*:\/\/|www\.)\S*|\b[\p{L}\d-]+(?:\.[\p{L}\d-]+)+(?::\d+)?\/\S*/giu;

/** The text without anything that reads as a web address; `…` replaces it. */
export function withoutLinks(words: string): string {
  return words.replaceAll(LINKS, '…');
}

// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * Refuses what would end a header line and begin another (threat 64), and lists of addresses.
 * @throws invalid, under `email` or `subject`.
 */
export function checkHeaders(email: Pick<Email, 'to' | 'replyTo' | 'subject'>): void {
  if (!isOneAddress(email.to) || (email.replyTo !== undefined && !isOneAddress(email.replyTo))) {
    throw problem('invalid', 'Invalid email address', { errors: { email: ['Invalid email address'] } });
  }
  if (CONTROL.test(email.subject)) {
    const words = 'contains characters that are not allowed';
    throw problem('invalid', `subject ${words}.`, { errors: { subject: [words] } });
  }
}

function isOneAddress(address: string): boolean {
  return !CONTROL.test(address) && !/[,;<>"\\]|\s/.test(address) && address.includes('@');
}

/**
 * An email for the mail library. The Message-ID is derived from the dedupe key, so that an email sent twice is
 * recognized as one.
 */
export function messageOf(email: Email, from: string): SendMailOptions {
  checkHeaders(email);
  const domain = /@([a-z0-9.-]+)/i.exec(from)?.[1] ?? 'localhost';
  return {
    from,
    to: { name: '', address: email.to },
    ...(email.replyTo === undefined ? {} : { replyTo: { name: '', address: email.replyTo } }),
    subject: email.subject,
    html: email.html,
    text: email.text,
    messageId: `<${dedupeName(email)}@${domain}>`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...(email.unsubscribeUrl === undefined
        ? {}
        : {
            'List-Unsubscribe': `<${email.unsubscribeUrl}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
      ...(email.requestId === undefined ? {} : { 'X-Request-Id': email.requestId }),
    },
    // Emails are finished texts: no part is treated as a path or an address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** The same for the same email, without revealing the key. */
export function dedupeName(email: Pick<Email, 'dedupeKey'>): string {
  return createHash('sha256').update(email.dedupeKey).digest('hex').slice(0, 32);
}
