/**
 * Turns what a loader throws into what React Router understands. Services refuse with `problem(code, …)`; pages see a
 * route error with that status and message.
 */
import { data, redirect, type RouterContextProvider } from 'react-router';
import { isProblem, statusOf, type FieldErrors, type ProblemCode } from '#src/shared/problem.ts';
import { requestContext } from '#src/web/app-context.ts';
import { loginAddress } from '#src/web/safe-redirect.ts';
import { loadShell, type Shell } from '#src/web/frame/shell.ts';

/** The data of a route error that came from a problem. */
export type Refusal = {
  message: string;
  code: ProblemCode;
  errors: FieldErrors;
  /** What the frame shows if the refusal came before the loaders. */
  shell?: Shell;
};

type Context = Readonly<RouterContextProvider>;
type Args = { url: URL; context: Context };
type Handler = (args: Args, ...rest: unknown[]) => unknown;

/**
 * Returns the same loader, with its problems turned into route errors. A page that needs a session sends visitors to
 * the login (guard 2) and back to the address they wanted.
 */
export function withRefusals<F>(handler: F): F {
  return caught(handler, (error, { url }) => {
    const refusal = refusalOf(error, url);
    if (refusal === null || refusal instanceof Response) throw refusal ?? error;
    throw data(refusal.data, { status: refusal.status });
  });
}

/** The same for a middleware: it runs before the loaders, so its refusals include what the frame around them shows. */
export function withFramedRefusals<F>(handler: F): F {
  return caught(handler, async (error, { url, context }) => {
    const refusal = refusalOf(error, url) ?? unexpectedOf(error, context);
    if (refusal === null || refusal instanceof Response) throw refusal ?? error;
    const shell = await loadShell(context).catch(() => null);
    throw data({ ...refusal.data, ...(shell ? { shell } : {}) }, { status: refusal.status });
  });
}

function caught<F>(handler: F, translate: (error: unknown, args: Args) => unknown): F {
  if (typeof handler !== 'function') return handler;
  const guarded: Handler = async (args, ...rest) => {
    try {
      return await (handler as unknown as Handler)(args, ...rest);
    } catch (error) {
      return translate(error, args);
    }
  };
  return guarded as unknown as F;
}

/** Unexpected errors are logged in full; the page shows a plain sentence. */
function unexpectedOf(error: unknown, context: Context): { data: Partial<Refusal>; status: number } | null {
  if (!(error instanceof Error)) return null;
  context.get(requestContext).report(error);
  return { data: {}, status: 500 };
}

function refusalOf(error: unknown, url: URL): Response | { data: Refusal; status: number } | null {
  if (!isProblem(error)) return null;
  if (error.code === 'unauthenticated') return redirect(loginAddress(url));
  const refusal = { message: error.message, code: error.code, errors: error.details.errors ?? {} };
  return { data: refusal, status: statusOf(error.code) };
}
