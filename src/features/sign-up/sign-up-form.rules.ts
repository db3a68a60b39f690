/** The form of a sign-up: fields, problems, steps, and the request body. */
import * as words from '#src/features/sign-up/sign-up.contract.ts';
import type { PasswordPolicy } from '#src/features/sign-in/passwords.contract.ts';
import { FREE_PLAN } from '#src/features/tenancy/plans.rules.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { slugOf } from '#src/shared/slug.ts';
import { errorsOf, REQUIRED } from '#src/shared/validators.ts';

export type SignUpValues = ReturnType<typeof blankSignUp>;

export function blankSignUp(isFree: boolean) {
  return {
    first_name: '',
    last_name: '',
    email: '',
    password: '',
    org_name: '',
    affiliate_name: '',
    /** The path was typed by hand and no longer follows the name. */
    isPathByHand: false,
    isFree,
    promoCode: '',
    /** The code that the server accepted. */
    acceptedCode: null as string | null,
    zip: '',
    agrees: false,
    confirmsAge: false,
  };
}

/** "1 Active Gallery, up to 500 photos", from the plan table. */
export const FREE_TIER_TEXT = `${FREE_PLAN.maxActiveGalleries} Active Gallery, up to ${FREE_PLAN.maxPhotosPerGallery} photos`;

/** Changes one field; the path follows the name until it is typed. */
export function changed(values: SignUpValues, change: Partial<SignUpValues>): SignUpValues {
  const next = { ...values, ...change };
  if (change.affiliate_name !== undefined) next.isPathByHand = change.affiliate_name !== '';
  if (change.org_name !== undefined && !next.isPathByHand) next.affiliate_name = slugOf(change.org_name);
  if (change.promoCode !== undefined && change.promoCode !== values.acceptedCode) next.acceptedCode = null;
  return next;
}

/** The fields, by their names in problems, that differ between two states of the form. */
export function changedFields(before: SignUpValues, next: SignUpValues): string[] {
  const names = Object.keys(next) as (keyof SignUpValues)[];
  return names.filter((name) => before[name] !== next[name]).map((name) => PROBLEM_FIELDS[name] ?? name);
}

/**
 * The remaining problems after a change: a field with a problem is checked again with every change of it, so that the problem
 * disappears as soon as it is fixed. Choosing another way to pay clears its problems.
 */
export function problemsLeft(
  errors: FieldErrors,
  { before, next, passwordMin }: { before: SignUpValues; next: SignUpValues; passwordMin: number },
): FieldErrors {
  const touched = new Set(changedFields(before, next));
  const problems = { ...firstStepProblems(next, passwordMin), ...secondStepProblems(next) };
  const paysAsBefore = paysByCard(before) === paysByCard(next);
  const left: FieldErrors = {};
  for (const [field, messages] of Object.entries(errors)) {
    if (!paysAsBefore && !FIRST_STEP.has(field)) continue;
    const shown = touched.has(field) ? (problems[field] ?? []) : messages;
    if (shown.length > 0) left[field] = shown;
  }
  if (before.agrees && !next.agrees) left['agreeToTerms'] = [words.TERMS_REQUIRED];
  return left;
}

const PROBLEM_FIELDS: Partial<Record<keyof SignUpValues, string>> = {
  agrees: 'agreeToTerms',
  confirmsAge: 'confirmAgeAndPlace',
  isFree: 'freeTier',
};

/** A card is needed unless the account is free or a promo code pays for it. */
export function paysByCard(values: SignUpValues): boolean {
  return !values.isFree && values.acceptedCode === null;
}

/** Problems of step 1. Only the server knows common passwords. */
export function firstStepProblems(values: SignUpValues, minimum: number): FieldErrors {
  const policy: PasswordPolicy = { minimum, isCommon: () => false };
  return errorsOf(words.firstStep(policy).safeParse(values).error);
}

export function secondStepProblems(values: SignUpValues): FieldErrors {
  const errors: FieldErrors = {};
  if (paysByCard(values)) {
    if (values.zip.trim() === '') errors['zip'] = [REQUIRED];
    for (const issue of words.zipText.safeParse(values.zip).error?.issues ?? []) errors['zip'] = [issue.message];
  }
  if (!values.agrees) errors['agreeToTerms'] = [words.AGREE_TO_TERMS, words.TERMS_REQUIRED];
  if (!values.confirmsAge) errors['confirmAgeAndPlace'] = [words.AGE_AND_PLACE_REQUIRED];
  return errors;
}

/** The body of `POST /signup/` and `POST /api/v1/organizations/sign_up`. */
export function signUpPayload(values: SignUpValues, parentId: number, token: unknown) {
  const isPaid = paysByCard(values);
  return {
    user: {
      first_name: values.first_name,
      last_name: values.last_name,
      email: values.email,
      password: values.password,
      ...(isPaid ? { zip: values.zip } : {}),
    },
    affiliateInfo: {
      affiliateName: values.affiliate_name,
      affiliateOrg: values.org_name,
      domain_name: values.affiliate_name,
    },
    promoCode: values.isFree ? '' : (values.acceptedCode ?? ''),
    org: { id: parentId },
    freeTier: values.isFree,
    agreeToTerms: values.agrees,
    confirmAgeAndPlace: values.confirmsAge,
    ...(isPaid ? { stripe_token: token } : {}),
  };
}

/** Names of the API's fields that differ in the form. */
const FORM_FIELDS: Record<string, string> = {
  affiliateOrg: 'org_name',
  affiliateName: 'affiliate_name',
  domain_name: 'affiliate_name',
  stripe_token: 'number',
};
const FIRST_STEP = new Set(['first_name', 'last_name', 'email', 'password', 'org_name', 'affiliate_name']);
const SECOND_STEP = new Set(['freeTier', 'promoCode', 'number', 'zip', 'agreeToTerms', 'confirmAgeAndPlace']);

/** Problems by field, and those without a field for the list. */
export type SignUpProblems = { errors: FieldErrors; messages: readonly string[] };

/** The server's problems by form field, and the step of the first one. */
export function placed(errors: FieldErrors): SignUpProblems & { step: 1 | 2 } {
  const atForm: FieldErrors = {};
  const messages: string[] = [];
  for (const [field, found] of Object.entries(errors)) {
    const name = FORM_FIELDS[field] ?? field;
    // Problems without a field in the form are listed as "field message" (P§8).
    if (!FIRST_STEP.has(name) && !SECOND_STEP.has(name))
      messages.push(...found.map((message) => `${field} ${message}`));
    else atForm[name] = [...new Set([...(atForm[name] ?? []), ...found])];
  }
  return { errors: atForm, messages, step: Object.keys(atForm).some((field) => FIRST_STEP.has(field)) ? 1 : 2 };
}

/** The form as sent without JavaScript; browsers leave out an unchecked box. */
export function signUpValuesOf(fields: Record<string, string>): SignUpValues {
  const text = (name: string) => fields[name] ?? '';
  const promoCode = text('promo_code').trim();
  return {
    first_name: text('first_name'),
    last_name: text('last_name'),
    email: text('email'),
    password: text('password'),
    org_name: text('org_name'),
    affiliate_name: text('affiliate_name').trim() === '' ? slugOf(text('org_name')) : text('affiliate_name'),
    isPathByHand: text('affiliate_name').trim() !== '',
    isFree: fields['plan'] === 'free',
    promoCode,
    acceptedCode: promoCode === '' ? null : promoCode,
    zip: text('zip'),
    agrees: fields['agree_to_terms'] !== undefined,
    confirmsAge: fields['confirm_age_and_place'] !== undefined,
  };
}
