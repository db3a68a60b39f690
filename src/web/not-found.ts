/** A missing gallery or photo leads to `/404` (specification P§2.4, P§8: "Gallery missing or inactive"). */
import { redirect } from 'react-router';
import { isProblem } from '#src/shared/problem.ts';

/** The loader's answer. @throws a redirect to `/404` instead of not_found */
export async function orNotFoundPage<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    throw isProblem(error) && error.code === 'not_found' ? redirect('/404') : error;
  }
}
