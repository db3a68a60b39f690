/**
 * Cache of responses that are the same for every visitor, pages and JSON, ready to send: compressed, with their
 * headers. A response stays valid for as long as the revisions of its content do (decision record 0056).
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Revisions } from '#src/features/tenancy/revisions.service.ts';
import type { Subject } from '#src/features/tenancy/revisions.sql.ts';
import { compressOnce, encodingFor } from '#src/http/compression.ts';
import { hasVersion, tagOf } from '#src/http/etag.ts';
import type { Services } from '#src/web/app-context.ts';

/** `route`: the pattern under which its requests are counted. */
export type CachedResponse = { headers: Record<string, string> & { etag: string }; body: Buffer; route: string };

type Send = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>;

/**
 * A response to one request. `madeOf`: the content it depends on, if it is the same for every visitor; null: it must not be
 * cached.
 */
type MadeResponse = {
  madeOf: readonly Subject[] | null;
  send: () => ReturnType<Send>;
  forCache: () => Promise<CachedResponse>;
};

/**
 * Sends the cached response for a visitor's request, or what `make` produces. `isShared`: other requests may wait for
 * it, too.
 */
export type SendCached = (
  request: FastifyRequest,
  reply: FastifyReply,
  make: (isShared: boolean) => Promise<MadeResponse>,
) => Promise<FastifyReply>;

/** Space for the headers, most of it the content policy of a page. */
const HEADERS_BYTES = 2_000;
/** Smaller responses fit into one packet in any case. */
const COMPRESSED_FROM_BYTES = 1_000;

/** Caches at most `maxBytes` of responses in this process; 0 turns the cache off. */
export function createResponseCache(
  { revisions, organizations }: { revisions: Revisions; organizations: Pick<Services['organizations'], 'readAgain'> },
  maxBytes: number,
): SendCached {
  const read = maxBytes > 0 ? revisions.createCache<Send>(maxBytes, { withReplica: true }) : null;
  return async (request, reply, make) => {
    if (!read || !isAnyone(request)) return (await make(false)).send();
    const send = await read(keyOf(request), async (shared) => {
      if (shared !== null) organizations.readAgain(shared.map(({ organizationId }) => organizationId));
      const { madeOf, ...made } = await make(shared !== null);
      if (madeOf === null || shared === null) return { value: made.send, subjects: madeOf, bytes: 0 };
      const cached = withOwnMemory(await made.forCache());
      return { value: senderOf(cached), subjects: madeOf, bytes: cached.body.byteLength + HEADERS_BYTES };
    });
    return send(request, reply);
  };
}

/** A JSON response, cached like a page if `ask` names the content it depends on. */
export function answerSameForAll(
  send: SendCached,
  request: FastifyRequest,
  reply: FastifyReply,
  ask: (setSubjects: (subjects: readonly Subject[]) => void) => Promise<object>,
): Promise<FastifyReply> {
  return send(request, reply, async () => {
    let madeOf: readonly Subject[] | null = null;
    const answer = await ask((subjects) => void (madeOf = subjects));
    return { madeOf, send: () => reply.send(answer), forCache: () => jsonForCache(request, answer) };
  });
}

async function jsonForCache(request: FastifyRequest, answer: object): Promise<CachedResponse> {
  const text = Buffer.from(JSON.stringify(answer));
  const encoding = text.byteLength < COMPRESSED_FROM_BYTES ? 'identity' : encodingFor(request);
  const body = await compressOnce(text, encoding);
  return {
    body,
    route: request.work.name,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      // As for pages with the same content: only the browser may store it, and it must revalidate each time.
      'cache-control': 'private, no-cache',
      ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
      vary: 'accept-encoding',
      etag: tagOf(body),
    },
  };
}

/**
 * Whether nothing about the request changes its response: it has no session, key, or cookie of an unlocked gallery, a
 * visitor or a family.
 */
function isAnyone({ method, caller, headers }: FastifyRequest): boolean {
  return (
    method === 'GET' &&
    caller.actor.kind === 'visitor' &&
    caller.visitorId === null &&
    caller.unlocks.size === 0 &&
    caller.family === undefined &&
    headers.authorization === undefined
  );
}

/** The cache key of a response. */
const keyOf = (request: FastifyRequest): string =>
  `${encodingFor(request)} ${request.protocol}://${request.host}${request.url}`;

/** A compressor returns a slice of a 64 kB block, and the slice would keep the whole block in memory. */
function withOwnMemory({ body, ...rest }: CachedResponse): CachedResponse {
  const own = Buffer.allocUnsafeSlow(body.byteLength);
  body.copy(own);
  return { ...rest, body: own };
}

/**
 * Sends it, or 304 with the same headers if the browser already has it; another policy would replace the page's own. A
 * function of its own, because a cached closure keeps everything in its scope in memory.
 */
function senderOf({ headers, body, route }: CachedResponse): Send {
  return (request, reply) => {
    request.work.name = route;
    reply.headers(headers);
    return hasVersion(request, headers.etag) ? reply.code(304).send() : reply.send(body);
  };
}
