import { describe, expect, test } from 'vitest';
import {
  blankSignUp,
  changed,
  changedFields,
  firstStepProblems,
  FREE_TIER_TEXT,
  paysByCard,
  placed,
  problemsLeft,
  secondStepProblems,
  signUpPayload,
  signUpValuesOf,
  type SignUpValues,
} from '#src/features/sign-up/sign-up-form.rules.ts';
import { signUpBody } from '#src/features/sign-up/sign-up.contract.ts';

const filled: SignUpValues = {
  ...blankSignUp(false),
  first_name: 'Ada',
  last_name: 'Park',
  email: 'ada@families.test',
  password: 'nine fine pines',
  org_name: 'Hawks Soccer Club',
  affiliate_name: 'hawks-soccer-club',
  zip: '55401',
  agrees: true,
  confirmsAge: true,
};

describe('the path of the form', () => {
  test('follows the name until it is typed by hand, and again once it is cleared', () => {
    const named = changed(blankSignUp(false), { org_name: "L'École  d'Été" });
    expect(named.affiliate_name).toBe('lecole-dete');
    const byHand = changed(named, { affiliate_name: 'ete' });
    expect(changed(byHand, { org_name: 'Đội Bóng' }).affiliate_name).toBe('ete');
    const emptied = changed(byHand, { affiliate_name: '' });
    expect(changed(emptied, { org_name: 'Đội Bóng' }).affiliate_name).toBe('doi-bong');
  });

  test('is among the fields that change with the name', () => {
    expect(changedFields(blankSignUp(false), changed(blankSignUp(false), { org_name: 'Hawks' }))).toEqual([
      'org_name',
      'affiliate_name',
    ]);
    expect(changedFields(filled, changed(filled, { agrees: false }))).toEqual(['agreeToTerms']);
  });
});

describe('the first step', () => {
  test('reports each problem once, under its field', () => {
    expect(firstStepProblems(blankSignUp(false), 6)).toEqual(
      Object.fromEntries(
        ['first_name', 'last_name', 'email', 'password', 'org_name', 'affiliate_name'].map((field) => [
          field,
          ['This field is required'],
        ]),
      ),
    );
  });

  test('removes an error as soon as its field is corrected, and adds none while typing', () => {
    const before = { ...filled, email: 'a@b', password: '12345' };
    const shown = { email: ['Invalid email address'] };
    const left = (change: Partial<SignUpValues>) =>
      problemsLeft(shown, { before, next: { ...before, ...change }, passwordMin: 6 });
    expect(left({ email: 'a@b.' })).toEqual(shown);
    expect(left({ email: 'a@b.org' })).toEqual({});
    expect(left({ first_name: '' })).toEqual(shown);
    expect(left({ agrees: false })).toEqual({ ...shown, agreeToTerms: ['TOS Agreement is Required'] });
  });

  test('clears the errors of the previous way to pay', () => {
    const shown = { number: ['Please enter a card.'], email: ['Invalid email address'] };
    const next = { ...filled, isFree: true };
    expect(problemsLeft(shown, { before: filled, next, passwordMin: 6 })).toEqual({ email: ['Invalid email address'] });
  });

  test.each([
    [{ password: '1234567' }, 8, { password: ['Minimum 8 chars'] }],
    [{ email: 'a@b.c' }, 6, { email: ['Invalid email address'] }],
    [{ org_name: '!!!', affiliate_name: 'fine' }, 6, { org_name: ['Name required.'] }],
    [{ affiliate_name: 'www x' }, 6, { affiliate_name: ['Only Numbers and Letters', 'WWW is not a valid choice'] }],
    [{}, 6, {}],
  ])('%j with at least %i characters', (change, minimum, errors) => {
    expect(firstStepProblems({ ...filled, ...change }, minimum)).toEqual(errors);
  });
});

describe('the second step', () => {
  test('requires a card and its zip only when one is charged', () => {
    const noZip = { ...filled, zip: '' };
    expect(secondStepProblems(noZip)).toEqual({ zip: ['This field is required'] });
    expect(secondStepProblems({ ...filled, zip: 'H0H 0H0' })).toEqual({ zip: ['Zip is not a valid US zip code.'] });
    expect(secondStepProblems({ ...noZip, isFree: true })).toEqual({});
    expect(secondStepProblems({ ...noZip, promoCode: 'KICKOFF1', acceptedCode: 'KICKOFF1' })).toEqual({});
    expect(paysByCard({ ...filled, promoCode: 'TYPED' })).toBe(true);
  });

  test('resets the accepted code when it is changed', () => {
    const accepted = { ...filled, promoCode: 'KICKOFF1', acceptedCode: 'KICKOFF1' };
    expect(changed(accepted, { promoCode: 'KICKOFF' }).acceptedCode).toBeNull();
    expect(changed(accepted, { zip: '1' }).acceptedCode).toBe('KICKOFF1');
  });

  test('requires both checkboxes', () => {
    expect(secondStepProblems({ ...filled, agrees: false, confirmsAge: false })).toEqual({
      agreeToTerms: ['You must agree to the Terms of Service.', 'TOS Agreement is Required'],
      confirmAgeAndPlace: ['Please confirm your age and that you are in the United States.'],
    });
  });
});

describe('what is sent', () => {
  const body = signUpBody({ minimum: 6, isCommon: () => false });
  test.each([
    ['paid', filled, { freeTier: false, promoCode: '', stripe_token: 'tok' }],
    ['free', { ...filled, isFree: true }, { freeTier: true, promoCode: '' }],
    [
      'by code',
      { ...filled, promoCode: 'KICKOFF1', acceptedCode: 'KICKOFF1' },
      { freeTier: false, promoCode: 'KICKOFF1' },
    ],
  ])('%s is what the call reads', (_kind, values, expected) => {
    const payload = signUpPayload(values, 1, { id: 'tok' });
    expect(body.parse(payload)).toMatchObject({ ...expected, org: { id: 1 } });
    expect('stripe_token' in payload).toBe('stripe_token' in expected);
  });
});

test('the server’s errors are shown under the form’s fields, on the step where they can be corrected', () => {
  expect(placed({ affiliateName: ['A'], domain_name: ['A'] })).toEqual({
    errors: { affiliate_name: ['A'] },
    messages: [],
    step: 1,
  });
  expect(placed({ promoCode: ['B'] })).toEqual({ errors: { promoCode: ['B'] }, messages: [], step: 2 });
  expect(placed({ org: ['is closed'] })).toEqual({ errors: {}, messages: ['org is closed'], step: 2 });
  expect(placed({})).toEqual({ errors: {}, messages: [], step: 2 });
});

test('a form sent without JavaScript is read like the one on the screen', () => {
  const sent = {
    first_name: 'Ada',
    last_name: 'Park',
    email: 'ada@families.test',
    password: 'nine fine pines',
    org_name: 'Hawks Soccer Club',
    affiliate_name: '',
    plan: 'free',
    agree_to_terms: 'on',
    confirm_age_and_place: 'on',
  };
  expect(signUpValuesOf(sent)).toEqual({ ...filled, isFree: true, zip: '' });
  expect(signUpValuesOf({ plan: 'premium', promo_code: ' KICKOFF1 ' })).toMatchObject({
    isFree: false,
    acceptedCode: 'KICKOFF1',
    agrees: false,
  });
});

test('the free tier’s description comes from the plan table', () => {
  expect(FREE_TIER_TEXT).toBe('1 Active Gallery, up to 500 photos');
});
