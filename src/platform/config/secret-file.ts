import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Reads a secret that is made once and kept in a file of mode 0600. Safe when several
 * processes ask at once: all of them get the first one's text. Synchronous, because it is part of the start.
 */
export function readOrMakeSecret(file: string, make: () => string): string {
  const existing = readSecret(file);
  if (existing !== null) return existing;
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  const descriptor = openSync(draft, 'wx', 0o600);
  try {
    writeFileSync(descriptor, make());
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  try {
    // Unlike rename, link never replaces what another process has made meanwhile.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  const made = readSecret(file);
  if (made === null) throw new Error(`${file} was made and is gone again.`);
  return made;
}

/** The secret, or null when it was never made. */
export function readSecret(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** A new random secret of 256 bits, in letters that need no escaping. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}
