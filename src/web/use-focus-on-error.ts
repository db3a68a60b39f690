import { useEffect, type RefObject } from 'react';

/** After an attempt, the first invalid field gets the focus, in the order of the page. */
export function useFocusOnError(form: RefObject<HTMLFormElement | null>, attempt: number): void {
  // Only a new attempt moves the focus, never a change of the text.
  useEffect(() => {
    if (attempt === 0) return;
    const wrong = [...(form.current?.querySelectorAll<HTMLElement>('[aria-invalid="true"]') ?? [])];
    wrong.find((field) => field.offsetParent !== null)?.focus();
  }, [form, attempt]);
}
