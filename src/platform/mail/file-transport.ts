import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import { dedupeName, messageOf } from '#src/platform/mail/email-message.ts';
import type { Email, MailTransport } from '#src/platform/mail/mail.ts';

/**
 * Writes each email as a whole MIME message to `<folder>/<subject>-<key>.eml`. A file is
 * either all there or not there; the same email again takes the place of the first.
 */
export function openFileTransport(options: { folder: string; from: string }): MailTransport {
  const { folder, from } = options;
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    async deliver(email) {
      const { message } = await transport.sendMail(messageOf(email, from));
      if (!Buffer.isBuffer(message)) throw new Error('the message was not made in one piece');
      const file = path.join(folder, fileNameOf(email));
      try {
        await writeWhole(file, message);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeWhole(file, message);
      }
    },
    async close() {
      transport.close();
    },
  };
}

function fileNameOf(email: Email): string {
  const words = email.subject
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 40);
  return `${words || 'email'}-${dedupeName(email)}.eml`;
}

/** Beside, to the disk, then into place. */
async function writeWhole(file: string, bytes: Buffer): Promise<void> {
  const beside = `${file}.${randomBytes(6).toString('hex')}.new`;
  try {
    const handle = await open(beside, 'wx', 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(beside, file);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}
