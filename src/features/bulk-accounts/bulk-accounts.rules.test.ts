/** The bulk account forms as data (specification A§3, 5, 7, 8; fault F24). */
import { describe, expect, test } from 'vitest';
import {
  blankForm,
  changed,
  cleanedException,
  draftOf,
  problemLines,
  payloadOf,
  problemsOf,
  readDraft,
  refusalOf,
  sharedProblems,
  stopsTheRun,
  type AccountForm,
} from '#src/features/bulk-accounts/bulk-accounts.rules.ts';
import { ACCOUNT_TAKEN } from '#src/features/sign-up/sign-up.contract.ts';

const LAKESIDE = {
  id: 2,
  name: 'Lakeside Youth Sports',
  domain_name: 'lakeside',
  parent_organization_id: null,
  parent_name: null,
  site: 'http://lakeside.sideline.localhost:3000',
  free_tier: false,
  default_photo_price: 2,
};
const right = (changes: Partial<AccountForm> = {}): AccountForm => ({
  ...blankForm('k1', LAKESIDE),
  newOrgName: 'Harbor Rowing',
  customPath: 'harbor-rowing',
  firstName: 'Ada',
  lastName: 'Park',
  email: 'ada@harbor.test',
  password: 'nine fine pines',
  zip: '94110',
  agreeToTerms: true,
  ...changes,
});

describe('all forms together', () => {
  test.each<[string, Partial<AccountForm>, string[]]>([
    ['all is there', {}, []],
    ['one does not agree', { agreeToTerms: false }, ['All forms must agree to the Terms of Service.']],
    ['one has no parent', { parent: null }, ['Parent Organization is required for all forms.']],
    ['one has no name', { newOrgName: ' ' }, ['New Organization Name is required for all forms.']],
    [
      'nothing is there',
      { agreeToTerms: false, parent: null, newOrgName: '' },
      [
        'All forms must agree to the Terms of Service.',
        'Parent Organization is required for all forms.',
        'New Organization Name is required for all forms.',
      ],
    ],
  ])('%s', (_case, changes, messages) => {
    expect(sharedProblems([right(), right(changes)])).toEqual(messages);
  });
});

describe('one form', () => {
  test('that is valid has no problems', () => expect(problemsOf(right(), 6)).toEqual({}));

  test('that is empty reports every field as required', () => {
    const errors = problemsOf(blankForm('k', null), 6);
    expect(Object.keys(errors).toSorted()).toEqual(
      [
        'parent',
        'newOrgName',
        'customPath',
        'firstName',
        'lastName',
        'email',
        'password',
        'zip',
        'agreeToTerms',
      ].toSorted(),
    );
    expect(problemLines(errors, 2)).toEqual([
      'Account 2: Custom path, First name, Last name, Email, Password, Zip: This field is required',
    ]);
    expect(problemLines(errors, null)[0]).toMatch(/^Custom path, /);
  });

  test.each<[string, Partial<AccountForm>, Record<string, string[]>]>([
    ['an address that is none', { email: 'ada' }, { email: [expect.stringMatching(/email/i)] as never }],
    ['a short password', { password: 'five5' }, { password: ['Minimum 6 chars'] }],
    ['a path with odd letters', { customPath: 'har bor!' }, { customPath: ['Only Numbers and Letters'] }],
    ['a path that belongs to the site', { customPath: 'admin' }, { customPath: ['This address is not available.'] }],
    ['a zip of another country', { zip: 'SW1A' }, { zip: ['Zip is not a valid US zip code.'] }],
  ])('with %s', (_case, changes, errors) => {
    expect(problemsOf(right(changes), 6)).toEqual(errors);
  });

  test('has a path that follows the name until the path is typed', () => {
    let form = changed(blankForm('k', null), { newOrgName: "St. Mary's Déjà Vu" });
    expect(form.customPath).toBe('st.-marys-deja-vu');
    form = changed(form, { customPath: 'marys' });
    expect(changed(form, { newOrgName: 'Other' }).customPath).toBe('marys');
    form = changed(form, { customPath: '' });
    expect(changed(form, { newOrgName: 'Other' }).customPath).toBe('other');
  });

  test('is sent for another user, on the free tier, with its own key and no card', () => {
    expect(payloadOf(right())).toEqual({
      user: {
        first_name: 'Ada',
        last_name: 'Park',
        email: 'ada@harbor.test',
        password: 'nine fine pines',
        zip: '94110',
      },
      affiliateInfo: { affiliateOrg: 'Harbor Rowing', affiliateName: 'harbor-rowing', domain_name: 'harbor-rowing' },
      promoCode: '',
      org: { id: 2, name: 'Lakeside Youth Sports', domain_name: 'lakeside', parent_org: null },
      freeTier: true,
      bulk_upload: true,
      agreeToTerms: true,
      client_key: 'k1',
    });
  });
});

describe('an error', () => {
  test.each([
    ['Validation failed: Email has already been taken', 'Email has already been taken'],
    ['ActiveRecord::RecordInvalid: Validation failed: Email is odd', 'Email is odd'],
    ['#<ActiveRecord::RecordInvalid: Validation failed: Email is odd>', 'Email is odd'],
    ['Something else', 'Something else'],
  ])('with the exception %s says %s', (exception, message) => {
    expect(cleanedException(exception)).toBe(message);
    expect(refusalOf({ status: 422, error: 'x', errors: { a: ['b'] }, body: { exception } }).messages).toEqual([
      message,
    ]);
  });

  test.each<[string, Parameters<typeof refusalOf>[0], string[]]>([
    [
      'fields: "{field} {message}"',
      { status: 422, error: 'x', errors: { email: ['is odd'], 'user.password': ['Minimum 6 chars'] }, body: {} },
      ['email is odd', 'user.password Minimum 6 chars'],
    ],
    ['someone has it', { status: 422, error: ACCOUNT_TAKEN, errors: {}, body: {} }, [ACCOUNT_TAKEN]],
    ['nothing at all', { status: 422, error: '', errors: {}, body: {} }, [ACCOUNT_TAKEN]],
    ['a failure of ours', { status: 500, error: 'Oh no.', errors: {}, body: {} }, ['Error saving user', 'Oh no.']],
    ['no words', { status: 502, error: '', errors: {}, body: {} }, ['Error saving user']],
  ])('%s', (_case, refusal, messages) => {
    expect(refusalOf(refusal).messages).toEqual(messages);
  });

  test('shows the call’s errors below the form’s fields', () => {
    const errors = { first_name: ['a'], affiliateName: ['b'], domain_name: ['b', 'c'], org: ['d'] };
    expect(refusalOf({ status: 422, error: 'x', errors, body: {} }).errors).toEqual({
      firstName: ['a'],
      customPath: ['b', 'c'],
      parent: ['d'],
    });
  });

  test.each([
    [0, true],
    [401, true],
    [403, true],
    [409, false],
    [422, false],
    [500, false],
  ])('of status %i stops the run: %s', (status, stops) => expect(stopsTheRun({ status })).toBe(stops));
});

describe('the draft of a tab', () => {
  test('restores everything but passwords, for the same user', () => {
    const forms = [right(), blankForm('k2', null)];
    const draft = draftOf(7, forms) ?? '';
    expect(draft).not.toContain('nine fine pines');
    expect(readDraft(draft, 7)).toEqual([right({ password: '' }), blankForm('k2', null)]);
    expect(readDraft(draft, 8)).toBeNull();
  });

  test('is empty if nothing was typed', () => expect(draftOf(7, [blankForm('k', LAKESIDE)])).toBeNull());

  test.each([null, '', '{', '7', '{"userId":7}', '{"userId":7,"forms":[]}', '{"userId":7,"forms":[1,{"key":2}]}'])(
    'that is invalid (%j) is deleted',
    (text) => expect(readDraft(text, 7)).toBeNull(),
  );
});
