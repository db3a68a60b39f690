import { describe, expect, test } from 'vitest';
import { actorWords, actionWords, detailLines, NO_PERSON, objectWords } from '#src/features/audit/audit.rules.ts';

describe('a line of the log in words', () => {
  test.each([
    ['takedown.mode_changed', 'Takedown: mode changed'],
    ['order.reconciled', 'Order: reconciled'],
    ['payout.created', 'Payout: created'],
    ['signed_up', 'Signed up'],
    ['api_token.made', 'API token: made'],
  ])('%s is "%s"', (action, words) => expect(actionWords(action)).toBe(words));

  test.each([
    ['tax_rate', '7', null, {}, 'tax rate 7'],
    ['price_sheet', '7559881793999311', null, { name: 'Season prices' }, '“Season prices”'],
    ['coupon', '2', null, { code: 'ROW20' }, '“ROW20”'],
    ['gallery', '8', null, { name: '' }, 'gallery 8'],
    ['gallery', '8', 'Cup Final', { name: 'Cup' }, '“Cup”'],
    ['photo', '9', 'IMG_1 (Cup Final)', { gallery_id: 8 }, '“IMG_1 (Cup Final)”'],
    ['roster_import', '6940026531716911', null, { rows: 2 }, ''],
    ['bulk_import', '5', 'new-clubs.csv', { rows: 2 }, '“new-clubs.csv”'],
    ['bulk_import', '5', 'new-clubs.csv', { file: 'clubs.csv' }, '“clubs.csv”'],
    ['organization', '4', null, {}, 'organization 4'],
    ['organization', '3', null, {}, ''],
  ])('of organization 3 names %s %s, now %s, with %j as “%s”', (type, id, name, details, words) =>
    expect(objectWords({ object_type: type, object_id: id, object_name: name, organization_id: 3, details })).toBe(
      words,
    ),
  );

  test('names the user', () => {
    expect(actorWords({ actor: { id: 7, name: 'Ann Coach' } })).toBe('Ann Coach');
    expect(actorWords({ actor: { id: 7, name: ' ' } })).toBe('Person 7');
    expect(actorWords({ actor: null })).toBe(NO_PERSON);
  });

  test.each([
    [{ before: 'ask', after: 'hide' }, [['Changed', 'ask → hide']]],
    [{ from: 'old', to: '' }, [['Changed', 'old → nothing']]],
    [
      { before: { name: 'A', price: 2 }, after: { name: 'B', price: 2 } },
      [
        ['Name', 'A → B'],
        ['Price', '2 → 2'],
      ],
    ],
    [
      { takedown_id: 3, hidden_first: true },
      [
        ['Takedown id', '3'],
        ['Hidden first', 'yes'],
      ],
    ],
    [
      { ids: [1, 2], nested: { a_b: null } },
      [
        ['Ids', '1, 2'],
        ['Nested', 'a b nothing'],
      ],
    ],
    [
      { plan_before: 'free', plan: 'premium', share_bps_before: 2000, share_bps: 1050, subscription_ended: true },
      [
        ['Plan', 'free → premium'],
        ['Sideline keeps', '20 % → 10.5 %'],
        ['Subscription ended', 'yes'],
      ],
    ],
    [
      { rate_ppm_before: 72_500, rate_ppm: null, last4_before: null, last4: '4242' },
      [
        ['Rate', '7.25 % → nothing'],
        ['Secret key ends with', 'nothing → 4242'],
      ],
    ],
    [
      { amount_cents: 4583, orders: 4 },
      [
        ['Amount', '$45.83'],
        ['Orders', '4'],
      ],
    ],
    [{}, []],
    [null, []],
    ['text', []],
  ])('details %j', (details, lines) =>
    expect(detailLines(details).map(({ name, text }) => [name, text])).toEqual(lines),
  );
});
