import { argon2Sync } from 'node:crypto';

/**
 * Hashes a test's password at the lowest possible cost, a thousandth of the product's: signing in has tests of its own,
 * and the check takes the cost from the hash.
 */
export function cheapHash(password: string): string {
  const salt = Buffer.alloc(16);
  const cost = { memory: 8, passes: 1, parallelism: 1, tagLength: 32 };
  const key = argon2Sync('argon2id', { ...cost, message: password, nonce: salt });
  const plain = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${plain(salt)}$${plain(key)}`;
}
