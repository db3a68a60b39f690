/** The two ways in which a store fails its users, in the messages that they see (faults F17 to F19). */
import { problem, type Problem } from '#src/shared/problem.ts';

const STORAGE_FULL = "Storage is full. Please tell the site's administrator.";
const STORAGE_UNAVAILABLE = 'Photos cannot be stored or read right now. Please try again in a moment.';
const RETRY_AFTER_SECONDS = 5;

const FULL_CODES = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const ABSENT_CODES = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);

export function storageFull(cause: unknown): Problem {
  return problem('storage_full', STORAGE_FULL, { cause });
}

export function storageUnavailable(cause: unknown): Problem {
  return problem('unavailable', STORAGE_UNAVAILABLE, { cause, retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/** The HTTP status that an S3 store answered with; null for an error without an answer. */
export function storeStatus(error: unknown): number | null {
  if (!(error instanceof Error) || !('$metadata' in error)) return null;
  return (error.$metadata as { httpStatusCode?: number }).httpStatusCode ?? null;
}

/** True if a file call failed because the file does not exist. */
export function isAbsent(error: unknown): boolean {
  return ABSENT_CODES.has(errnoOf(error) ?? '');
}

/** Whether the error has this code of the operating system. */
export function isErrno(error: unknown, code: string): boolean {
  return errnoOf(error) === code;
}

/** Runs file calls; refusals by the operating system become storage_full or unavailable, other errors are passed on. */
export async function withFileProblems<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = errnoOf(error);
    if (code === null) throw error;
    throw FULL_CODES.has(code) ? storageFull(error) : storageUnavailable(error);
  }
}

/** Like `withFileProblems`; null if the file does not exist. */
export function ifThere<T>(work: () => Promise<T>): Promise<T | null> {
  return withFileProblems(async () => {
    try {
      return await work();
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  });
}

/** The code of an error of the operating system; Node's own `ERR_…` codes are bugs, not faults. */
function errnoOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  return /^E[A-Z0-9]+$/.test(error.code) ? error.code : null;
}

/** Refusals of uploads by S3's own codes, because programs written for S3 read them. */
const STATUS = {
  AccessDenied: 403,
  EntityTooLarge: 400,
  EntityTooSmall: 400,
  IncompleteBody: 400,
  InvalidAccessKeyId: 403,
  InvalidArgument: 400,
  InvalidPolicyDocument: 400,
  MalformedPOSTRequest: 400,
  MaxPostPreDataLengthExceeded: 400,
  SignatureDoesNotMatch: 403,
} as const;

type StoreRefusalCode = keyof typeof STATUS;

export class StoreRefusal extends Error {
  override readonly name = 'StoreRefusal';
  readonly code: StoreRefusalCode;
  readonly status: number;

  constructor(code: StoreRefusalCode, message: string) {
    super(message);
    this.code = code;
    this.status = STATUS[code];
  }
}

/** Makes a refusal. */
export function refuseUpload(code: StoreRefusalCode, message: string): StoreRefusal {
  return new StoreRefusal(code, message);
}
