import { describe, expect, test } from 'vitest';
import { bareErrors, errorsLeft } from '#src/shared/form-errors.ts';
import type { FieldErrors } from '#src/shared/problem.ts';

type Values = { name: string; email: string; again: string };
const RIGHT: Values = { name: 'Ruth', email: 'ruth@families.test', again: 'ruth@families.test' };
const REQUIRED = 'Name is required.';
const NO_ADDRESS = 'Not an address.';
const DIFFERENT = 'Emails do not match.';
const TAKEN = 'This email is taken.';

function check({ name, email, again }: Values): FieldErrors {
  return {
    ...(name === '' ? { name: [REQUIRED] } : {}),
    ...(email.includes('@') ? {} : { email: [NO_ADDRESS] }),
    ...(email === again ? {} : { again: [DIFFERENT] }),
  };
}

describe('an error of a form', () => {
  test.each<[string, Values, FieldErrors, Values, FieldErrors]>([
    [
      'stays while it holds',
      { ...RIGHT, name: '' },
      { name: [REQUIRED] },
      { ...RIGHT, name: '' },
      { name: [REQUIRED] },
    ],
    ['leaves when it is mended', { ...RIGHT, name: '' }, { name: [REQUIRED] }, { ...RIGHT, name: 'R' }, {}],
    [
      'leaves alone, without the others',
      { name: '', email: 'x', again: 'x' },
      { name: [REQUIRED], email: [NO_ADDRESS] },
      { name: 'R', email: 'x', again: 'x' },
      { email: [NO_ADDRESS] },
    ],
    [
      'stays while its field is changed and is still wrong',
      { ...RIGHT, email: 'x', again: 'x' },
      { email: [NO_ADDRESS] },
      { ...RIGHT, email: 'xy', again: 'x' },
      { email: [NO_ADDRESS] },
    ],
    [
      'of two fields leaves when the other one is mended',
      { ...RIGHT, email: 'ruth@familes.test' },
      { again: [DIFFERENT] },
      RIGHT,
      {},
    ],
    ['is not found anew before the next try', RIGHT, {}, { ...RIGHT, name: '' }, {}],
    ['that only the server knew stays', RIGHT, { email: [TAKEN] }, { ...RIGHT, name: 'Rut' }, { email: [TAKEN] }],
    [
      'that only the server knew leaves when its field changes',
      RIGHT,
      { email: [TAKEN] },
      { ...RIGHT, email: 'r@x.test' },
      {},
    ],
    ['of no field stays while nothing changes', RIGHT, { form: ['Away.'] }, { ...RIGHT }, { form: ['Away.'] }],
    ['of no field leaves with the first change', RIGHT, { form: ['Away.'] }, { ...RIGHT, name: 'Rut' }, {}],
  ])('%s', (_rule, then, errors, now, left) => {
    expect(errorsLeft({ errors, values: then }, now, check)).toEqual(left);
  });
});

test('the fields of a call are those of the form', () => {
  expect(bareErrors({ 'processor_info.stripe_pk': ['a'], stripe_pk: ['b'], name: ['c'] })).toEqual({
    stripe_pk: ['a', 'b'],
    name: ['c'],
  });
  const rows = { 'amounts.0.amount': '4', 'amounts.1.amount': '10' };
  expect(bareErrors({ 'amounts.0.amount': ['a'], 'amounts.2.amount': ['b'] }, rows)).toEqual({
    'amounts.0.amount': ['a'],
    amount: ['b'],
  });
});
