import { describe, expect, test } from 'vitest';
import {
  deriveKey,
  hashPassword,
  hashToken,
  openText,
  randomToken,
  sealText,
  signValue,
  verifyPassword,
  verifyValue,
} from './secrets.ts';

const key = deriveKey('a root secret', 'tests');
const otherKey = deriveKey('a root secret', 'other tests');

describe('encrypted text', () => {
  test.each(['goalkeeper', '', 'Đội Bóng ⚽', 'x'.repeat(5000)])('is decrypted as it was: %.20s', (text) => {
    expect(openText(key, sealText(key, text))).toBe(text);
  });

  test('is different each time and never contains the text', () => {
    const first = sealText(key, 'goalkeeper');
    expect(first.equals(sealText(key, 'goalkeeper'))).toBe(false);
    expect(first.includes('goalkeeper')).toBe(false);
  });

  test('cannot be decrypted with the key of another purpose', () => {
    expect(() => openText(otherKey, sealText(key, 'goalkeeper'))).toThrow();
  });

  test('cannot be decrypted when a byte was changed or it was cut', () => {
    const sealed = sealText(key, 'word');
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => openText(key, changed)).toThrow();
    }
    for (const length of [0, 1, 20, sealed.length - 1])
      expect(() => openText(key, sealed.subarray(0, length))).toThrow();
  });
});

describe('tokens', () => {
  test('have 43 characters for 32 bytes and are never the same', () => {
    const tokens = Array.from({ length: 200 }, () => randomToken());
    expect(new Set(tokens).size).toBe(200);
    for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(randomToken(16)).toHaveLength(22);
  });

  test('are stored as their SHA-256', () => {
    expect(hashToken('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

describe('signatures', () => {
  test('are valid for the same key and parts', () => {
    expect(verifyValue(key, signValue(key, 'gallery', 12, 3), 'gallery', 12, 3)).toBe(true);
  });

  test.each([
    ['another value', ['gallery', 12, 4]],
    ['parts cut elsewhere', ['gallery1', 2, 3]],
    ['a missing part', ['gallery', 12]],
    ['an additional part', ['gallery', 12, 3, '']],
  ] as const)('fail for %s', (_what, parts) => {
    expect(verifyValue(key, signValue(key, 'gallery', 12, 3), ...parts)).toBe(false);
  });

  test('fail for another key and for invalid signatures', () => {
    expect(verifyValue(otherKey, signValue(key, 'a'), 'a')).toBe(false);
    for (const signature of ['', 'x', 'ü'.repeat(43), signValue(key, 'a').slice(1)])
      expect(verifyValue(key, signature, 'a')).toBe(false);
  });
});

describe('passwords', () => {
  test('are hashed as Argon2id with the parameters of OWASP', async () => {
    expect(await hashPassword('sideline-demo')).toMatch(
      /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
    );
  });

  test.each([' leading and trailing ', '⚽🥅', 'p'.repeat(1024), 'sideline-demo'])(
    'are accepted exactly: %.24s',
    async (password) => {
      const hash = await hashPassword(password);
      expect(await verifyPassword(hash, password)).toBe(true);
      expect(await verifyPassword(hash, `${password}x`)).toBe(false);
      expect(await verifyPassword(hash, password.slice(0, -1))).toBe(false);
    },
  );

  test('made elsewhere with other parameters are accepted', async () => {
    // A known answer of the reference implementation: salt "somesalt", 64 MiB, two passes.
    expect(
      await verifyPassword(
        '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
        'password',
      ),
    ).toBe(true);
  });

  test.each([
    null,
    '',
    'not a hash',
    '$2b$10$abcdefghijklmnopqrstuv',
    '$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$',
  ])('never match without a readable hash: %s', async (stored) => {
    expect(await verifyPassword(stored, '')).toBe(false);
    expect(await verifyPassword(stored, 'anything')).toBe(false);
  });

  test('of unknown users take as long to check as those of known ones', async () => {
    const hash = await hashPassword('right');
    // It is calculated in another thread of this process.
    const took = async (stored: string | null) => {
      const before = process.cpuUsage();
      await verifyPassword(stored, 'wrong');
      return process.cpuUsage(before).user;
    };
    const known: number[] = [];
    const unknown: number[] = [];
    for (let round = 0; round < 9; round++) {
      known.push(await took(hash));
      unknown.push(await took(null));
    }
    // Other work only adds to a time, so the least is what the check itself takes. One that is left out takes a
    // thousandth, one with half of the memory half.
    const ratio = Math.min(...unknown) / Math.min(...known);
    expect(ratio).toBeGreaterThan(0.6);
    expect(ratio).toBeLessThan(1.7);
  });
});
