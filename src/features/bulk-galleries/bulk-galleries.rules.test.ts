/** The messages of the bulk gallery page (specification A§5, 8; fault F24). */
import { describe, expect, test } from 'vitest';
import { messagesAfter, prefixed, photosLeftOf, statusOf } from '#src/features/bulk-galleries/bulk-galleries.rules.ts';
import { blankValues, messagesInOrder, problemsOf } from '#src/features/gallery-editor/gallery-form.rules.ts';

test('every message names its gallery', () => {
  const empty = { ...blankValues({ name: '', default_photo_price: 2 }), price_per_photo: '', password_required: true };
  expect(prefixed(2, messagesInOrder(problemsOf(empty, 7)))).toEqual([
    'Gallery 2: Gallery name required.',
    'Gallery 2: Price per photo required.',
    'Gallery 2: Photos by required.',
    'Gallery 2: Password is required.',
  ]);
});

describe('after saving all', () => {
  const fine = { key: 'a', wasNew: true, messages: [] };
  test.each([
    ['nothing is said when all went well', [fine, { ...fine, wasNew: false }], []],
    [
      'one that was not made is named',
      [fine, { ...fine, messages: ['We cannot reach the server.'] }],
      ['Some galleries could not be created.', 'Gallery 2: We cannot reach the server.'],
    ],
    [
      'one that is there and could not be changed is no gallery that could not be created',
      [{ key: 'a', wasNew: false, messages: ['Changed meanwhile.'] }, fine],
      ['Gallery 1: Changed meanwhile.'],
    ],
  ])('%s', (_case, results, messages) => expect(messagesAfter(results)).toEqual(messages));
});

test.each([
  [{ isPersisted: false, isChanged: false, isSaving: false, hasFailed: false }, 'blank'],
  [{ isPersisted: false, isChanged: true, isSaving: false, hasFailed: false }, 'unsaved'],
  [{ isPersisted: true, isChanged: false, isSaving: false, hasFailed: false }, 'saved'],
  [{ isPersisted: true, isChanged: true, isSaving: false, hasFailed: false }, 'changed'],
  [{ isPersisted: true, isChanged: true, isSaving: false, hasFailed: true }, 'failed'],
  [{ isPersisted: false, isChanged: true, isSaving: true, hasFailed: true }, 'saving'],
])('a form that is %j is %s', (form, status) => expect(statusOf(form)).toBe(status));

test.each([
  [true, 0, 500],
  [true, 499, 1],
  [true, 500, 0],
  [true, 501, 0],
  [false, 900, null],
])('free tier %s with %i photos accepts %s more', (isFree, photos, left) => {
  expect(photosLeftOf({ free_tier: isFree }, photos, 500)).toBe(left);
});
