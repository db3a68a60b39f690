/** What the forms of promo codes share. */
import type { FieldErrors } from '#src/shared/problem.ts';

/** `promo_code.max_uses` of a call is the form's `max_uses`. */
export function bareErrors(errors: FieldErrors): FieldErrors {
  return Object.fromEntries(Object.entries(errors).map(([field, messages]) => [field.replace(/^.*\./, ''), messages]));
}

/** Text that is no whole number stays text, so that the call refuses it in words. */
export function numberOf(text: string, otherwise: string): number | string {
  const tidy = text.trim().replaceAll(',', '');
  return /^\d+$/.test(tidy) ? Number(tidy) : otherwise;
}
