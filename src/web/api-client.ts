/**
 * Browser writes: JSON to our own REST calls. A refusal is a return value, not an exception, so that no screen can
 * forget it; only an aborted call throws.
 */
import type { ApiCalls } from '#src/shared/api-calls.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { session } from '#src/web/ended-session.ts';

export type Refused = {
  ok: false;
  /** 0 when the server could not be reached. */
  status: number;
  /** One sentence for people. */
  error: string;
  /** Messages by field. */
  errors: FieldErrors;
  /** Further details of the refusal, for example the new totals of a 409. */
  body: Record<string, unknown>;
  /** Seconds after which a retry is worthwhile; null if it is not. */
  retryAfterSeconds: number | null;
};
export type Answered<T> = { ok: true; status: number; data: T };
export type ApiResult<T> = Answered<T> | Refused;

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type CallOptions = {
  body?: unknown;
  signal?: AbortSignal;
  headers?: Record<string, string>;
  /** Called with the headers of every answer, for the one call that needs one of them. */
  onHeaders?: (headers: Headers) => void;
  /** No one waits for it, and it has a notice of its own for an ended session. */
  inBackground?: true;
};

export const NO_CONNECTION = 'We cannot reach the server. Check your connection and try again.';
export const UNREADABLE_ANSWER = 'Something went wrong on our side. Please try again.';

/**
 * Calls `path` on our own site; again, if the session has ended and the viewer logs in. Only `api` knows what the answer
 * is: everything else calls that.
 */
export async function callApi<T>(method: Method, path: string, options: CallOptions = {}): Promise<ApiResult<T>> {
  const { body, signal, headers, onHeaders } = options;
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      credentials: 'same-origin',
      headers: {
        ...session.keeper?.headers,
        ...headers,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: signal ?? null,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    return { ok: false, status: 0, error: NO_CONNECTION, errors: {}, body: {}, retryAfterSeconds: 2 };
  }
  onHeaders?.(response.headers);
  const answer = await readJson(response);
  if (response.ok && answer !== UNREADABLE) return { ok: true, status: response.status, data: answer as T };
  const refused = refusedBy(response, answer);
  const again = await session.keeper?.logInAfter(refused, options);
  return again ? callApi(method, path, again) : refused;
}

/** What a person typed, as the body of a call whose server says what is wrong with it. The answer keeps its type. */
export const unchecked = <Body>(typed: unknown): Body => typed as Body;

/** What a call needs besides its name: its own `params`, `query` and `body`, and how it is sent. */
export type InputOf<Name extends keyof ApiCalls> = Omit<ApiCalls[Name], 'answer'> & Omit<CallOptions, 'body'>;

/** A call of the API by its name, with the types of its input and answer (`api-calls.ts`). */
export function api<Name extends keyof ApiCalls>(
  name: Name,
  input: InputOf<Name>,
): Promise<ApiResult<ApiCalls[Name]['answer']>> {
  const { params = {}, query, ...options } = input as CallOptions & { params?: Fields; query?: Fields };
  const [method = '', pattern = ''] = name.split(' ');
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_all, field: string) => encodeURIComponent(String(params[field])));
  const search = query ? `?${new URLSearchParams(query as Record<string, string>)}` : '';
  return callApi(method as Method, path + search, options);
}
type Fields = Record<string, string | number | boolean>;

const UNREADABLE = Symbol('unreadable');

/** Some answers have no body (204). */
async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return UNREADABLE;
  }
}

function refusedBy(response: Response, answer: unknown): Refused {
  const body = (typeof answer === 'object' && answer !== null ? answer : {}) as Record<string, unknown>;
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return {
    ok: false,
    status: response.status,
    error: typeof body['error'] === 'string' ? body['error'] : UNREADABLE_ANSWER,
    errors: (body['errors'] ?? {}) as FieldErrors,
    body,
    retryAfterSeconds: Number.isFinite(seconds) ? Math.max(1, seconds) : null,
  };
}

/** All messages of a refusal, for an error list: those of the fields, or else its own. */
export function messagesOf(refused: Refused): string[] {
  const messages = Object.values(refused.errors).flat();
  return messages.length > 0 ? messages : [refused.error];
}
