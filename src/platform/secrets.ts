/**
 * Keys, tokens, encryption and passwords. One root secret (`APP_SECRET`) yields a key per purpose, so that what was
 * made for one use is never valid for another.
 */
import {
  argon2,
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type Argon2Parameters,
} from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

const SEAL_VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The 32-byte key of one purpose ("gallery passwords", "visitor cookies"), derived from the root secret. */
export function deriveKey(appSecret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', appSecret, 'sideline', purpose, 32));
}

/** Encrypts text (AES-256-GCM, random nonce): version byte, nonce, tag, cipher text. The key has 32 bytes. */
export function sealText(key: Buffer, text: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.of(SEAL_VERSION));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(SEAL_VERSION), nonce, cipher.getAuthTag(), sealed]);
}

/** Decrypts what `sealText` made; throws if it was changed, cut or encrypted with another key. */
export function openText(key: Buffer, sealed: Uint8Array): string {
  const bytes = Buffer.from(sealed);
  const textStart = 1 + NONCE_BYTES + TAG_BYTES;
  if (bytes.length < textStart || bytes[0] !== SEAL_VERSION) throw new Error('sealed text of an unknown version');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(1, 1 + NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.of(SEAL_VERSION));
  decipher.setAuthTag(bytes.subarray(1 + NONCE_BYTES, textStart));
  return Buffer.concat([decipher.update(bytes.subarray(textStart)), decipher.final()]).toString('utf8');
}

/** An unguessable token as base64url; 32 bytes give 43 characters. */
export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}

/** What is stored of a token: SHA-256. Sufficient for random tokens, never for passwords. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}

/** A signature (base64url, 43 characters) over the parts in their order; ("ab","c") and ("a","bc") differ. */
export function signValue(key: Buffer, ...parts: readonly (string | number)[]): string {
  return hmacOf(key, parts).toString('base64url');
}

/** Whether `signature` is ours for exactly these parts, compared in constant time. */
export function verifyValue(key: Buffer, signature: string, ...parts: readonly (string | number)[]): boolean {
  const wanted = hmacOf(key, parts);
  const given = Buffer.from(signature, 'base64url');
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function hmacOf(key: Buffer, parts: readonly (string | number)[]): Buffer {
  const hmac = createHmac('sha256', key);
  for (const part of parts) {
    const bytes = Buffer.from(String(part), 'utf8');
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    hmac.update(length).update(bytes);
  }
  return hmac.digest();
}

/** OWASP's first choice for Argon2id: 19 MiB, two passes, one lane. */
const ARGON = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;
const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;
/** A well-formed hash that matches no password; checking against it takes as long as against a real one. */
const DUMMY_HASH = phc(ARGON, Buffer.alloc(16), Buffer.alloc(32));

/** Hashes a password (Argon2id, PHC string) off the main thread. The caller limits its length first. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  return phc(ARGON, salt, await argon2id({ ...ARGON, message: password, nonce: salt }));
}

/**
 * Whether the password matches the stored hash. Without a hash (unknown user, no password set) it returns false after
 * the same work, so that the time reveals nothing (rule 12).
 */
export async function verifyPassword(storedHash: string | null, password: string): Promise<boolean> {
  const fields = PHC.exec(storedHash ?? '') ?? PHC.exec(DUMMY_HASH);
  if (!fields) throw new Error('the substitute hash cannot be read');
  const [memory, passes, parallelism] = [Number(fields[1]), Number(fields[2]), Number(fields[3])];
  const salt = Buffer.from(fields[4] ?? '', 'base64');
  const wanted = Buffer.from(fields[5] ?? '', 'base64');
  const given = await argon2id({
    memory,
    passes,
    parallelism,
    tagLength: wanted.length,
    message: password,
    nonce: salt,
  });
  return timingSafeEqual(given, wanted) && storedHash !== null && PHC.test(storedHash);
}

function argon2id(parameters: Argon2Parameters): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    argon2('argon2id', parameters, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

function phc(cost: typeof ARGON, salt: Buffer, key: Buffer): string {
  const plain = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${plain(salt)}$${plain(key)}`;
}

/**
 * Reads a secret that is created once and stored in a file of mode 0600. Safe when several processes call it at the
 * same time: all of them get the first one's text. Synchronous, because it is part of the start.
 */
export function readOrMakeSecret(file: string, make: () => string): string {
  const existing = readSecret(file);
  if (existing !== null) return existing;
  makeFolder(path.dirname(file));
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  const descriptor = openSync(draft, 'wx', 0o600);
  try {
    writeFileSync(descriptor, make());
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  try {
    // Unlike rename, link never replaces a file that another process has created meanwhile.
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

/** Node's own `recursive` never returns in a file system that refuses new folders as unknown (`/proc`). */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process has made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** The secret, or null if it was never created. */
function readSecret(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
