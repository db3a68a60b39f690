import { describe, expect, test } from 'vitest';
import { isCommonPassword } from '#src/features/sign-in/common-passwords.rules.ts';
import { processorMsOf } from '#tests/support/processor-time.ts';

describe('common passwords are refused', () => {
  test.each([
    '123456',
    'password',
    '123456789',
    '12345678',
    'qwerty',
    'qwerty123',
    '1q2w3e4r',
    '1qaz2wsx',
    '111111',
    '123123',
    'abc123',
    'iloveyou',
    'admin123',
    'letmein',
    'monkey',
    'dragon',
    'football',
    'baseball',
    'master',
    'sunshine',
    'princess',
    'welcome1',
    'shadow',
    'superman',
    'trustno1',
    'Passw0rd',
    'P@ssw0rd!',
    'michael',
    'jordan23',
    'harley',
    'ranger',
    'batman',
    'zxcvbnm',
    'asdfgh',
    '654321',
    '000000',
    'aaaaaa',
    'abcabc',
    'password123',
    'Summer2024',
    'lovely',
    'ashley',
    'hunter2',
    'soccer10',
    'qazwsx',
    '121212',
    '987654321',
    'asdf1234',
    '11223344',
    'charlie1',
    'hello123',
    '01011990',
    '19871225',
    '147258369',
    'q1w2e3r4',
    'secret',
    'starwars',
    'computer',
    'jennifer',
    'test123',
    'changeme',
    'mustang',
    'passwordpassword',
    'a123456',
    'a1b2c3',
    '159753',
    'zaq12wsx',
    'scooter1',
    'swordfish',
    'letmein1',
    'liverpool1',
  ])('%s', (password) => expect(isCommonPassword(password)).toBe(true));
});

describe('personal passwords are accepted', () => {
  test.each([
    'nine fine pines',
    'correct horse battery',
    'sideline-demo',
    'another password',
    'tr0ub4dor&3',
    'Kx7-wq93',
    'blau-wal-tanzt',
    'gr8 hawks of lake 4',
    'mapleleaf on ice',
    'zebra crossing 12',
    'sunflower4821',
    'swimming-26-lanes',
    'Sommer!!2026??',
    '83920175',
    'a right one',
    'rosa&paul am see',
  ])('%s', (password) => expect(isCommonPassword(password)).toBe(false));

  test('a long one is checked quickly', async () => {
    const check = () => {
      expect(isCommonPassword('7a'.repeat(512))).toBe(true);
      expect(isCommonPassword('z7k!'.repeat(255) + 'end')).toBe(false);
    };
    expect(await processorMsOf(check)).toBeLessThan(500);
  });
});
