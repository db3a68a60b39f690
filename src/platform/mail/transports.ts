import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import * as base64 from 'nodemailer/lib/base64';
import MailComposer from 'nodemailer/lib/mail-composer';
import type MimeNode from 'nodemailer/lib/mime-node';
import * as quotedPrintable from 'nodemailer/lib/qp';
import { dedupeName, messageOf, type Email, type MailTransport } from '#src/platform/mail/mail.ts';

/**
 * Writes each email as a complete MIME message to `<folder>/<subject>-<key>.eml`. A file is complete or absent; the
 * same email again replaces the first.
 */
export function openFileTransport(options: { folder: string; from: string }): MailTransport {
  const { folder, from } = options;
  return {
    async deliver(email) {
      const message = textOf(treeOf(email, from));
      const file = path.join(folder, fileNameOf(email));
      try {
        await writeWhole(file, message);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeWhole(file, message);
      }
    },
    close: async () => undefined,
  };
}

const treeOf = (email: Email, from: string): MimeNode => new MailComposer(messageOf(email, from)).compile();

/** The whole message. */
const textOf = (tree: MimeNode): string => partText(tree).replaceAll(/\r?\n/g, '\r\n');

/**
 * The text of a part and all below it, as the library writes it. The library uses several streams for each part, which cost
 * more than the rest of an email (decision record 0171).
 */
function partText(part: MimeNode): string {
  // Building it names the boundary.
  const head = part.buildHeaders();
  const below = part.childNodes.map((child) => `--${part.boundary}\n${partText(child)}`);
  const body = below.length > 0 ? `${below.join('')}--${part.boundary}--` : contentOf(part);
  return `${head}\n\n${body}\n`;
}

function contentOf(part: MimeNode): string {
  const content = String(part.content ?? '');
  const encoding = part.getTransferEncoding();
  if (encoding === 'base64') return base64.wrap(base64.encode(content));
  return encoding === 'quoted-printable' ? quotedPrintable.wrap(quotedPrintable.encode(content)) : content;
}

function fileNameOf(email: Email): string {
  const words = email.subject
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 40);
  return `${words || 'email'}-${dedupeName(email)}.eml`;
}

/** Written next to it, synced to disk, then renamed. */
async function writeWhole(file: string, text: string): Promise<void> {
  const beside = `${file}.${randomBytes(6).toString('hex')}.new`;
  try {
    await writeFile(beside, text, { flag: 'wx', mode: 0o600, flush: true });
    await rename(beside, file);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

/** Sends emails to a mail server (`SMTP_URL`), over at most two connections. Rejects if it is silent for half a minute. */
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
  // A server that closes an idle connection is normal; a failed email rejects anyway.
  transport.on('error', () => undefined);
  return {
    async deliver(email, signal) {
      const tree = treeOf(email, from);
      await transport.sendMail({ envelope: tree.getEnvelope(), raw: textOf(tree), signal });
    },
    async close() {
      transport.close();
    },
  };
}

/** Parses `smtp://user:password@host:port` or `smtps://…`; throws one sentence for anything else. */
export function readSmtpUrl(url: string) {
  const parsed = URL.parse(url);
  if (!parsed || !/^smtps?:$/.test(parsed.protocol) || parsed.hostname === '')
    throw new Error('SMTP_URL must look like smtp://user:password@host:587 or smtps://user:password@host:465.');
  const secure = parsed.protocol === 'smtps:';
  const server = { host: parsed.hostname, port: Number(parsed.port) || (secure ? 465 : 587), secure };
  if (parsed.username === '') return server;
  // A password must not be sent unencrypted.
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(parsed.hostname);
  const auth = { user: decodeURIComponent(parsed.username), pass: decodeURIComponent(parsed.password) };
  return { ...server, auth, ...(secure || isLocal ? {} : { requireTLS: true }) };
}
