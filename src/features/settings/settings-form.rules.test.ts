/** The settings form: only changes are sent, and errors are shown before. */
import {
  COLOR_NOT_VALID,
  contrastWords,
  readColor,
  type SettingsAnswer,
} from '#src/features/settings/settings.contract.ts';
import { expect, test } from 'vitest';
import {
  changesMark,
  changesOf,
  isUpload,
  mayType,
  problemsOf,
  valuesOf,
} from '#src/features/settings/settings-form.rules.ts';
import { ADDRESS_NOT_AVAILABLE, ONLY_NUMBERS_AND_LETTERS } from '#src/shared/domain-name.ts';
import * as words from '#src/features/tenancy/settings-words.contract.ts';

const SAVED = valuesOf({
  name: 'Hawks',
  contact_name: 'Cora',
  domain_name: 'hawks',
  default_photo_price: 2,
  primary_color: '#0099CC',
  time_zone: 'America/New_York',
  watermark_placement: 'tiled',
  watermark_strength: 'normal',
  can_add_custom_payment: true,
  processor_info: { stripe_pk: 'pk_test_a', stripe_sk: null, stripe_sk_set: true, stripe_sk_last4: '1234' },
} as SettingsAnswer);

test.each<[Partial<typeof SAVED>, Record<string, unknown>]>([
  [{}, {}],
  [{ name: 'Owls' }, { name: 'Owls' }],
  [{ default_photo_price: '3' }, { default_photo_price: 3 }],
  [{ default_photo_price: '' }, { default_photo_price: null }],
  [{ stripe_sk: 'sk_test_b' }, { processor_info: { stripe_pk: 'pk_test_a', stripe_sk: 'sk_test_b' } }],
  [{ can_add_custom_payment: false }, { can_add_custom_payment: false }],
  [{ password: ' ' }, {}],
  [
    { password: 'abcdef', confirm_password: 'abcdef' },
    { password: 'abcdef', confirm_password: 'abcdef' },
  ],
  [{ logo_url: 'uploads/1/settings/x.png' }, { logo_url: 'uploads/1/settings/x.png' }],
])('%j sends %j', (changed, body) => {
  expect(changesOf({ ...SAVED, ...changed }, SAVED)).toEqual(body);
});

test.each<[Partial<typeof SAVED>, Record<string, string[]>]>([
  [{}, {}],
  [{ name: ' ' }, { name: [words.ORGANIZATION_NAME_REQUIRED] }],
  [{ contact_name: '' }, { contact_name: [words.CONTACT_NAME_REQUIRED] }],
  [{ domain_name: '' }, { domain_name: [words.DOMAIN_NAME_REQUIRED] }],
  [{ domain_name: ' Hawks' }, {}],
  [
    { name: ' ', domain_name: 'ha wks' },
    { name: [words.ORGANIZATION_NAME_REQUIRED], domain_name: [ONLY_NUMBERS_AND_LETTERS] },
  ],
  [
    { name: '', domain_name: 'login' },
    { name: [words.ORGANIZATION_NAME_REQUIRED], domain_name: [ADDRESS_NOT_AVAILABLE] },
  ],
  [{ default_photo_price: '' }, { default_photo_price: [words.DEFAULT_PRICE_REQUIRED] }],
  [{ default_photo_price: 'two' }, { default_photo_price: [words.DEFAULT_PRICE_NOT_VALID] }],
  [{ primary_color: 'red' }, { primary_color: [COLOR_NOT_VALID] }],
  [{ password: 'one two three', confirm_password: 'four' }, { confirm_password: [words.PASSWORDS_DO_NOT_MATCH] }],
  [{ password: 'one', confirm_password: 'one' }, { password: ['Minimum 6 chars'] }],
])('%j has the problems %j', (changed, errors) => {
  expect(problemsOf({ ...SAVED, ...changed }, SAVED, 6)).toEqual(errors);
});

test.each<[string, boolean]>([
  ['', true],
  ['100', true],
  ['100.', true],
  ['100.01', false],
  ['101', false],
  ['1000', false],
  ['ten', true],
])('a price of %j may be typed: %s', (price, may) => {
  expect(mayType(price, words.MAX_DEFAULT_PRICE_CENTS)).toBe(may);
});

test.each<[string, string | null]>([
  ['#0099cc', '#0099CC'],
  ['#09c', '#0099CC'],
  ['rgb(0,153,204)', '#0099CC'],
  [' rgb( 0 , 153 , 204 ) ', '#0099CC'],
  ['0099cc', null],
  ['rgb(256,0,0)', null],
  ['rgb(-1,0,0)', null],
  ['red', null],
  ['#12', null],
  ['#0099CC;background:url(x)', null],
])('the color %j is parsed as %j', (given, read) => {
  expect(readColor(given)).toBe(read);
});

test.each<[Partial<typeof SAVED>, boolean]>([
  [{}, false],
  [{ billing_city: 'Ely' }, false],
  [{ name: 'Owls' }, true],
  [{ watermark_text: ' Hawks ' }, false],
  [{ watermark_text: 'Owls' }, true],
  [{ watermark_placement: 'centred' }, true],
  [{ watermark_strength: 'light' }, true],
  [{ watermark_url: 'uploads/1/settings/x.png' }, true],
])('%j watermarks photos again: %s', (changed, marks) => {
  expect(changesMark({ ...SAVED, ...changed }, SAVED)).toBe(marks);
});

test('an upload is not an address', () => {
  expect(['', '/api/v1/x', 'uploads/1/settings/x.png'].map(isUpload)).toEqual([false, false, true]);
});

test.each([
  [{ own: 3.3, used: 4.6, isDarkened: true }, /would have a contrast of 3\.3 to 1, .* with 4\.6 to 1: easy to read\.$/],
  [{ own: 6, used: 6, isDarkened: false }, /^Text on your color has a contrast of 6\.0 to 1: easy to read\.$/],
])('%j is reported without contradiction', (color, words) => {
  expect(contrastWords(color)).toMatch(words);
});
