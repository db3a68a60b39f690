import { createTransport } from 'nodemailer';
import { messageOf } from '#src/platform/mail/email-message.ts';
import type { MailTransport } from '#src/platform/mail/mail.ts';

/** Hands emails to a mail server (`SMTP_URL`), over at most two connections. Rejects when it does not take one within half a minute. */
export function openSmtpTransport(options: { url: string; from: string }): MailTransport {
  const { url, from } = options;
  const transport = createTransport({
    ...readSmtpUrl(url),
    pool: true,
    maxConnections: 2,
    maxMessages: 100,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // A server that closes an idle connection is no event; a failed email rejects anyway.
  transport.on('error', () => undefined);
  return {
    async deliver(email) {
      await transport.sendMail(messageOf(email, from));
    },
    async close() {
      transport.close();
    },
  };
}

/** Reads `smtp://user:password@host:port` or `smtps://…`; throws one sentence for anything else. */
export function readSmtpUrl(url: string): {
  host: string;
  port: number;
  secure: boolean;
  requireTLS?: boolean;
  auth?: { user: string; pass: string };
} {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (!parsed || !/^smtps?:$/.test(parsed.protocol) || parsed.hostname === '')
    throw new Error('SMTP_URL must look like smtp://user:password@host:587 or smtps://user:password@host:465.');
  const secure = parsed.protocol === 'smtps:';
  const server = { host: parsed.hostname, port: Number(parsed.port) || (secure ? 465 : 587), secure };
  if (parsed.username === '') return server;
  // A password must not travel in the open.
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(parsed.hostname);
  const auth = { user: decodeURIComponent(parsed.username), pass: decodeURIComponent(parsed.password) };
  return { ...server, auth, ...(secure || isLocal ? {} : { requireTLS: true }) };
}
