/** How the page of a request hears the outcome of a form that was sent without a script. */
import { FORM_PROBLEMS, type FormProblem } from '#src/features/takedowns/takedowns.contract.ts';

const ASKED = 'asked';

/** The page again after a try. @param path of our own site */
export function askedPath(path: string, problem: FormProblem | null): string {
  const { pathname, searchParams } = new URL(path, 'http://site.invalid');
  searchParams.set(ASKED, problem ?? 'yes');
  return `${pathname}?${searchParams}`;
}

/** Whether the page says thank you; true for every photo, so that it tells nothing of any. */
export function wasAsked(search: URLSearchParams): boolean {
  return search.get(ASKED) === 'yes';
}

/** What the page says of a try that failed. */
export function formProblemOf(search: URLSearchParams): string | null {
  const word = search.get(ASKED) ?? '';
  return Object.hasOwn(FORM_PROBLEMS, word) ? FORM_PROBLEMS[word as FormProblem] : null;
}
