import { expect, test } from 'vitest';
import { draftOf, readDraft } from '#src/features/bulk-galleries/bulk-galleries.rules.ts';
import { blankValues } from '#src/features/gallery-editor/gallery-form.rules.ts';

const HAWKS = {
  id: 7,
  name: 'Hawks',
  domain_name: 'hawks',
  parent_organization_id: 2,
  parent_name: 'Lakeside',
  site: 'http://lakeside.test',
  free_tier: false,
  default_photo_price: 2,
};
const typed = {
  organization: HAWKS,
  values: { ...blankValues(HAWKS), name: 'Final', is_private: true, password_required: true, password: 'goalkeeper' },
  clientKey: 'key-1',
  isTyped: true,
};
const blank = { organization: null, values: blankValues(HAWKS), clientKey: 'key-2', isTyped: false };

test('input is restored for its user, without the password', () => {
  const text = draftOf(3, [typed, blank]);
  expect(text).not.toContain('goalkeeper');
  expect(readDraft(text, 3)).toEqual([
    { organization: HAWKS, values: { ...typed.values, password: '' }, clientKey: 'key-1' },
    { organization: null, values: blank.values, clientKey: 'key-2' },
  ]);
  expect(readDraft(text, 4)).toBeNull();
});

test('without input nothing is stored', () => {
  expect(draftOf(3, [blank, blank])).toBeNull();
  expect(draftOf(3, [])).toBeNull();
});

test.each([
  null,
  '',
  '{',
  'null',
  '{"userId":3}',
  '{"userId":3,"forms":[]}',
  '{"userId":3,"forms":[null,{"clientKey":1,"values":{}},{"clientKey":"a"}]}',
])('%s in the storage is not a draft', (text) => {
  expect(readDraft(text, 3)).toBeNull();
});

test('fields of another type become blank, and unknown fields are dropped', () => {
  const text = JSON.stringify({
    userId: 3,
    forms: [
      { clientKey: 'a', organization: { id: 'x' }, values: { name: 5, is_private: 'yes', photos_by: 'Rosa', more: 1 } },
    ],
  });
  expect(readDraft(text, 3)).toEqual([
    {
      organization: null,
      values: { ...blankValues({ name: '', default_photo_price: 0 }), photos_by: 'Rosa' },
      clientKey: 'a',
    },
  ]);
});
