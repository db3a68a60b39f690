import { expect, test } from 'vitest';
import { changedFields, keepTyped } from '#src/shared/form-values.ts';

const SAVED = { name: 'Cup', city: '', password: '' };

test('the changed fields of a form are found', () => {
  expect(changedFields(SAVED, { ...SAVED })).toEqual([]);
  expect(changedFields({ ...SAVED, password: 'x' }, SAVED)).toEqual(['password']);
});

test('what was typed during a save stays, and every other field shows what was saved', () => {
  const sent = { ...SAVED, name: 'final', password: 'abcdef' };
  const kept = { ...SAVED, name: 'Final' };
  expect(keepTyped({ ...sent, city: 'Ely' }, sent, kept)).toEqual({ ...kept, city: 'Ely' });
});
