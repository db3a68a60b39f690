import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import path from 'node:path';

/**
 * Reads a secret that is made once and kept in a file of mode 0600. Safe when several
 * processes ask at once: the first one's text is everybody's.
 */
export async function readOrMakeSecret(file: string, make: () => string): Promise<string> {
  const existing = await readSecret(file);
  if (existing !== null) return existing;
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = await open(draft, 'wx', 0o600);
  await handle.writeFile(make());
  await handle.sync();
  await handle.close();
  try {
    // Unlike rename, link never replaces what another process has made meanwhile.
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  const made = await readSecret(file);
  if (made === null) throw new Error(`${file} was made and is gone again.`);
  return made;
}

/** The secret, or null when it was never made. */
export async function readSecret(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** A new random secret of 256 bits, in letters that need no escaping. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}
