/** Emails that the worker has sent: without a mail server they are files in a folder, and the database deletes their text. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The emails to this address with this subject, each as one text; none while none was sent. */
export async function sentEmails(dataDir: string, to: string, subject: string): Promise<string[]> {
  const folder = join(dataDir, 'outbox');
  const files = await readdir(folder).catch(() => []);
  const written = files.filter((name) => name.endsWith('.eml'));
  const texts = await Promise.all(written.map((name) => readFile(join(folder, name), 'utf8')));
  return texts
    .map((text) => text.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '='))
    .filter((text) => text.includes(`\nTo: ${to}`) && text.includes(`\nSubject: ${subject}`));
}
