import { describe, expect, test } from 'vitest';
import { addressProblems } from '#src/features/webhooks/webhook-address.rules.ts';
import * as words from '#src/features/webhooks/webhooks.contract.ts';

const real = { baseDomain: 'sideline.org', toLocalhost: false };
const tests = { ...real, toLocalhost: true };

describe('an address for webhooks', () => {
  test.each([
    'https://hooks.club.org',
    'https://hooks.club.org/a?b=c',
    'https://HOOKS.club.org:443/',
    'https://club.org:8443/x',
    'https://bücher.de/',
  ])('%s is good', (url) => {
    expect(addressProblems(url, real)).toEqual([]);
  });

  test.each([
    ['no address', [words.URL_NOT_HTTPS]],
    ['hooks.club.org', [words.URL_NOT_HTTPS]],
    ['http://hooks.club.org/', [words.URL_NOT_HTTPS]],
    ['ftp://hooks.club.org/', [words.URL_NOT_HTTPS]],
    ['file:///etc/passwd', [words.URL_NOT_HTTPS, words.URL_NOT_PUBLIC]],
    ['https://me@hooks.club.org/', [words.URL_WITH_PASSWORD]],
    ['https://me:pw@hooks.club.org/', [words.URL_WITH_PASSWORD]],
    ['https://hooks.club.org/#top', [words.URL_WITH_HASH]],
    ['https://hooks.club.org:22/', [words.URL_PORT]],
    ['https://hooks.club.org:80/', [words.URL_PORT]],
    ['https://hooks.club.org:5432/', [words.URL_PORT]],
    ['https://sideline.org/', [words.URL_OUR_OWN]],
    ['https://www.SIDELINE.org./', [words.URL_OUR_OWN]],
    ['https://localhost/', [words.URL_NOT_PUBLIC]],
    ['https://db/', [words.URL_NOT_PUBLIC]],
    ['https://store.internal/', [words.URL_NOT_PUBLIC]],
    ['https://printer.local./', [words.URL_NOT_PUBLIC]],
    ['https://127.0.0.1/', [words.URL_NOT_PUBLIC]],
    ['https://2130706433/', [words.URL_NOT_PUBLIC]],
    ['https://0x7f.1/', [words.URL_NOT_PUBLIC]],
    ['https://8.8.8.8/', [words.URL_NOT_PUBLIC]],
    ['https://[::1]/', [words.URL_NOT_PUBLIC]],
    ['https://[::ffff:169.254.169.254]/', [words.URL_NOT_PUBLIC]],
    ['https://１２７.0.0.1/', [words.URL_NOT_PUBLIC]],
  ])('%s is refused', (url, problems) => {
    expect(addressProblems(url, real)).toEqual(problems);
  });

  test.each(['http://localhost:4000/x', 'http://127.0.0.1:4000/', 'https://[::1]:9/'])(
    '%s is good where the operator allows this machine',
    (url) => {
      expect(addressProblems(url, tests)).toEqual([]);
      expect(addressProblems(url, real)).not.toEqual([]);
    },
  );

  test('of another private machine is refused there, too', () => {
    expect(addressProblems('http://10.0.0.1/', tests)).toEqual([words.URL_NOT_HTTPS, words.URL_NOT_PUBLIC]);
    expect(addressProblems('ftp://localhost/', tests)).toContain(words.URL_NOT_HTTPS);
    expect(addressProblems('http://me:pw@localhost/', tests)).toEqual([words.URL_WITH_PASSWORD]);
  });
});
