/** A missing gallery or photo leads to `/404` (specification P§2.4, P§8: "Gallery missing or inactive"). */
import { redirect } from 'react-router';
import { isProblem } from '#src/shared/problem.ts';

/** The same loader, with a redirect to `/404` instead of not_found. */
export function orNotFoundPage<Args, Answer>(load: (args: Args) => Promise<Answer>): (args: Args) => Promise<Answer> {
  return (args) =>
    load(args).catch((error: unknown) => {
      throw isProblem(error) && error.code === 'not_found' ? redirect('/404') : error;
    });
}
