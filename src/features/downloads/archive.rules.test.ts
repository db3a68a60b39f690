import { describe, expect, test } from 'vitest';
import { archiveName, manifestText, uniqueNames } from '#src/features/downloads/archive.rules.ts';

describe('names in an archive', () => {
  test.each([
    [
      ['Goal.jpg', 'Save.jpg'],
      ['Goal.jpg', 'Save.jpg'],
    ],
    [
      ['Goal.jpg', 'Goal.jpg', 'Goal.jpg'],
      ['Goal.jpg', 'Goal (2).jpg', 'Goal (3).jpg'],
    ],
    [
      ['Goal.jpg', 'GOAL.jpg'],
      ['Goal.jpg', 'GOAL (2).jpg'],
    ],
    [
      ['Goal (2).jpg', 'Goal.jpg', 'Goal.jpg'],
      ['Goal (2).jpg', 'Goal.jpg', 'Goal (3).jpg'],
    ],
    [
      ['Caf\u00e9.jpg', 'Cafe\u0301.jpg'],
      ['Caf\u00e9.jpg', 'Cafe\u0301 (2).jpg'],
    ],
    [
      ['manifest.txt', 'plain'],
      ['manifest (2).txt', 'plain'],
    ],
  ])('%j become %j', (names, unique) => {
    expect(uniqueNames(names)).toEqual(unique);
  });

  test('are made unique fast for two thousand photos of the same name', () => {
    const names = uniqueNames(Array.from({ length: 2_000 }, () => 'Team.jpg'));
    expect(new Set(names).size).toBe(2_000);
    expect(names.at(-1)).toBe('Team (2000).jpg');
  });
});

test.each([
  ['America/New_York', '01.01.2027'],
  ['America/Los_Angeles', '12.31.2026'],
])('the manifest has the day of the seller, in %s', (timeZone, day) => {
  const seller = {
    id: 5,
    name: 'Hawks',
    path: 'hawks',
    parentId: 2,
    hostLabel: 'l',
    accent: '',
    taxId: null,
    timeZone,
  };
  const receipt = { id: 7, createdAt: new Date('2027-01-01T06:30:00Z'), seller };
  expect(manifestText(receipt, [])).toContain(`Order 7 of ${day}\r\n`);
});

test('the archive is named after seller and order, and its manifest contains no keys', () => {
  const receipt = {
    id: 7,
    createdAt: new Date('2026-05-09T18:00:00Z'),
    vanityId: 'AbCdEfGhIjKlMnOpQrStUv',
    seller: {
      id: 5,
      name: 'Hawks',
      path: 'hawks.soccer',
      parentId: 2,
      hostLabel: 'l',
      accent: '',
      taxId: null,
      timeZone: 'America/New_York',
    },
  };
  expect(archiveName(receipt)).toBe('hawks.soccer-order-7.zip');
  expect(manifestText(receipt, [{ name: 'Goal.jpg', bytes: 12 }])).toBe(
    'Hawks\r\nOrder 7 of 05.09.2026\r\n1 photo\r\n\r\nGoal.jpg\t12 bytes\r\n\r\nFor personal, non-commercial use.\r\n',
  );
});
