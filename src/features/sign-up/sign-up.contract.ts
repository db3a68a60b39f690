/** Signing up: a person, an organization below the host's own, and its payment (specification P§2.4, 5, 8). */
import * as z from 'zod/mini';
import { accountEmail, newPassword, type PasswordPolicy } from '#src/features/sign-in/passwords.contract.ts';
import { PROMO_CODE_NOT_VALID } from '#src/features/billing/billing.contract.ts';
import { US_ZIP, ZIP_NOT_VALID } from '#src/features/tenancy/settings-words.contract.ts';
import { cardToken } from '#src/shared/card-token.ts';
import { domainNameProblems } from '#src/shared/domain-name.ts';
import { formKey, hasVisibleText, idSchema, must, REQUIRED, requiredText, tidy } from '#src/shared/validators.ts';

export const NAME_REQUIRED = 'Name required.';
export const TERMS_REQUIRED = 'TOS Agreement is Required';
export const AGREE_TO_TERMS = 'You must agree to the Terms of Service.';
export const AGE_AND_PLACE = 'I am 13 or older, or a parent or guardian acts for me, and I am in the United States.';
export const AGE_AND_PLACE_REQUIRED = 'Please confirm your age and that you are in the United States.';
export const ACCOUNT_TAKEN = 'This Account information is taken. Please try a new email, or a new org name.';
export const FREE_ONLY_AT_THE_ROOT = 'The free plan is not offered here.';
/** Card numbers are never sent through our own forms, so paying needs the provider's script. */
export const CARD_NEEDS_SCRIPT =
  'Paying by card requires JavaScript. Please turn it on in your browser, or choose the free tier where it is offered and upgrade later.';
export const TYPE_PASSWORD_AGAIN = 'Please enter your password again.';
export const PARENT_UNKNOWN = 'Accounts can’t be created under this organization.';
export const BULK_IS_FOR_ADMINS = 'Only platform administrators can create accounts for others.';
/** The form was sent before and opened an account, but has another person now. */
export const FORM_HAS_CHANGED =
  'This form already created an account with other values. Please look for it in the list of accounts.';
export const FORM_OPENED_ANOTHER = 'This form already created an account for another email.';

export const ORG_NAME_MAX = 200;

/** Punctuation and emoji alone are not a name (bad input 43). */
export const hasLetterOrDigit = (value: string) => /[\p{L}\p{N}]/u.test(value);

const organizationName = z
  .string({ error: REQUIRED })
  .check(
    tidy(),
    must(hasVisibleText, REQUIRED),
    must(hasLetterOrDigit, NAME_REQUIRED),
    z.maxLength(ORG_NAME_MAX, `At most ${ORG_NAME_MAX} characters, please.`),
  );

const domainName = z.string({ error: REQUIRED }).check(
  z.trim(),
  z.toLowerCase(),
  must((value) => value !== '', REQUIRED),
  z.check((context) => {
    for (const message of domainNameProblems(context.value))
      context.issues.push({ code: 'custom', message, input: context.value });
  }),
);

/** The person: also step 1 of the form. */
function personShape(policy: PasswordPolicy) {
  return {
    first_name: requiredText(100),
    last_name: requiredText(100),
    email: accountEmail,
    password: newPassword(REQUIRED, policy),
  };
}

export const zipText = z.string({ error: ZIP_NOT_VALID }).check(
  z.trim(),
  z.refine((value) => value === '' || US_ZIP.test(value), ZIP_NOT_VALID),
);

/** Step 1 of the page, with the specification's field names. */
export function firstStep(policy: PasswordPolicy) {
  return z.object({ ...personShape(policy), org_name: organizationName, affiliate_name: domainName });
}

/** Runs a check even if other fields have problems. */
const always = { when: () => true };

type Unread = {
  bulk_upload?: unknown;
  agreeToTerms?: unknown;
  confirmAgeAndPlace?: unknown;
  affiliateInfo?: { affiliateName?: unknown; domain_name?: unknown } | null;
} | null;
const isBulk = (body: Unread) => body?.bulk_upload === true;
const namesNoPath = (body: Unread) =>
  body?.affiliateInfo?.affiliateName === undefined && body?.affiliateInfo?.domain_name === undefined;

/** `POST /signup/` and `POST /api/v1/organizations/sign_up`. */
export function signUpBody(policy: PasswordPolicy) {
  return z
    .strictObject({
      user: z.prefault(
        z.strictObject({
          ...personShape(policy),
          zip: z.optional(z.nullable(zipText)),
          tax_id: z.optional(z.nullable(z.string().check(z.trim(), z.maxLength(20, 'At most 20 characters, please.')))),
        }),
        {} as never,
      ),
      affiliateInfo: z.prefault(
        z.strictObject({
          /** The organization's displayed name. */
          affiliateOrg: organizationName,
          /** Its path; must equal `domain_name`, which wins. */
          affiliateName: z.optional(domainName),
          domain_name: z.optional(domainName),
        }),
        {} as never,
      ),
      promoCode: z.optional(z.nullable(z.string().check(z.trim(), z.maxLength(100, PROMO_CODE_NOT_VALID)))),
      /** The parent; the host's own organization when absent. */
      org: z.optional(z.nullable(z.looseObject({ id: idSchema }, { error: PARENT_UNKNOWN }))),
      freeTier: z.optional(z.boolean()),
      bulk_upload: z.optional(z.boolean()),
      /** With `bulk_upload`: sending the same form again returns the account that it opened. */
      client_key: z.optional(formKey),
      agreeToTerms: z.optional(z.unknown()),
      confirmAgeAndPlace: z.optional(z.unknown()),
      stripe_token: z.optional(cardToken),
    })
    .check(
      z.refine((body) => !namesNoPath(body as Unread), {
        error: REQUIRED,
        path: ['affiliateInfo', 'affiliateName'],
        ...always,
      }),
      z.refine((body) => isBulk(body as Unread) || (body as Unread)?.agreeToTerms === true, {
        error: AGREE_TO_TERMS,
        path: ['agreeToTerms'],
        ...always,
      }),
      z.refine((body) => isBulk(body as Unread) || (body as Unread)?.agreeToTerms === true, {
        error: TERMS_REQUIRED,
        path: ['agreeToTerms'],
        ...always,
      }),
      z.refine((body) => isBulk(body as Unread) || (body as Unread)?.confirmAgeAndPlace === true, {
        error: AGE_AND_PLACE_REQUIRED,
        path: ['confirmAgeAndPlace'],
        ...always,
      }),
    );
}
export type SignUpBody = z.output<ReturnType<typeof signUpBody>>;
