import * as z from 'zod/mini';
import { expect, test } from 'vitest';
import { columnsOf, present } from '#src/shared/field-names.ts';

const contract = z.object({
  id: z.number(),
  last4: z.nullable(z.string()),
  amount: z.number(),
  left_over: z.nullable(z.number()),
  paid_at: z.nullable(z.string()),
});

test('an answer has the fields of its contract under their names, and nothing else of the row', () => {
  const row = {
    id: 7,
    last4: '4242',
    amountCents: 450,
    leftOverCents: null,
    paidAt: new Date(0),
    passwordHash: 'secret',
  };
  expect(present(contract, row)).toEqual({
    id: 7,
    last4: '4242',
    amount: 4.5,
    left_over: null,
    paid_at: '1970-01-01T00:00:00.000Z',
  });
});

test('a row that lacks a field of the contract, or has it with another type, is refused by the compiler', () => {
  const row = { id: 7, last4: null, amount: 4.5, leftOver: null };
  // @ts-expect-error paid_at is missing
  present(contract, row);
  // @ts-expect-error an id is a number
  present(contract, { ...row, id: '7', paidAt: null });
  expect(present(contract, { ...row, paidAt: null })).toEqual({
    ...row,
    leftOver: undefined,
    left_over: null,
    paid_at: null,
  });
});

test('objects within an answer have the fields of their contract only', () => {
  const person = z.object({ name: z.string(), nick: z.optional(z.string()) });
  const nested = z.object({
    owner: z.nullable(person),
    people: z.optional(z.array(z.object({ id: z.number(), person }))),
    tags: z.array(z.string()),
  });
  const leaking = { name: 'Ann', passwordHash: 'secret' };
  const told = present(nested, {
    owner: leaking,
    people: [{ id: 1, person: leaking, key: 'secret' }],
    tags: ['a'],
  });
  expect(told).toEqual({ owner: { name: 'Ann' }, people: [{ id: 1, person: { name: 'Ann' } }], tags: ['a'] });
  expect(JSON.stringify(told)).not.toContain('secret');
  expect(present(nested, { owner: null, people: undefined, tags: [] }).owner).toBeNull();
});

test('an amount that is not a number of cents is refused', () => {
  const sum = z.object({ amount: z.nullable(z.number()) });
  // A sum of the database arrives as text.
  const row = JSON.parse('{"amountCents":"450"}') as { amountCents: number };
  expect(() => present(sum, row)).toThrow('amountCents is a string, not a number of cents');
  expect(() => present(sum, { amountCents: 4.5 })).toThrow();
  expect(present(sum, { amountCents: null })).toEqual({ amount: null });
});

test('values are written under the names of their columns', () => {
  expect(columnsOf({ id: 1, organizationId: 2, cardLast4: '4242', cardExpMonth: 12 })).toEqual({
    id: 1,
    organization_id: 2,
    card_last4: '4242',
    card_exp_month: 12,
  });
});
