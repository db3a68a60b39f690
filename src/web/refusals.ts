/**
 * Turns what a loader throws into what React Router understands. Services refuse by
 * `problem(code, …)`; pages see a route error with that status and the sentence for people.
 */
import { data, redirect } from 'react-router';
import { isProblem, statusOf, type FieldErrors, type ProblemCode } from '#src/shared/problem.ts';
import { loginAddress } from '#src/web/safe-redirect.ts';

/** The data of a route error that came from a problem. */
export type Refusal = { message: string; code: ProblemCode; errors: FieldErrors };

type Handler = (args: { url: URL }, ...rest: unknown[]) => unknown;

/**
 * Answers the same loader or middleware, whose problems come out as route errors. A page that needs
 * a session sends visitors to the login (guard 2) and back to the address they wanted.
 */
export function withRefusals<F>(handler: F): F {
  if (typeof handler !== 'function') return handler;
  const guarded: Handler = async (args, ...rest) => {
    try {
      return await (handler as unknown as Handler)(args, ...rest);
    } catch (error) {
      throw refusalOf(error, args.url);
    }
  };
  return guarded as unknown as F;
}

function refusalOf(error: unknown, url: URL): unknown {
  if (!isProblem(error)) return error;
  if (error.code === 'unauthenticated') return redirect(loginAddress(url));
  const refusal: Refusal = { message: error.message, code: error.code, errors: error.details.errors ?? {} };
  return data(refusal, { status: statusOf(error.code) });
}
