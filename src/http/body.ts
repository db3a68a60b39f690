/**
 * Which bodies are accepted: strict JSON and nothing else (routes that accept forms bring their own parser). An empty
 * body counts as no body, so that calls without one accept it.
 */
import type { FastifyInstance, RouteOptions, FastifyRequest } from 'fastify';
import secureJson from 'secure-json-parse';
import { createConcurrencyLimit, type Release, type BoundedWait } from '#src/platform/limits/concurrency-limit.ts';
import { MAX_FIELDS_REPORTED, noErrors, problem } from '#src/shared/problem.ts';

const MAX_DEPTH = 64;
const NOT_JSON = 'Request body is not valid JSON.';
const NOT_ALLOWED_CHARACTERS = 'contains characters that are not allowed';

/** For calls that anyone may make: signing in, signing up, a request of 2,000 characters. */
const VISITORS_BODY_BYTES = 16_384;
/** For calls that need a session: lists of a few thousand ids. */
const MEMBERS_BODY_BYTES = 262_144;

/**
 * How many bytes of a body are read: what the route declares, otherwise by who may call it. The body of a sender whom
 * the session check refuses is not read at all (threat 71).
 */
export function limitBodies(server: FastifyInstance): void {
  server.addHook('onRoute', (route: RouteOptions) => {
    route.bodyLimit ??= route.config?.access?.who === 'anyone' ? VISITORS_BODY_BYTES : MEMBERS_BODY_BYTES;
  });
}

export function acceptOnlyJson(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_request: unknown, text: string | Buffer) => {
      const source = String(text);
      if (source.trim() === '') return undefined;
      if (isTooDeep(source)) throw problem('bad_request', NOT_JSON);
      let body: unknown;
      try {
        body = secureJson.parse(source, undefined, { protoAction: 'error', constructorAction: 'error' });
      } catch (cause) {
        throw problem('bad_request', NOT_JSON, { cause });
      }
      refuseBadText(body);
      return body;
    },
  );
}

/** Counts brackets outside strings, so that a body nested 10,000 deep costs one pass and no recursion. */
function isTooDeep(source: string): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < source.length; index++) {
    const code = source.charCodeAt(index);
    if (inString) {
      if (code === 0x5c) index++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > MAX_DEPTH) return true;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return false;
}

/** PostgreSQL cannot store U+0000, and a lone surrogate is not text: both are refused under their field (bad inputs 8, 9). */
function refuseBadText(body: unknown): void {
  const errors = noErrors();
  let found = 0;
  const visit = (value: unknown, path: string[]): void => {
    if (typeof value === 'string') {
      if ((value.includes('\u0000') || !value.isWellFormed()) && ++found <= MAX_FIELDS_REPORTED)
        errors[path.slice(-1)[0] ?? 'body'] = [NOT_ALLOWED_CHARACTERS];
    } else if (Array.isArray(value)) value.forEach((item) => visit(item, path));
    else if (value !== null && typeof value === 'object') {
      for (const [key, item] of Object.entries(value)) visit(item, [...path, key]);
    }
  };
  visit(body, []);
  const [field] = Object.keys(errors);
  if (field !== undefined) throw problem('invalid', `${field} ${NOT_ALLOWED_CHARACTERS}.`, { errors });
}

/**
 * Limits how many large bodies are in memory at the same time: the others wait before a byte of their body is read. The
 * network holds back those that wait, which costs nothing here.
 */
type ConcurrentBodies = {
  /**
   * Lets the next body in. Every handler calls it, at the latest when it ends, because a disconnected client gets no
   * response.
   */
  release(request: FastifyRequest): void;
};

/** For all POST routes of this plugin. @throws `full` when too many are waiting */
export function limitConcurrentBodies(
  server: Pick<FastifyInstance, 'addHook'>,
  options: BoundedWait,
): ConcurrentBodies {
  const limit = createConcurrencyLimit(options);
  const held = new WeakMap<FastifyRequest, Release>();
  const handled = new WeakSet<FastifyRequest>();
  const release = (request: FastifyRequest): void => held.get(request)?.();
  server.addHook('preParsing', async (request, reply, payload) => {
    if (request.method !== 'POST') return payload;
    // A connection that closes before a handler runs calls no other hook.
    reply.raw.once('close', () => {
      if (!handled.has(request)) release(request);
    });
    held.set(request, await limit.acquire());
    // It closed while it waited: `close` was emitted before this handler was attached.
    if (request.raw.destroyed) release(request);
    return payload;
  });
  server.addHook('preHandler', async (request) => void handled.add(request));
  server.addHook('onResponse', async (request) => release(request));
  return { release };
}
