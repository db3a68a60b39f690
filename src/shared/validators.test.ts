import { describe, expect, test } from 'vitest';
import {
  dollars,
  errorsOf,
  hasVisibleText,
  idSchema,
  isEmail,
  requiredText,
  optionalText,
} from '#src/shared/validators.ts';
import { readId } from '#src/shared/read-id.ts';
import { processorMsOf } from '#tests/support/processor-time.ts';

describe('email addresses', () => {
  test.each([
    ['coach@hawks.test', true],
    ['a.b+c%d_e-f@sub.domain.photography', true],
    ['a@b', false],
    ['a@b.c', false],
    ['a b@c.de', false],
    ['@c.de', false],
    ['a@.de', false],
    ['a@b..de', false],
    [`${'a'.repeat(65)}@b.de`, false],
    [`a@${'b.'.repeat(200)}de`, false],
  ])('%s: %s', (value, valid) => {
    expect(isEmail(value)).toBe(valid);
  });

  test('are checked quickly even for a hostile text of 100 kB', async () => {
    const check = () => expect(isEmail(`a@${'a-'.repeat(50_000)}!`)).toBe(false);
    expect(await processorMsOf(check)).toBeLessThan(500);
  });
});

describe('ids', () => {
  test.each([
    [1, 1],
    ['1', 1],
    ['9007199254740991', 9_007_199_254_740_991],
    ['9007199254740992', null],
    ['abc', null],
    ['-1', null],
    ['0', null],
    [0, null],
    ['1.5', null],
    ['1e3', null],
    ['01', null],
    ['9'.repeat(150), null],
    [null, null],
    [{}, null],
  ])('%j → %j', (value, id) => {
    expect(readId(value)).toBe(id);
    expect(idSchema.safeParse(value).success).toBe(id !== null);
  });

  test.each([
    [undefined, 'This field is required'],
    [null, 'This field is required'],
    ['', 'Not an id.'],
    ['seven', 'Not an id.'],
    [true, 'Not an id.'],
  ])('%j as an id is refused: %s', (value, message) => {
    expect(errorsOf(idSchema.safeParse(value).error)).toEqual({ form: [message] });
  });
});

describe('text', () => {
  test.each([
    ['Spring Cup', true],
    ['  ', false],
    ['', false],
    ['\u200B\u200D', false],
    ['\u202E', false],
    ['🎉', true],
  ])('%j is visible: %s', (value, visible) => {
    expect(hasVisibleText(value)).toBe(visible);
    expect(requiredText(200).safeParse(value).success).toBe(visible);
  });

  test('is trimmed and limited, with the given message when blank', () => {
    expect(requiredText(5).parse('  abc ')).toBe('abc');
    expect(
      requiredText(5, 'Gallery name required.')
        .safeParse(' ')
        .error?.issues.map((issue) => issue.message),
    ).toEqual(['Gallery name required.']);
    expect(requiredText(5).safeParse('abcdef').success).toBe(false);
    expect(requiredText(5).safeParse(7).success).toBe(false);
  });
});

describe('text that imitates other text', () => {
  test.each([
    ['Anna \u202Egnp.exe', 'Anna gnp.exe'],
    ['\u2066Hawks\u2069', 'Hawks'],
    ['Cup\u0007 \u009BFinal\u0000', 'Cup Final'],
    ['\uFEFFTeam\u2028', 'Team'],
    ['two\nlines\tand a tab', 'two\nlines\tand a tab'],
    ['👩‍👧 Đội Bóng שלום', '👩‍👧 Đội Bóng שלום'],
  ])('%j is stored as %j', (value, kept) => {
    expect(requiredText(100).parse(value)).toBe(kept);
    expect(optionalText(100).parse(value)).toBe(kept);
  });
});

describe('dollars in requests', () => {
  const price = dollars({ maximum: 1_000_000, required: 'needed', invalid: 'wrong' });
  test.each([
    [0, 0],
    [2.5, 250],
    [10_000, 1_000_000],
  ])('%j is %j cents', (value, amount) => {
    expect(price.parse(value)).toBe(amount);
  });
  test.each([
    [null, 'needed'],
    [undefined, 'needed'],
    ['', 'wrong'],
    ['abc', 'wrong'],
    ['2.50', 'wrong'],
    [-1, 'wrong'],
    [0.001, 'wrong'],
    [10_000.01, 'wrong'],
    [1e21, 'wrong'],
    [Number.NaN, 'wrong'],
  ])('%j is refused: %s', (value, message) => {
    expect(price.safeParse(value).error?.issues[0]?.message).toBe(message);
  });
});
