import { describe, expect, test } from 'vitest';
import type { WaitingContributor, WaitingPhoto } from '#src/features/contributors/contributors.contract.ts';
import {
  afterRemoval,
  actionOf,
  groupsOf,
  instagramAddress,
  nameOf,
  newestOf,
  restored,
} from '#src/features/contributors/review.rules.ts';

const photo = (id: number, contributor = 1): WaitingPhoto => ({
  id,
  contributor_id: contributor,
  name: `Photo ${id}`,
  image_url: '/x?v=1',
  width: 3,
  height: 2,
  thumbhash: null,
  status: 'ready',
  taken_at: null,
  is_blurry: false,
  similar_to: null,
});
const person = (id: number, email: string): WaitingContributor => ({
  id,
  email,
  name: `Person ${id}`,
  site: null,
  instagram: null,
  waiting: 1,
  sent_at: '2026-11-21T00:00:00.000Z',
});
const PHOTOS = [photo(1), photo(2), photo(3)];
const ids = (photos: readonly WaitingPhoto[]) => photos.map(({ id }) => id);

test('everything from one address is one group with all its names, however often it sent', () => {
  const people = new Map([
    [1, person(1, 'ana@families.test')],
    [2, person(2, 'ben@families.test')],
    [3, person(3, 'Ana@families.test')],
    [4, { ...person(4, 'ana@families.test'), name: 'Person 1' }],
  ]);
  const groups = groupsOf([photo(1, 1), photo(2, 2), photo(3, 3), photo(4, 9), photo(5, 4)], people);
  expect(groups.map((group) => [group.person.id, group.names, ids(group.photos)])).toEqual([
    [1, ['Person 1', 'Person 3'], [1, 3, 5]],
    [2, ['Person 2'], [2]],
  ]);
});

test.each([
  [['Ana'], 'Ana'],
  [['Ana', 'Ben', 'Cleo'], 'Ana, Ben, Cleo'],
  [['Ana', 'Ben', 'Cleo', 'Dan'], 'Ana, Ben, Cleo, and 1 more name'],
  [Array.from({ length: 60 }, (_, at) => `Person ${at}`), 'Person 0, Person 1, Person 2, and 57 more names'],
])('a group of %j is called "%s"', (names, called) => {
  expect(nameOf({ names })).toBe(called);
});

test('the group of an address ends with its newest contribution', () => {
  const people = new Map([
    [3, person(3, 'ana@families.test')],
    [5, person(5, 'Ana@families.test')],
    [7, person(7, 'ben@families.test')],
    // Known, but none of its photos is in the list yet.
    [9, person(9, 'ana@families.test')],
  ]);
  expect(newestOf(person(3, 'ana@families.test'), [photo(1, 3), photo(2, 5), photo(3, 7)], people)).toBe(5);
  expect(newestOf(person(7, 'ben@families.test'), [photo(3, 7)], people)).toBe(7);
});

describe('after a decision', () => {
  test.each<[string, number | null, number[], number | null]>([
    ['the next one', 1, [1], 2],
    ['the one before where none is left', 3, [3], 2],
    ['the same where another went', 2, [1], 2],
    ['the next that stays', 1, [1, 2], 3],
    ['none at the end', 1, [1, 2, 3], null],
    ['the first where none was looked at', null, [1], 2],
  ])('%s is shown', (_which, current, gone, next) => {
    expect(afterRemoval(PHOTOS, current, new Set(gone))).toBe(next);
  });

  test('an undone photo is first, once', () => {
    expect(ids(restored([photo(2), photo(3)], [photo(1), photo(2)]))).toEqual([1, 2, 3]);
  });
});

describe('a key', () => {
  const press = (key: string, more: object = {}) =>
    actionOf({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...more });
  test.each([
    ['a', 'approve'],
    ['ArrowRight', 'next'],
    ['j', 'next'],
    ['ArrowLeft', 'previous'],
    ['k', 'previous'],
    ['r', 'reject'],
    ['Delete', 'reject'],
    ['u', 'undo'],
    ['x', null],
    ['Enter', null],
  ])('%s: %s', (key, action) => expect(press(key)).toBe(action));

  test('with Shift is for the whole person, and with other modifiers belongs to the browser', () => {
    expect(press('A', { shiftKey: true })).toBe('approve-person');
    expect(press('R', { shiftKey: true })).toBe('reject-person');
    for (const other of ['ctrlKey', 'metaKey', 'altKey']) expect(press('a', { [other]: true })).toBeNull();
  });
});

test.each([
  ['@ana.flores', 'https://www.instagram.com/ana.flores/'],
  ['ana', 'https://www.instagram.com/ana/'],
  ['https://instagram.com/ana/', 'https://www.instagram.com/ana/'],
  ['@@@', null],
  ['javascript:alert(1)', null],
  ['ana flores', null],
])('Instagram of %j is %j', (name, address) => expect(instagramAddress(name)).toBe(address));
