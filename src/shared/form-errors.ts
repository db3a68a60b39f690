/**
 * Errors of a form between two attempts: an error disappears as soon as it is fixed, and no new one appears while
 * someone types.
 */
import type { FieldErrors } from '#src/shared/problem.ts';

/** What an attempt found, by field, and the values it was made with. */
export type ShownErrors<Values> = { errors: FieldErrors; values: Values };

/**
 * The errors of an attempt that still apply to the present values. An error of the form's own check stays while the
 * check finds it; an error of the server stays until its field changes. Errors that belong to no field of the form
 * disappear with the first change.
 */
export function errorsLeft<Values extends object>(
  { errors, values: then }: ShownErrors<Values>,
  now: Values,
  check: (values: Values) => FieldErrors,
): FieldErrors {
  const fields = Object.entries(errors);
  if (fields.length === 0) return errors;
  const [foundThen, foundNow] = [check(then), check(now)];
  const hasChanged = (field: string) =>
    field in now ? isOther(field as keyof Values) : (Object.keys(now) as (keyof Values)[]).some(isOther);
  const isOther = (field: keyof Values) => !Object.is(then[field], now[field]);
  return Object.fromEntries(
    fields
      .map(([field, messages]): [string, string[]] => [
        field,
        messages.filter(
          (message) =>
            foundNow[field]?.includes(message) || (!foundThen[field]?.includes(message) && !hasChanged(field)),
        ),
      ])
      .filter(([, messages]) => messages.length > 0),
  );
}

/** Under the form's own names: `user.email` of a call is the form's `email`, unless its `values` have the whole name. */
export function bareErrors(errors: FieldErrors, values: object = {}): FieldErrors {
  const bare: FieldErrors = {};
  for (const [field, messages] of Object.entries(errors))
    (bare[field in values ? field : (field.split('.').at(-1) ?? '')] ??= []).push(...messages);
  return bare;
}
