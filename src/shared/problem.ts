/**
 * Expected refusals. A service throws a problem; the error translator in `http/` turns it into the API's error format,
 * and pages turn it into their error screen. Recognize one by `isProblem`, never by `instanceof`: the web bundle and
 * the server are two module graphs with two copies of this class.
 */

/** The kind of refusal; each kind has one HTTP status (`statusOf`). */
export type ProblemCode =
  | 'bad_request'
  | 'unauthenticated'
  | 'card_refused'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'gone'
  | 'too_large'
  | 'unsupported_media'
  | 'invalid'
  | 'too_many'
  | 'unavailable'
  | 'storage_full';

const STATUS: Record<ProblemCode, number> = {
  bad_request: 400,
  unauthenticated: 401,
  card_refused: 402,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  gone: 410,
  too_large: 413,
  unsupported_media: 415,
  invalid: 422,
  too_many: 429,
  unavailable: 503,
  storage_full: 507,
};

/** Messages by field name; a field may have several. */
export type FieldErrors = Record<string, string[]>;

/** At most this many unknown or unreadable fields of one request are named; the rest count as reported. */
export const MAX_FIELDS_REPORTED = 20;

/** An empty map for names that callers choose: without a prototype, `toString` is a name like any other. */
export function noErrors(): FieldErrors {
  return Object.create(null) as FieldErrors;
}

type ProblemDetails = {
  /** Every problem of every field, in the contract's words. */
  errors?: FieldErrors;
  /** Additional members of the answer body (for example the new totals of a 409). */
  extra?: Record<string, unknown>;
  /** Sent as `Retry-After`. */
  retryAfterSeconds?: number;
  /** The technical reason, for the log only. */
  cause?: unknown;
};

export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly details: ProblemDetails;

  constructor(code: ProblemCode, userMessage: string, details: ProblemDetails = {}) {
    super(userMessage, { cause: details.cause });
    this.code = code;
    this.details = details;
  }
}

/** Makes an expected refusal. `userMessage` is one sentence that a person may read. */
export function problem(code: ProblemCode, userMessage: string, details: ProblemDetails = {}): Problem {
  return new Problem(code, userMessage, details);
}

/** True for a problem of either module graph. */
export function isProblem(error: unknown): error is Problem {
  return error instanceof Error && error.name === 'Problem' && 'code' in error && 'details' in error;
}

/** The HTTP status of a problem code. */
export function statusOf(code: ProblemCode): number {
  return STATUS[code];
}

/** The refusal for objects that are unknown, someone else's or hidden: all three look the same from outside. */
export function notFound(userMessage = 'This page cannot be found.'): Problem {
  return problem('not_found', userMessage);
}

/** Null if it is not found; other errors are thrown. */
export async function orNull<Found>(found: Promise<Found>): Promise<Found | null> {
  try {
    return await found;
  } catch (error) {
    if (isProblem(error) && error.code === 'not_found') return null;
    throw error;
  }
}

/** The refusal of a form with every problem under its field; its sentence is the first of them. */
export function fieldProblem(errors: FieldErrors, cause?: unknown): Problem {
  return problem('invalid', Object.values(errors).flat()[0] ?? '', { errors, cause });
}

/** @throws invalid if a field has a problem */
export function refuseFields(errors: FieldErrors): void {
  if (Object.values(errors).flat().length > 0) throw fieldProblem(errors);
}

/** The unique constraint that a row violated: another request was first. Null for any other error. */
export function brokenConstraint(error: unknown): string | null {
  const { code, constraint } = (error ?? {}) as { code?: unknown; constraint?: unknown };
  return code === '23505' && typeof constraint === 'string' ? constraint : null;
}

/** Whether a row could not be deleted because others refer to it. */
export function isStillReferenced(error: unknown): boolean {
  return ((error ?? {}) as { code?: unknown }).code === '23503';
}
