import { expect, test } from 'vitest';
import {
  allOfAthlete,
  athletePassId,
  athletePassItem,
  contentsOfPass,
} from '#src/features/order-offers/athlete-pass.rules.ts';
import { parseCart } from '#src/features/cart/cart.rules.ts';

const pass = {
  athlete_key: 'child:8123456789012345',
  whose: 'number 10',
  price: 25,
  photos: 31,
  galleries: 3,
  gallery_id: 77,
  sheet_id: 3,
  until: '2027-06-30',
};
const seller = { id: 5, name: 'Hawks', path: 'hawks' };

test('a pass in a cart is read again as it was stored', () => {
  const item = athletePassItem(pass, seller);
  expect(item).toMatchObject({ id: 8123456789012345, gallery_id: 77, name: 'number 10', sales_price: 25, pass: true });
  expect(parseCart(JSON.stringify([item]))).toEqual([item]);
});

test('0, 00, 07 and 7 of a team, and 7 of another team, are different passes', () => {
  const keys = ['team:3:0', 'team:3:00', 'team:3:07', 'team:3:7', 'team:4:7'];
  expect(new Set(keys.map(athletePassId)).size).toBe(keys.length);
});

test('no numbers of two teams are the same pass', () => {
  const numbers = ['0', '9', '00', '005', '999', '0000', '1005', '9999'];
  const keys = [1, 2, 3].flatMap((team) => numbers.map((number) => `team:${team}:${number}`));
  expect(new Set(keys.map(athletePassId)).size).toBe(keys.length);
});

test.each([
  [31, 31, '', 'All 31 photos for $25.00'],
  [31, 40, '', '31 of 40 photos for $25.00'],
  [31, 31, ' of number 10', 'All 31 photos of number 10 for $25.00'],
  [1, 1, '', 'All photos for $25.00'],
])('of %s photos of %s is called %j', (photos, total, of, text) => {
  expect(allOfAthlete({ ...pass, photos }, of, total)).toBe(text);
});

test('the contents of a pass are listed', () => {
  expect(contentsOfPass(pass)).toBe('From 3 galleries, and new ones until 06.30.2027.');
  expect(contentsOfPass({ ...pass, galleries: 1 })).toBe('From 1 gallery, and new ones until 06.30.2027.');
});
