/** Single User Update: problems before it is sent, and messages of a refused update (specification A§5, 8). */
import {
  unexpectedStatus,
  UPDATE_DID_NOT_WORK,
  VALIDATION_FAILED,
  type SettingsAnswer,
} from '#src/features/settings/settings.contract.ts';
import { AFFILIATE_ID_MISSING, NO_USER_FOR_PASSWORD } from '#src/features/tenancy/settings-words.contract.ts';
import { KEYS_REQUIRED } from '#src/features/tenancy/processor-keys.contract.ts';
import { problemsOf, type SettingsValues } from '#src/features/settings/settings-form.rules.ts';
import { bareErrors } from '#src/shared/form-errors.ts';
import type { FieldErrors } from '#src/shared/problem.ts';

/** All problems that a browser can find: as in the settings, and keys are required if custom payment is on. */
export function problemsOfEdit(
  values: SettingsValues,
  saved: SettingsValues,
  { settings, passwordMin }: { settings: SettingsAnswer; passwordMin: number },
): FieldErrors {
  if (!Number.isSafeInteger(settings.id) || settings.id <= 0) return { affiliate: [AFFILIATE_ID_MISSING] };
  const errors = problemsOf(values, saved, passwordMin);
  if (values.can_add_custom_payment) {
    if (values.stripe_pk.trim() === '') errors['stripe_pk'] ??= [KEYS_REQUIRED];
    if (values.stripe_sk.trim() === '' && !settings.processor_info.stripe_sk_set)
      errors['stripe_sk'] ??= [KEYS_REQUIRED];
  }
  if (values.password.trim() !== '' && settings.user_details.length === 0) errors['password'] = [NO_USER_FOR_PASSWORD];
  return errors;
}

/** A refused update as `api` returns it. */
type RefusedUpdate = { status: number; error: string; body: Record<string, unknown> };

/**
 * Messages of a refused update: the fields' own messages of a 422, from `errors` or `error`; otherwise the general
 * error, and the server's message below it.
 */
export function refusalOf({ status, error, body }: RefusedUpdate): FieldErrors {
  if (status === 0) return { affiliate: [UPDATE_DID_NOT_WORK, error] };
  const general = typeof body['error'] === 'string' && body['error'] !== '' ? [body['error']] : [];
  if (status !== 422) return { affiliate: [unexpectedStatus(status), ...general] };
  const fields = fieldErrorsOf(body['errors']);
  if (Object.keys(fields).length > 0) return bareErrors(fields);
  return { affiliate: general.length > 0 ? general : [VALIDATION_FAILED] };
}

/** `errors` may be a list of messages, or messages by field. */
function fieldErrorsOf(errors: unknown): FieldErrors {
  if (typeof errors === 'string' && errors !== '') return { affiliate: [errors] };
  if (Array.isArray(errors)) {
    const texts = errors.filter((each) => typeof each === 'string');
    return texts.length > 0 ? { affiliate: texts } : {};
  }
  if (typeof errors !== 'object' || errors === null) return {};
  const byField = Object.entries(errors).map(([field, messages]) => {
    const texts = [messages].flat().filter((each) => typeof each === 'string');
    return [field, texts] as const;
  });
  return Object.fromEntries(byField.filter(([, texts]) => texts.length > 0));
}
