import { useState } from 'react';
import { errorsLeft, type ShownErrors } from '#src/shared/form-errors.ts';
import type { FieldErrors } from '#src/shared/problem.ts';

export type FormErrors<Values> = {
  /** By field; each is removed as soon as it is fixed. */
  errors: FieldErrors;
  /** Counts the attempts, for the error list. */
  attempt: number;
  /**
   * Shows what an attempt found, by the form's own check or on the server. No errors: the attempt succeeded. `of` are the
   * values that were sent, if they are not those of the form.
   */
  show: (errors: FieldErrors, of?: Values) => void;
};

/**
 * The errors of a form whose values are kept in one object. `check` finds every error of the values; it depends on nothing
 * else, so a value that another component holds (a card entry) is passed here too.
 */
export function useFormErrors<Values extends object>(
  values: Values,
  check: (values: Values) => FieldErrors,
): FormErrors<Values> {
  const [shown, setShown] = useState<ShownErrors<Values>>({ errors: {}, values });
  const [attempt, setAttempt] = useState(0);
  return {
    errors: errorsLeft(shown, values, check),
    attempt,
    show(errors, of = values) {
      setShown({ errors, values: of });
      setAttempt((count) => count + 1);
    },
  };
}
