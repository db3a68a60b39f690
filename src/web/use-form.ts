/** The one form layer: its values, its errors, and sending it once (docs/decisions/0047-forms.md). */
import { useRef, useState } from 'react';
import { bareErrors, errorsLeft, type ShownErrors } from '#src/shared/form-errors.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import type { Answered, ApiResult, Refused } from '#src/web/api-client.ts';

/** Every error of the values, by field. It depends only on them: values of another component are passed in, too. */
type Check<Values> = (values: Values) => FieldErrors;

const isNothing = (errors: FieldErrors) => Object.keys(errors).length === 0;

/** The errors of values that are stored elsewhere. `useForm` stores both. */
export function useFormErrors<Values extends object>(values: Values, check: Check<Values>) {
  const [shown, setShown] = useState<ShownErrors<Values>>({ errors: {}, values });
  const [attempt, setAttempt] = useState(0);
  return {
    /** Each disappears as soon as it is fixed. */
    errors: errorsLeft(shown, values, check),
    /** Counts the attempts, for the error list. */
    attempt,
    /**
     * Shows the errors of an attempt: from the form's own check, or from the server. Without errors the attempt
     * succeeded: returns true. `checked` are the values, if they are not those of the form.
     */
    show(errors: FieldErrors, checked = values): boolean {
      setShown({ errors, values: checked });
      setAttempt((count) => count + 1);
      return isNothing(errors);
    },
    /** Clears the errors without an attempt. */
    clear: () => setShown({ errors: {}, values }),
  };
}

/** A refusal's messages under the form's own names; its sentence under `otherwise` if it names no field. */
export function refusalErrors({ errors, error }: Refused, otherwise = 'form', values: object = {}): FieldErrors {
  return isNothing(errors) ? { [otherwise]: [error] } : bareErrors(errors, values);
}

export type Form<Values extends object> = ReturnType<typeof useForm<Values>>;

/** A form whose values are in one object, under the names that its call uses. */
export function useForm<Values extends object>(start: Values | (() => Values), check: Check<Values> = () => ({})) {
  const [values, setValues] = useState(start);
  const [isSending, setSending] = useState(false);
  const isUnderWay = useRef(false);
  const tries = useFormErrors(values, check);
  const set = (part: Partial<Values>) => setValues((now) => ({ ...now, ...part }));
  return {
    ...tries,
    values,
    setValues,
    set,
    isSending,
    /** The props of a text field. */
    field: <Name extends keyof Values & string>(name: Name) => ({
      name,
      value: values[name],
      errors: tries.errors[name],
      onChange: (event: { target: { value: string } }) => set({ [name]: event.target.value } as Partial<Values>),
    }),
    /**
     * Checks the values and sends them, one at a time. Null if something is wrong: the errors say what, unless `call`
     * has shown it.
     */
    async send<Answer>(
      call: (values: Values) => Promise<ApiResult<Answer> | null>,
      sent = values,
    ): Promise<Answered<Answer> | null> {
      if (isUnderWay.current || !tries.show(check(sent), sent)) return null;
      isUnderWay.current = true;
      setSending(true);
      const answer = await call(sent);
      isUnderWay.current = false;
      setSending(false);
      if (answer?.ok) return answer;
      if (answer) tries.show(refusalErrors(answer, 'form', sent), sent);
      return null;
    },
  };
}
