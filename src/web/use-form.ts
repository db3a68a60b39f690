/** The one form layer: what is typed, what is wrong with it, and sending it once (docs/decisions/0047-forms.md). */
import { useRef, useState } from 'react';
import { bareErrors, errorsLeft, type ShownErrors } from '#src/shared/form-errors.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import type { Answered, ApiResult, Refused } from '#src/web/api-client.ts';

/** Every error of the values, by field; it depends on nothing else, so a value that another component holds is told here too. */
type Check<Values> = (values: Values) => FieldErrors;

const isNothing = (errors: FieldErrors) => Object.keys(errors).length === 0;

/** The errors of values that are kept elsewhere. `useForm` keeps both. */
export function useFormErrors<Values extends object>(values: Values, check: Check<Values>) {
  const [shown, setShown] = useState<ShownErrors<Values>>({ errors: {}, values });
  const [attempt, setAttempt] = useState(0);
  return {
    /** Each leaves as soon as it is fixed. */
    errors: errorsLeft(shown, values, check),
    /** Counts the tries, for the error list. */
    attempt,
    /**
     * Shows what a try found: the form's own check, or the server. Nothing shown is a try that went well: answered as true.
     * `of` are the values that were tried, where they are not those of the form.
     */
    show(errors: FieldErrors, of = values): boolean {
      setShown({ errors, values: of });
      setAttempt((count) => count + 1);
      return isNothing(errors);
    },
    /** Forgets the errors; no try. */
    clear: () => setShown({ errors: {}, values }),
  };
}

/** What a refusal says under the form's own names; its sentence under `otherwise` where it names no field. */
export function refusalErrors({ errors, error }: Refused, otherwise = 'form'): FieldErrors {
  return isNothing(errors) ? { [otherwise]: [error] } : bareErrors(errors);
}

export type Form<Values extends object> = ReturnType<typeof useForm<Values>>;

/** A form whose values are kept in one object, by the names that its call has for them. */
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
    /** What a field for text takes. */
    field: <Name extends keyof Values & string>(name: Name) => ({
      name,
      value: values[name],
      errors: tries.errors[name],
      onChange: (event: { target: { value: string } }) => set({ [name]: event.target.value } as Partial<Values>),
    }),
    /** Checks the values and sends them, one at a time. Null where something is wrong: the errors say what, unless `call` has said it. */
    async send<Answer>(
      call: (values: Values) => Promise<ApiResult<Answer> | null>,
      of = values,
    ): Promise<Answered<Answer> | null> {
      if (isUnderWay.current || !tries.show(check(of), of)) return null;
      isUnderWay.current = true;
      setSending(true);
      const answer = await call(of);
      isUnderWay.current = false;
      setSending(false);
      if (answer?.ok) return answer;
      if (answer) tries.show(refusalErrors(answer), of);
      return null;
    },
  };
}
