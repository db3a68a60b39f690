/** What the form checks before it sends anything; the call checks again. */
import {
  EXPERT_FIELDS,
  INVALID_PHONE,
  isPhoneNumber,
  type ExpertField,
  type ExpertQuestion,
} from '#src/features/marketing/talk-to-expert.contract.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { hasVisibleText, INVALID_EMAIL, isEmail, REQUIRED } from '#src/shared/validators.ts';

export const EXPERT_FIELD_NAMES = Object.keys(EXPERT_FIELDS) as readonly ExpertField[];

/** Every problem under its field, in the specification's words (P§5); empty when the question may be sent. */
export function expertProblems(question: ExpertQuestion): FieldErrors {
  const problems: FieldErrors = {};
  for (const name of EXPERT_FIELD_NAMES) if (!hasVisibleText(question[name])) problems[name] = [REQUIRED];
  if (!problems['email'] && !isEmail(question.email.trim())) problems['email'] = [INVALID_EMAIL];
  if (!problems['phone_number'] && !isPhoneNumber(question.phone_number.trim()))
    problems['phone_number'] = [INVALID_PHONE];
  return problems;
}
