/** `POST /api/v1/organizations`: a platform admin creates a parent organization and the account of its contact. */
import * as z from 'zod/mini';
import { newPassword, type PasswordPolicy } from '#src/features/sign-in/passwords.contract.ts';
import { hasLetterOrDigit, ORG_NAME_MAX } from '#src/features/sign-up/sign-up.contract.ts';
import { hostLabelProblems } from '#src/shared/domain-name.ts';
import { hasVisibleText, INVALID_EMAIL, isEmail, must, optionalText, tidy } from '#src/shared/validators.ts';

const blankToAbsent = z.optional(z.nullable(optionalText(2_000)));

/** Blank means the slug of the name. */
const hostLabel = z.optional(
  z.nullable(
    z.string({ error: 'Must be text.' }).check(
      z.trim(),
      z.toLowerCase(),
      z.check((context) => {
        for (const message of context.value === '' ? [] : hostLabelProblems(context.value))
          context.issues.push({ code: 'custom', message, input: context.value });
      }),
    ),
  ),
);

export function newOrganizationBody(policy: PasswordPolicy) {
  return z.strictObject({
    organization: z.prefault(
      z.strictObject({
        name: z.string({ error: NEW_ORG_NAME_REQUIRED }).check(
          tidy(),
          must(hasVisibleText, NEW_ORG_NAME_REQUIRED),
          must((value) => !hasVisibleText(value) || hasLetterOrDigit(value), NEW_ORG_NAME_REQUIRED),
          z.maxLength(ORG_NAME_MAX, `At most ${ORG_NAME_MAX} characters, please.`),
        ),
        /** The key or the `Location` of the same user's upload, made for the main organization's logo. */
        logo_url: blankToAbsent,
        contact_email: z.string({ error: NEW_ORG_EMAIL_REQUIRED }).check(
          z.trim(),
          z.toLowerCase(),
          must((value) => value !== '', NEW_ORG_EMAIL_REQUIRED),
          must((value) => value === '' || isEmail(value), INVALID_EMAIL),
        ),
        contact_name: z.optional(z.nullable(optionalText(200))),
        domain_name: hostLabel,
      }),
      {} as never,
    ),
    password: newPassword(NEW_ORG_PASSWORD_REQUIRED, policy),
  });
}
export type NewOrganizationBody = z.output<ReturnType<typeof newOrganizationBody>>;

/** Texts of the New Organization form (specification A§2, 5; rule 14). Without schemas, for the page. */
export const NEW_ORG_TITLE = 'New Organization';
export const NEW_ORG_NAME_REQUIRED = 'Name required.';
const NEW_ORG_EMAIL_REQUIRED = 'Email required.';
const NEW_ORG_PASSWORD_REQUIRED = 'Password required.';
export const EMAIL_HAS_ACCOUNT = 'This email already belongs to an account.';
export const CREATE = 'Create Organization';
export const CREATING = 'Creating...';
export const START_OVER = 'Start over';
