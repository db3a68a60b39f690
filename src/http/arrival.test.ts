import { describe, expect, test } from 'vitest';
import { isOwnNavigation } from '#src/http/caller.ts';

const document = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
const data = { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };

describe('whether the user went to a page themselves', () => {
  test.each([
    ['a link on our own page', { ...document, 'sec-fetch-site': 'same-origin' }, true],
    ['the address bar', { ...document, 'sec-fetch-site': 'none' }, true],
    ['the router of our own page', { ...data, 'sec-fetch-site': 'same-origin' }, true],
    ['a link on another site', { ...document, 'sec-fetch-site': 'cross-site' }, false],
    ['a link on another organization’s host', { ...document, 'sec-fetch-site': 'same-site' }, false],
    ['a frame', { ...document, 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'same-origin' }, false],
    ['a picture', { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image', 'sec-fetch-site': 'same-origin' }, false],
    ['a script of another site', { ...data, 'sec-fetch-site': 'cross-site' }, false],
    ['a page fetched ahead', { ...document, 'sec-fetch-site': 'same-origin', 'sec-purpose': 'prefetch' }, false],
    ['a page drawn ahead', { ...document, 'sec-fetch-site': 'none', 'sec-purpose': 'prefetch;prerender' }, false],
    ['an old browser fetching ahead', { ...document, 'sec-fetch-site': 'none', purpose: 'prefetch' }, false],
    ['a sender that does not tell', {}, false],
  ])('%s: %o → %s', (_how, headers, own) => {
    expect(isOwnNavigation('GET', headers)).toBe(own);
  });

  test('only GET counts as a visit', () => {
    expect(isOwnNavigation('HEAD', { ...document, 'sec-fetch-site': 'same-origin' })).toBe(false);
  });
});
