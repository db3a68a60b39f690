import { describe, expect, test } from 'vitest';
import { jobReason, jobSubject, maskedAddress, reasonWords, withoutSecrets } from './failure-words.rules.ts';

describe('the reason of a failure', () => {
  test.each([
    ['550 5.1.1 <rosa.lopez@example.com>: user unknown', '550 5.1.1 <…@example.com>: user unknown'],
    ['GET https://shop.example/order/1?key=abc#x failed', 'GET https://shop.example/order/1?[hidden] failed'],
    ['connect to smtp://user:secret@mail.example:587', 'connect to smtp://[hidden]@mail.example:587'],
    ['no order with sk_live_51Habcdefghijklmnop', 'no order with [hidden]'],
    ['Bearer eyJhbGciOiJIUzI1NiJ9abcdefgh is refused', 'Bearer [hidden] is refused'],
    ['card 4242 4242 4242 4242 was declined', 'card [hidden] was declined'],
    ['the receipt Ab3dEf6hIjKlMnOpQrStUv is gone', 'the receipt [hidden] is gone'],
  ])('hides secrets and people’s names: %s', (text, shown) => {
    expect(withoutSecrets(text)).toBe(shown);
  });

  test.each([
    'connect ECONNREFUSED 127.0.0.1:2525',
    'original of photo 1204 is missing from the store',
    'The picture process ended: slower than 20000 ms.',
    'job 3f0c2f5e-9d1a-4f4e-8f0e-0a1b2c3d4e5f was not found',
  ])('keeps what helps: %s', (text) => {
    expect(withoutSecrets(text)).toBe(text);
  });

  test('is one line of at most 300 characters, and says where to look when nothing is known', () => {
    expect(reasonWords('first\n  second')).toBe('first second');
    expect(reasonWords('no '.repeat(1_000)).length).toBe(300);
    expect(reasonWords(' ')).toBe('No reason is known. See the log.');
  });

  test('is read from what the queue stored, whatever its shape', () => {
    expect(jobReason({ name: 'Error', message: 'it broke', stack: 'secret' }, null)).toBe('it broke');
    expect(jobReason({ value: { message: 'it broke' } }, null)).toBe('it broke');
    expect(jobReason({ value: { message: 'job heartbeat timeout' } }, null)).toContain('ended or hung');
    for (const odd of [null, undefined, 7, 'text', {}, { message: { a: 1 } }, []])
      expect(jobReason(odd, null)).toBe('No reason is known. See the log.');
  });

  test('keeps the id of the job’s own subject, which is as long as a card number', () => {
    const message = 'photo 2757082291193191 is damaged, and so is 4242424242424242';
    expect(jobReason({ message }, { photoId: 2757082291193191 })).toBe(
      'photo 2757082291193191 is damaged, and so is [hidden]',
    );
  });
});

test('a payload shows the number of its subject and nothing else', () => {
  expect(jobSubject({ photoId: 12 })).toBe('photo 12');
  expect(jobSubject({ email: 'rosa@example.com' })).toBeNull();
  expect(jobSubject({ idempotencyKey: 'abc', batchKey: '1' })).toBeNull();
  expect(jobSubject({ photoId: 'rosa@example.com' })).toBeNull();
  for (const odd of [null, 3, 'photoId', []]) expect(jobSubject(odd)).toBeNull();
});

test('an address shows its first letter and its domain', () => {
  expect(maskedAddress('rosa@example.com')).toBe('r…@example.com');
  for (const odd of ['forgotten', '@example.com', '']) expect(maskedAddress(odd)).toBe('…');
});
