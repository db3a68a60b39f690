import { describe, expect, test } from 'vitest';
import { splitName } from '#src/features/billing/card-entry.contract.ts';

describe('a name of one line', () => {
  test.each([
    ['Ruth Okafor', 'Ruth', 'Okafor'],
    ['  Ruth   Ann  Okafor ', 'Ruth Ann', 'Okafor'],
    ['Ruth', 'Ruth', ''],
    ['', '', ''],
  ])('%j becomes %j and %j', (name, first, last) => {
    expect(splitName(name)).toEqual({ first_name: first, last_name: last });
  });
});
