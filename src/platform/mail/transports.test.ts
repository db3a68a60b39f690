import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import MailComposer from 'nodemailer/lib/mail-composer';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openFileTransport, openSmtpTransport, readSmtpUrl } from '#src/platform/mail/transports.ts';
import { messageOf, type Email } from '#src/platform/mail/mail.ts';
import { openMailSink } from '#tests/support/mail-sink.ts';

const from = 'Sideline <no-reply@sideline.localhost>';
const email: Email = {
  to: 'ana@example.org',
  subject: 'Your photos from Hawks Soccer Club ⚽',
  html: '<p>Grüße</p>',
  text: 'Grüße\n',
  dedupeKey: 'receipt:secret-order',
};

describe('emails as files', () => {
  let folder: string;
  beforeEach(async () => {
    folder = path.join(await mkdtemp(path.join(tmpdir(), 'sideline-mail-')), 'outbox');
  });
  afterEach(() => rm(path.dirname(folder), { recursive: true, force: true }));

  test('are complete messages that other users cannot read', async () => {
    await openFileTransport({ folder, from }).deliver(email);
    const [file = ''] = await readdir(folder);
    expect(file).toMatch(/^your-photos-from-hawks-soccer-club-[0-9a-f]{32}\.eml$/);
    const message = await readFile(path.join(folder, file), 'latin1');
    const [head = '', body = ''] = message.split('\r\n\r\n');
    expect(head).toContain('From: Sideline <no-reply@sideline.localhost>');
    expect(head).toContain('To: ana@example.org');
    expect(head).toMatch(/^Subject: =\?UTF-8\?/m);
    expect(head).toMatch(/^Message-ID: <[0-9a-f]{32}@sideline\.localhost>/m);
    expect(head).toMatch(/^Content-Type: multipart\/alternative/m);
    expect(body).not.toBe('');
    expect(message).toContain('Gr=C3=BC=C3=9Fe');
    expect(message).not.toContain('secret-order');
    expect((await stat(path.join(folder, file))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  test.each([
    ['accents and long lines', '<p>Grüße ⚽ a=b</p>\n'.repeat(50), 'Grüße\n.a\nFrom here\r\na=b '.repeat(30)],
    ['short lines of ASCII, with spaces at their ends', 'a  \nb\t=\n', 'trailing \n\n\n'],
    ['letters of another alphabet', 'x'.repeat(300), `${'שלום עולם '.repeat(60)}\n`],
    ['a text alone', '', 'only'],
  ])('are written as the library writes them, with %s', async (_what, html, text) => {
    const given = { ...email, html, text };
    await openFileTransport({ folder, from }).deliver(given);
    const [file = ''] = await readdir(folder);
    const library = new MailComposer({ ...messageOf(given, from), newline: 'windows' }).compile();
    const comparable = (message: string) => message.replaceAll(/_NmP-[0-9a-f]+/g, '…').replace(/^Date: .*$/m, '…');
    expect(comparable(await readFile(path.join(folder, file), 'utf8'))).toBe(comparable(String(await library.build())));
  });

  test('are one file when the same email is delivered again, and two for two emails', async () => {
    const office = openFileTransport({ folder, from });
    await Promise.all([office.deliver(email), office.deliver(email)]);
    await office.deliver({ ...email, dedupeKey: 'receipt:another' });
    expect(await readdir(folder)).toHaveLength(2);
  });

  test.each([
    ['another header in the address', { to: 'ana@example.org\r\nBcc: victim@example.org' }],
    ['two addresses', { to: 'ana@example.org,victim@example.org' }],
    ['a name with an address', { to: 'Ana <victim@example.org>' }],
    ['no address', { to: 'ana' }],
    ['another header in the subject', { subject: 'Hello\nBcc: victim@example.org' }],
  ])('are refused with %s', async (_what, changes) => {
    await expect(openFileTransport({ folder, from }).deliver({ ...email, ...changes })).rejects.toMatchObject({
      code: 'invalid',
    });
    await expect(readdir(folder)).rejects.toThrow();
  });
});

describe('emails by SMTP', () => {
  test('arrive, and fail while the server does not accept them', async () => {
    let closed = true;
    const sink = await openMailSink(() => closed);
    const office = openSmtpTransport({ url: `smtp://127.0.0.1:${sink.port}`, from });
    await expect(office.deliver(email)).rejects.toThrow();
    closed = false;
    await office.deliver(email);
    expect(sink.messages).toHaveLength(1);
    expect(sink.messages[0]).toContain('To: ana@example.org');
    await office.close();
    sink.close();
    await expect(openSmtpTransport({ url: `smtp://127.0.0.1:${sink.port}`, from }).deliver(email)).rejects.toThrow();
  });

  test('are no longer sent after their time limit', async () => {
    const slow = createServer((socket) => socket.on('error', () => undefined).write('220-still'));
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    const office = openSmtpTransport({ url: `smtp://127.0.0.1:${(slow.address() as AddressInfo).port}`, from });
    await expect(office.deliver(email, AbortSignal.timeout(200))).rejects.toThrow();
    await office.close();
    slow.close();
  }, 5_000);

  test.each([
    ['smtp://mail.example.org', { host: 'mail.example.org', port: 587, secure: false }],
    ['smtps://mail.example.org', { host: 'mail.example.org', port: 465, secure: true }],
    [
      'smtp://a%40b:p%3Aw@mail.example.org:2525',
      { host: 'mail.example.org', port: 2525, secure: false, requireTLS: true, auth: { user: 'a@b', pass: 'p:w' } },
    ],
    ['smtp://a:b@127.0.0.1:25', { host: '127.0.0.1', port: 25, secure: false, auth: { user: 'a', pass: 'b' } }],
  ])('go to %s', (url, server) => {
    expect(readSmtpUrl(url)).toEqual(server);
  });

  test.each(['', 'mail.example.org', 'http://mail.example.org', 'smtp://'])('cannot go to "%s"', (url) => {
    expect(() => readSmtpUrl(url)).toThrow('SMTP_URL must look like');
  });
});
