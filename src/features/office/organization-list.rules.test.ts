import { describe, expect, test } from 'vitest';
import {
  listAddress,
  pageOf,
  readAccountParams,
  readListParams,
  sortedBy,
  splitContact,
} from '#src/features/office/organization-list.rules.ts';

const query = (text: string) => new URLSearchParams(text);

describe('the address of a list', () => {
  test.each([
    ['', { search: '', after: null, before: null }],
    ['search=+hawks+&after=7', { search: 'hawks', after: 7, before: null }],
    ['after=7&before=9', { search: '', after: null, before: 9 }],
    ['after=x&before=-1', { search: '', after: null, before: null }],
    [`search=${'a'.repeat(300)}`, { search: 'a'.repeat(100), after: null, before: null }],
  ])('%s', (text, params) => {
    expect(readListParams(query(text))).toEqual(params);
  });

  test.each([
    ['', 'id', 'asc'],
    ['sort=email&direction=desc', 'email', 'desc'],
    ['sort=password&direction=up', 'id', 'asc'],
  ])('sorted by "%s"', (text, sort, direction) => {
    expect(readAccountParams(query(text))).toMatchObject({ sort, direction });
  });

  test('a heading sorts ascending, clicked again descending, and starts on the first page', () => {
    const now = readAccountParams(query('search=cup&after=40'));
    expect(listAddress('/a', sortedBy(now, 'id'))).toBe('/a?search=cup&sort=id&direction=desc');
    expect(listAddress('/a', sortedBy(now, 'email'))).toBe('/a?search=cup&sort=email');
    expect(listAddress('/a', sortedBy(readAccountParams(query('sort=email&direction=desc')), 'email'))).toBe(
      '/a?sort=email',
    );
    expect(listAddress('/a', {})).toBe('/a');
  });
});

describe('a page of three rows', () => {
  const rows = (...ids: number[]) => ids.map((id) => ({ id }));
  test.each([
    ['the only one', rows(1, 2), { after: null, before: null }, [1, 2], null, null],
    ['the first of more', rows(1, 2, 3, 4), { after: null, before: null }, [1, 2, 3], 3, null],
    ['one in the middle', rows(4, 5, 6, 7), { after: 3, before: null }, [4, 5, 6], 6, 4],
    ['the last', rows(7), { after: 6, before: null }, [7], null, 7],
    ['back to the middle', rows(6, 5, 4, 3), { after: null, before: 7 }, [4, 5, 6], 6, 4],
    ['back to the first', rows(3, 2, 1), { after: null, before: 4 }, [1, 2, 3], 3, null],
    ['none', rows(), { after: null, before: null }, [], null, null],
  ])('%s', (_which, found, place, ids, next, previous) => {
    const page = pageOf(found, place, 3);
    expect([page.rows.map(({ id }) => id), page.next, page.previous]).toEqual([ids, next, previous]);
  });
});

describe('a row', () => {
  test.each([
    [null, '', ''],
    ['', '', ''],
    ['Rosa', 'Rosa', ''],
    ['Rosa Lind', 'Rosa', 'Lind'],
    ['  Rosa Maria   van der Berg ', 'Rosa', 'Berg'],
  ])('splits the contact %j', (contact, first, last) => {
    expect(splitContact(contact)).toEqual({ first, last });
  });
});
