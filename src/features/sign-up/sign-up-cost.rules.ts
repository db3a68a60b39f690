/** Which kind of account a sign-up requests, what it costs, and whether it is allowed (rules 22, 51). */
import { PROMO_CODE_NOT_VALID } from '#src/features/billing/billing.contract.ts';
import * as words from '#src/features/sign-up/sign-up.contract.ts';
import type { SignUpBody } from '#src/features/sign-up/sign-up.contract.ts';
import { CARD_REQUIRED } from '#src/shared/card-token.ts';
import { ADDRESS_NOT_AVAILABLE } from '#src/shared/domain-name.ts';
import { brokenConstraint, type FieldErrors } from '#src/shared/problem.ts';

export type AccountPlan = { kind: 'free' } | { kind: 'promo'; code: string } | { kind: 'paid'; token: string };

type SignUpTerms = {
  parent: { kind: string; domainName: string; takesPromoCodes: boolean };
  isPlatformAdmin: boolean;
  /** `POST /api/v1/organizations/sign_up`: neither free nor with a promo code. */
  mustPay: boolean;
};

/** The requested path: both names of it must be equal, `domain_name` wins. */
export function pathOf(info: SignUpBody['affiliateInfo']): string {
  return info.domain_name ?? info.affiliateName ?? '';
}

/** The server decides what the account costs, whatever a client says. */
export function costOf(body: SignUpBody, terms: SignUpTerms): { plan: AccountPlan } | { errors: FieldErrors } {
  const errors: FieldErrors = {};
  const isFree = body.freeTier === true || body.bulk_upload === true;
  const code = body.promoCode ?? '';
  if (isFree && (terms.mustPay || !(terms.parent.kind === 'root' || terms.isPlatformAdmin)))
    errors['freeTier'] = [words.FREE_ONLY_AT_THE_ROOT];
  if (!isFree && code !== '' && (terms.mustPay || !terms.parent.takesPromoCodes))
    errors['promoCode'] = [PROMO_CODE_NOT_VALID];
  // Below a parent `/{its own name}` is the parent itself (rule 33).
  if (pathOf(body.affiliateInfo) === terms.parent.domainName.toLowerCase())
    errors['domain_name'] = [ADDRESS_NOT_AVAILABLE];
  const token = body.stripe_token ?? null;
  if (!isFree && code === '' && token === null) errors['stripe_token'] = [CARD_REQUIRED];
  if (Object.keys(errors).length > 0) return { errors };
  if (isFree) return { plan: { kind: 'free' } };
  return { plan: code === '' ? { kind: 'paid', token: token ?? '' } : { kind: 'promo', code } };
}

/** The constraints that mean "already taken". */
const TAKEN = new Set(['users_email', 'organizations_path', 'organizations_host_label', 'sign_up_keys_pkey']);

/** Whether the database refused a row because the address or the path is taken (simultaneous sign-ups). */
export function isTaken(error: unknown): boolean {
  return TAKEN.has(brokenConstraint(error) ?? '');
}
