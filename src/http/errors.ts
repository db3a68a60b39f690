/**
 * The only place that turns errors into responses. Expected problems become their status and message; a refusal by a
 * schema becomes 422 with all messages under their fields; everything else is logged in full, and the caller sees one
 * plain sentence (docs/requirements/running.md, "Answers").
 */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { config, type $ZodRawIssue } from 'zod/v4/core';
import {
  isProblem,
  MAX_FIELDS_REPORTED,
  noErrors,
  problem,
  statusOf,
  notFound,
  type Problem,
} from '#src/shared/problem.ts';

const UNEXPECTED = 'Something went wrong on our side. Please try again.';
export const UNKNOWN_ADDRESS = 'This page cannot be found.';

export function translateErrors(server: FastifyInstance): void {
  server.setErrorHandler((error: FastifyError | Problem, request, reply) => {
    const refusal = problemOf(error, request);
    if (refusal.code === 'unavailable')
      request.log.warn({ reqId: request.id, err: error, cause: refusal.details.cause }, 'refused: unavailable');
    return sendProblem(reply, request, refusal);
  });
  server.setNotFoundHandler((request, reply) => sendProblem(reply, request, notFound(UNKNOWN_ADDRESS)));
}

/** Sends a refusal in the common format; also used when no route has matched yet. */
export function sendProblem(
  reply: FastifyReply,
  request: FastifyRequest,
  refusal: Problem & { status?: number },
): FastifyReply {
  const { errors = {}, extra = {}, retryAfterSeconds } = refusal.details;
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfterSeconds))));
  return reply
    .code(refusal.status ?? statusOf(refusal.code))
    .type('application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .serializer(JSON.stringify)
    .send({ ...extra, error: refusal.message, errors, request_id: request.id });
}

function problemOf(error: FastifyError | Problem, request: FastifyRequest): Problem & { status?: number } {
  if (isProblem(error)) return error;
  if (hasZodFastifySchemaValidationErrors(error)) return schemaProblem(error, request);
  const status = typeof error.statusCode === 'number' ? error.statusCode : 500;
  if (status === 413) return problem('too_large', 'Request is too large.');
  if (status === 415) return problem('unsupported_media', 'Please send this request as application/json.');
  if (status >= 400 && status < 500)
    return problem('bad_request', 'We couldn’t understand this request.', { cause: error });
  // Named, because a body that cannot be read is refused before the request's context begins.
  request.log.error({ reqId: request.id, err: error }, 'unexpected failure');
  return Object.assign(problem('unavailable', UNEXPECTED, { cause: error }), { status: 500 });
}

/** Keeps responses small whatever was sent: a cart of 200 photos with three errors each fits, nonsense does not. */
const MAX_COMPLAINTS = 600;
const MAX_NAME_SHOWN = 60;

type SchemaIssue = {
  keyword: string;
  instancePath: string;
  message?: string | undefined;
  params?: { keys?: string[] };
};
type SchemaError = { validation: readonly SchemaIssue[]; validationContext?: string | undefined };

/** Wrappers that are not part of a field's name for callers. */
const WRAPPERS = new Set([
  'user',
  'order',
  'gallery',
  'photo',
  'affiliate',
  'organization',
  'affiliateInfo',
  'coupon',
  'price_sheet',
  'credit',
  'season',
  'team',
  'athlete',
]);

function schemaProblem(error: unknown, request: FastifyRequest): Problem {
  const { validation, validationContext } = error as SchemaError;
  if (validationContext === 'params') return notFound(UNKNOWN_ADDRESS);
  if (validationContext === 'body' && request.body === undefined)
    return problem('bad_request', 'Request body is missing.');
  const errors = noErrors();
  for (const issue of validation.slice(0, MAX_COMPLAINTS)) {
    const path = issue.instancePath.split('/').filter((part) => part !== '');
    for (const [field, message] of describe(path, issue)) (errors[field] ??= []).push(message);
  }
  const sentences = Object.values(errors).flat();
  return problem('invalid', sentences[0] ?? 'Please check what you sent.', { errors });
}

function describe(path: string[], issue: SchemaIssue): [string, string][] {
  const unknown = issue.keyword === 'unrecognized_keys' ? issue.params?.keys : undefined;
  if (unknown)
    return unknown
      .slice(0, MAX_FIELDS_REPORTED)
      .map((key) => shortName(key))
      .map((key) => [fieldName([...path, key]), `${key} is not a field of this call.`]);
  return [[fieldName(path), issue.message ?? 'This value is not valid.']];
}

const shortName = (key: string): string => (key.length > MAX_NAME_SHOWN ? `${key.slice(0, MAX_NAME_SHOWN)}…` : key);

function fieldName(path: string[]): string {
  const first = path.findIndex((part, index) => index === path.length - 1 || !WRAPPERS.has(part));
  return path.slice(Math.max(0, first)).join('.') || 'body';
}

/** Messages for values that a schema refuses without a message of its own: for people, not for machines. */
const WANTED: Record<string, string> = {
  string: 'Please send text here.',
  number: 'Please send a number here.',
  int: 'Please send a whole number here.',
  boolean: 'Please send true or false here.',
  array: 'Please send a list here.',
  object: 'Please send an object with named fields here.',
  record: 'Please send an object with named fields here.',
};
const MISSING = 'This field is required';
const NOT_VALID = 'This value is not valid.';

const sizeWord = (origin: string, size: number | bigint): string =>
  origin === 'string'
    ? `${size} characters`
    : origin === 'array' || origin === 'set'
      ? `${size} entries`
      : String(size);

/** One message for one issue of a schema. */
function sentenceFor(issue: $ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? MISSING : (WANTED[issue.expected] ?? NOT_VALID);
    case 'too_big':
      return `At most ${sizeWord(issue.origin, issue.maximum)}, please.`;
    case 'too_small':
      return `At least ${sizeWord(issue.origin, issue.minimum)}, please.`;
    case 'invalid_value':
      return `Please send one of these: ${issue.values.map(String).join(', ')}.`;
    case 'unrecognized_keys':
      return `${issue.keys.slice(0, MAX_FIELDS_REPORTED).join(', ')}: not a field of this call.`;
    default:
      return NOT_VALID;
  }
}

/** Called once when the host is built; messages of contracts take precedence. */
export function setValidationMessages(): void {
  config({ localeError: (issue) => sentenceFor(issue) });
}
