import { describe, expect, test } from 'vitest';
import {
  checkoutErrors,
  checkoutValues,
  isOnlyOfCard,
  listedErrors,
  withSubtotals,
  type Buyer,
} from '#src/features/checkout/checkout-form.rules.ts';
import * as words from '#src/features/orders/orders.contract.ts';
import type { FieldErrors } from '#src/shared/problem.ts';

const RUTH: Buyer = {
  first_name: 'Ruth',
  last_name: 'Okafor',
  email: 'ruth@families.test',
  confirm_email: 'ruth@families.test',
  zip: '55401',
};
const CARD = { isEmpty: false, edits: 1 };
const REST = { donation: '', items: '', passes: '', codes: '', chargeNeeded: true, zipNeeded: true };

describe('the checkout form', () => {
  test('has no errors for a buyer with a card', () => {
    expect(checkoutErrors(checkoutValues(RUTH, CARD, REST))).toEqual({});
  });

  test('reports all problems, each under its field', () => {
    const noBuyer = { first_name: '', last_name: ' ', email: '', confirm_email: '', zip: '' };
    const rest = { ...REST, donation: 'a lot', items: `${words.PHOTO_NOT_AVAILABLE}\n${words.PRICES_CHANGED}` };
    expect(checkoutErrors(checkoutValues(noBuyer, { isEmpty: true, edits: 0 }, rest))).toEqual({
      first_name: [words.FIRST_NAME_REQUIRED],
      last_name: [words.LAST_NAME_REQUIRED],
      email: [words.EMAIL_REQUIRED],
      confirm_email: [words.CONFIRM_EMAIL_REQUIRED],
      zip: [words.ZIP_REQUIRED],
      donation: [words.DONATION_NOT_VALID],
      number: [words.CARD_REQUIRED],
      items: [words.PHOTO_NOT_AVAILABLE, words.PRICES_CHANGED],
    });
  });

  test('requires no card and no zip where nothing is charged', () => {
    const free = { ...REST, chargeNeeded: false, zipNeeded: false };
    expect(checkoutErrors(checkoutValues({ ...RUTH, zip: 'x' }, { isEmpty: true, edits: 0 }, free))).toEqual({});
  });

  test.each<[string, FieldErrors, boolean, string[]]>([
    ['a declined card is told at the card alone', { card: ['No.'] }, true, []],
    ['so is a number that is wrong', { number: ['Wrong.'], cvc: ['Wrong, too.'] }, true, []],
    ['beside other problems the card is listed with them', { email: ['E.'], number: ['N.'] }, false, ['E.', 'N.']],
    ['what is no field is listed', { form: ['F.'] }, false, ['F.']],
    ['a code is listed, because its field may be out of sight', { codes: ['C.'] }, false, ['C.']],
    ['nothing is nothing', {}, false, []],
  ])('%s', (_rule, errors, isOfCard, listed) => {
    expect(isOnlyOfCard(errors)).toBe(isOfCard);
    expect(listedErrors(errors)).toEqual(listed);
  });

  test.each([
    [
      'another one than was sent is named with it',
      [words.PRICES_CHANGED],
      11,
      9,
      [words.subtotalNow('$11.00', '$9.00')],
    ],
    ['of a price that changed before it was sent, nothing is named', [words.PRICES_CHANGED], 11, 11, []],
    ['nothing was sent', [words.PRICES_CHANGED], 11, null, []],
    ['the new one is not known', [words.PRICES_CHANGED], null, 9, []],
    ['something else is wrong', [words.ZIP_REQUIRED], 11, 9, []],
  ])('the subtotal: %s', (_rule, listed, now, sent, more) => {
    expect(withSubtotals(listed, now, sent)).toEqual([...listed, ...more]);
  });
});
