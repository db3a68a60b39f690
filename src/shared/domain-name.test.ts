import { describe, expect, test } from 'vitest';
import {
  ADDRESS_NOT_AVAILABLE,
  domainNameProblems,
  NOT_WWW,
  ONLY_NUMBERS_AND_LETTERS,
} from '#src/shared/domain-name.ts';

describe('the path of an organization', () => {
  test.each(['hawks', 'Hawks-Soccer', 'st.-mary', 'a', '7', ' hawks ', 'a'.repeat(63)])('%j may be used', (name) => {
    expect(domainNameProblems(name)).toEqual([]);
  });

  test.each([
    ['a_b', ONLY_NUMBERS_AND_LETTERS],
    ['a b', ONLY_NUMBERS_AND_LETTERS],
    ['é', ONLY_NUMBERS_AND_LETTERS],
    ['<script>', ONLY_NUMBERS_AND_LETTERS],
    ['a/b', ONLY_NUMBERS_AND_LETTERS],
    ['www', NOT_WWW],
    ['WWWx', NOT_WWW],
    ['mywwwsite', NOT_WWW],
    ['api', ADDRESS_NOT_AVAILABLE],
    ['Login', ADDRESS_NOT_AVAILABLE],
    ['admin-report', ADDRESS_NOT_AVAILABLE],
    ['sign-up', ADDRESS_NOT_AVAILABLE],
    ['localhost', ADDRESS_NOT_AVAILABLE],
    ['.', ADDRESS_NOT_AVAILABLE],
    ['..', ADDRESS_NOT_AVAILABLE],
    ['-', ADDRESS_NOT_AVAILABLE],
    ['a..b', ADDRESS_NOT_AVAILABLE],
    ['a.', ADDRESS_NOT_AVAILABLE],
    ['-a', ADDRESS_NOT_AVAILABLE],
    ['xn--caf-dma', ADDRESS_NOT_AVAILABLE],
    ['a'.repeat(64), ADDRESS_NOT_AVAILABLE],
  ])('%j: %s', (name, message) => {
    expect(domainNameProblems(name)).toEqual([message]);
  });

  test('reports all errors', () => {
    expect(domainNameProblems('www site')).toEqual([ONLY_NUMBERS_AND_LETTERS, NOT_WWW]);
  });
});
