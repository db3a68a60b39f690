import { describe, expect, test } from 'vitest';
import { isReservedLabel } from '#src/shared/domain-name.ts';
import { slugOf } from '#src/shared/slug.ts';

describe('the path made from a name', () => {
  test.each([
    ['Hawks Soccer Club', 'hawks-soccer-club'],
    ['Đội Bóng Trường', 'doi-bong-truong'],
    ["L'École  d'Été", 'lecole-dete'],
    ['  Maple Street PTO  ', 'maple-street-pto'],
    ["Coach O’Neil's Team", 'coach-oneils-team'],
    ['!!!', ''],
    ['🎉', ''],
    ['St. Mary', 'st.-mary'],
    ['a'.repeat(80), 'a'.repeat(63)],
  ])('%j → %j', (name, slug) => {
    expect(slugOf(name)).toBe(slug);
  });
});

describe('labels of the site itself', () => {
  test.each([
    ['api', true],
    ['API', true],
    ['login', true],
    ['_next', true],
    ['xn--caf-dma', true],
    ['404', true],
    ['hawks-soccer', false],
  ])('%s reserved: %s', (label, reserved) => {
    expect(isReservedLabel(label)).toBe(reserved);
  });
});
