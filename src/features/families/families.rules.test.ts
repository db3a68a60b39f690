/** Codes as they are generated and typed, and the label of a child. */
import { expect, test } from 'vitest';
import * as rules from '#src/features/families/families.rules.ts';
import { CODE_LETTERS } from '#src/shared/random-key.ts';

test('a code has ten of thirty characters, none of which looks like another', () => {
  expect(new Set(CODE_LETTERS).size).toBe(30);
  expect(CODE_LETTERS).not.toMatch(/[01ILOU]/);
  const code = rules.makeCode((below) => below - 1);
  expect(code).toBe('ZZZZZZZZZZ');
  expect(rules.printedCode('K7M3P9QX2T')).toBe('K7M3P-9QX2T');
});

test.each([
  ['K7M3P-9QX2T', 'K7M3P9QX2T'],
  [' k7m3p 9qx2t ', 'K7M3P9QX2T'],
  ['K7M3P–9QX2T.', 'K7M3P9QX2T'],
  ['K7M3P9QX2', null],
  ['K7M3P9QX2T2', null],
  ['K7M3P9QX20', null],
  ['', null],
  ["' or 1=1 --", null],
])('%s is read as %s', (typed, code) => {
  expect(rules.readCode(typed)).toBe(code);
});

const KEY = 'AbCdEfGhIjKlMnOpQrStUv';

test.each([
  [`https://lakeside.example/hawks/family#${KEY}`, { key: KEY }],
  [` lakeside.example/hawks/family#${KEY} `, { key: KEY }],
  ['K7M3P-9QX2T', { code: 'K7M3P-9QX2T' }],
  ['https://lakeside.example/hawks/family', { code: 'https://lakeside.example/hawks/family' }],
  ['#short', { code: '#short' }],
])('%s is pasted as %o', (typed, entry) => {
  expect(rules.readEntry(typed)).toEqual(entry);
});

test.each([
  [{ firstName: 'Maya', lastName: 'Rivera', number: '10' }, 'Maya R.'],
  [{ firstName: 'Maya', lastName: 'r.', number: '10' }, 'Maya R.'],
  [{ firstName: 'Maya', lastName: '', number: '10' }, 'Maya'],
  [{ firstName: 'Zoë', lastName: '𝒳u', number: null }, 'Zoë 𝒳.'],
  [{ firstName: null, lastName: null, number: '07' }, 'Number 07'],
  [{ firstName: null, lastName: null, number: null }, 'Your child'],
])('%o is called %s', (child, label) => {
  expect(rules.childLabel(child)).toBe(label);
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:7:1::/64', '2001:db8:7::/48'],
  ['2001:db8:7:ff::/64', '2001:db8:7::/48'],
])('%s guesses as %s', (ip, guesser) => {
  expect(rules.guesserOf(ip)).toBe(guesser);
});
