/** Single User Update: errors before sending, and errors of the server (specification A§5, 8). */
import { describe, expect, test } from 'vitest';
import { KEYS_REQUIRED } from '#src/features/tenancy/processor-keys.contract.ts';
import * as words from '#src/features/settings/settings.contract.ts';
import type { SettingsAnswer } from '#src/features/settings/settings.contract.ts';
import { asTyped, changesOf, valuesOf, type SettingsValues } from '#src/features/settings/settings-form.rules.ts';
import * as settingsWords from '#src/features/tenancy/settings-words.contract.ts';
import { singleEditPath } from '#src/features/office/organization-list.rules.ts';
import { problemsOfEdit, refusalOf } from '#src/features/office/single-edit.rules.ts';
import { slugOf } from '#src/shared/slug.ts';

const SETTINGS = {
  id: 7,
  name: 'Hawks',
  contact_name: 'Cora',
  domain_name: 'hawks',
  default_photo_price: 2,
  primary_color: '#0099CC',
  time_zone: 'America/New_York',
  watermark_placement: 'tiled',
  watermark_strength: 'normal',
  can_add_custom_payment: false,
  processor_info: { stripe_pk: null, stripe_sk: null, stripe_sk_set: false, stripe_sk_last4: null },
  user_details: [{ id: 3, first_name: 'Cora', last_name: 'Coach', email: 'cora@hawks.test' }],
} as unknown as SettingsAnswer;
const SAVED = valuesOf(SETTINGS);
const KEPT = { ...SETTINGS.processor_info, stripe_pk: 'pk_test_a', stripe_sk_set: true, stripe_sk_last4: '1234' };

test('the messages are the specification’s', () => {
  expect(Object.values(words).filter((word) => typeof word === 'string')).toEqual(
    expect.arrayContaining([
      'Failed to fetch organization details',
      'Failed to fetch affiliate details',
      'No user associated with this organization',
      'Update failed',
      'Validation failed',
      'Unable to reset affiliate data: Current user data is missing',
    ]),
  );
  expect(words.unexpectedStatus(503)).toBe('Unexpected response status: 503');
  expect(settingsWords).toMatchObject({
    ORGANIZATION_NAME_REQUIRED: 'Organization name is required',
    CONTACT_NAME_REQUIRED: 'Contact name is required',
    DOMAIN_NAME_REQUIRED: 'Affiliate name (domain name) is required',
    NO_USER_FOR_PASSWORD: 'Cannot update password: No user associated with this organization',
    AFFILIATE_ID_MISSING: 'Cannot update: Affiliate ID is missing',
    PASSWORDS_DO_NOT_MATCH: 'Passwords do not match',
  });
});

describe('what is sent', () => {
  test.each<[string, Partial<SettingsValues>, Partial<SettingsAnswer>, Record<string, string[]>]>([
    ['nothing', {}, {}, {}],
    ['no name', { name: ' ' }, {}, { name: [settingsWords.ORGANIZATION_NAME_REQUIRED] }],
    ['no contact', { contact_name: '' }, {}, { contact_name: [settingsWords.CONTACT_NAME_REQUIRED] }],
    ['no path', { domain_name: '' }, {}, { domain_name: [settingsWords.DOMAIN_NAME_REQUIRED] }],
    [
      'custom payment without keys',
      { can_add_custom_payment: true },
      {},
      { stripe_pk: [KEYS_REQUIRED], stripe_sk: [KEYS_REQUIRED] },
    ],
    [
      'custom payment without a public key',
      { can_add_custom_payment: true, stripe_sk: 'sk_test_b' },
      {},
      { stripe_pk: [KEYS_REQUIRED] },
    ],
    [
      'custom payment with the keys that are kept',
      { can_add_custom_payment: true, stripe_pk: 'pk_test_a' },
      { processor_info: KEPT },
      {},
    ],
    [
      'two passwords',
      { password: 'seven red kites', confirm_password: 'eight red kites' },
      {},
      { confirm_password: [settingsWords.PASSWORDS_DO_NOT_MATCH] },
    ],
    [
      'a password without a user',
      { password: 'seven red kites', confirm_password: 'seven red kites' },
      { user_details: [] },
      { password: [settingsWords.NO_USER_FOR_PASSWORD] },
    ],
    ['no number', {}, { id: Number.NaN }, { affiliate: [settingsWords.AFFILIATE_ID_MISSING] }],
  ])('%s', (_what, typed, settings, errors) => {
    const given = { settings: { ...SETTINGS, ...settings }, passwordMin: 6 };
    expect(problemsOfEdit({ ...SAVED, ...typed }, SAVED, given)).toEqual(errors);
  });

  test('has no blank passwords, and the price as a number', () => {
    expect(changesOf({ ...SAVED, default_photo_price: '5', password: ' ' }, SAVED)).toEqual({ default_photo_price: 5 });
  });

  test.each([
    ["Coach O'Brien's Crème FC", 'coach-obriens-creme-fc'],
    ['HAWKS Soccer', 'hawks-soccer'],
    ['Ñandú’s', 'nandus'],
  ])('the path of %s is %s', (typed, path) => {
    expect(slugOf(typed)).toBe(path);
  });
});

describe('an error', () => {
  const said = { error: 'a sentence', body: {} };
  test.each<[string, number, Record<string, unknown>, Record<string, string[]>]>([
    ['the fields’ own words', 422, { errors: { 'affiliate.name': ['No name'] } }, { name: ['No name'] }],
    ['a list', 422, { errors: ['One', 'Two', 3] }, { affiliate: ['One', 'Two'] }],
    ['one text under errors', 422, { errors: 'One' }, { affiliate: ['One'] }],
    ['one text under error', 422, { errors: {}, error: 'One' }, { affiliate: ['One'] }],
    ['a field with one text', 422, { errors: { name: 'No name' } }, { name: ['No name'] }],
    ['no word', 422, {}, { affiliate: [words.VALIDATION_FAILED] }],
    ['null', 422, { errors: null, error: '' }, { affiliate: [words.VALIDATION_FAILED] }],
    ['another status', 500, {}, { affiliate: ['Unexpected response status: 500'] }],
    ['another status and why', 404, { error: 'Gone.' }, { affiliate: ['Unexpected response status: 404', 'Gone.'] }],
    ['no answer', 0, {}, { affiliate: [words.UPDATE_DID_NOT_WORK, 'a sentence'] }],
  ])('with %s', (_what, status, body, errors) => {
    expect(refusalOf({ ...said, status, body })).toEqual(errors);
  });

  test('is none if the server only confirms the change', () => {
    const typed = {
      ...SAVED,
      name: 'Owls',
      default_photo_price: '3',
      stripe_sk: 'sk_test_b',
      password: 'seven red kites',
    };
    const kept = valuesOf(asTyped(SETTINGS, typed));
    expect(kept).toMatchObject({ name: 'Owls', default_photo_price: '3.00', stripe_sk: '', password: '' });
  });
});

test.each([
  [{ id: 7, domainName: 'hawks', parentOrganizationId: 2 }, '/hawks/user/7/hawks/2/edit'],
  [{ id: 2, domainName: 'lakeside', parentOrganizationId: null }, '/hawks/user/2/lakeside/2/edit'],
])('%j is edited at %s', (edited, path) => {
  expect(singleEditPath('hawks', edited)).toBe(path);
});
