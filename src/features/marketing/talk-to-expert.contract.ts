/** Shapes and texts of "Talk to an expert" (specification P§2.4, 5, 7, 8): six fields, all required. */
import * as z from 'zod/mini';
import { INVALID_EMAIL, isEmail, requiredText, hasVisibleText, REQUIRED } from '#src/shared/validators.ts';
import type { FieldErrors } from '#src/shared/problem.ts';

/** The button while the form is being sent. */
export const SUBMITTING = 'Submitting';
export const EXPERT_THANKS = 'Thank you! We got your question and will reply soon.';
const ONE_LINE = 'One line, please.';
const INVALID_PHONE = 'Invalid phone number';

/** The form's message if the call did not return 200. */
export function expertFailure(email: string): string {
  return `There has been an error, please email ${email}`;
}

/** Name, label and maximum length of each field. */
export const EXPERT_FIELDS = {
  first_name: { label: 'First name', max: 100 },
  last_name: { label: 'Last name', max: 100 },
  email: { label: 'Email', max: 254 },
  phone_number: { label: 'Phone number', max: 40 },
  company_name: { label: 'Company name', max: 200 },
  question: { label: 'Question', max: 4_000 },
} as const;
/** Enough that a question that is far too long is still reported by field. */
export const EXPERT_BODY_BYTES = 131_072;
export type ExpertField = keyof typeof EXPERT_FIELDS;

const PHONE = /^[+(]?[\d\s()./-]{3,}(?:\s*(?:x|ext\.?|#)\s*\d{1,8})?$/i;

/** Digits with the usual separators, and an extension; any country's. */
function isPhoneNumber(value: string): boolean {
  return value.length <= EXPERT_FIELDS.phone_number.max && PHONE.test(value) && /\d.*\d.*\d/.test(value);
}

/** Fields in the email's lines must not start another line (threat 64). */
const line = (field: ExpertField) =>
  requiredText(EXPERT_FIELDS[field].max).check(z.refine((value) => !/\p{Cc}/u.test(value), { error: ONE_LINE }));

export const talkToExpertBody = z.strictObject({
  user: z.prefault(
    z.strictObject({
      first_name: line('first_name'),
      last_name: line('last_name'),
      email: requiredText(EXPERT_FIELDS.email.max).check(z.refine(isEmail, { error: INVALID_EMAIL })),
      phone_number: line('phone_number').check(z.refine(isPhoneNumber, { error: INVALID_PHONE })),
      company_name: line('company_name'),
      question: requiredText(EXPERT_FIELDS.question.max),
    }),
    {} as never,
  ),
});
export type ExpertQuestion = z.infer<typeof talkToExpertBody>['user'];

export const talkToExpertAnswer = z.object({ message: z.string() });

export const EXPERT_FIELD_NAMES = Object.keys(EXPERT_FIELDS) as readonly ExpertField[];

/** Every problem by field, in the specification's words (P§5); empty if the question may be sent. */
export function expertProblems(question: ExpertQuestion): FieldErrors {
  const problems: FieldErrors = {};
  for (const name of EXPERT_FIELD_NAMES) if (!hasVisibleText(question[name])) problems[name] = [REQUIRED];
  if (!problems['email'] && !isEmail(question.email.trim())) problems['email'] = [INVALID_EMAIL];
  if (!problems['phone_number'] && !isPhoneNumber(question.phone_number.trim()))
    problems['phone_number'] = [INVALID_PHONE];
  return problems;
}
