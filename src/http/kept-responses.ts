/**
 * What every visitor is sent alike, pages and answers of calls, ready to send: compressed, with its headers. What keeps it
 * true are the revisions of what it shows (decision record 0056).
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Revisions } from '#src/features/tenancy/revisions.service.ts';
import type { Subject } from '#src/features/tenancy/revisions.sql.ts';
import { compressOnce, encodingFor } from '#src/http/compression.ts';
import { hasVersion, tagOf } from '#src/http/etag.ts';
import type { Services } from '#src/web/app-context.ts';

/** `route`: the pattern by which its requests are counted. */
export type KeptResponse = { headers: Record<string, string> & { etag: string }; body: Buffer; route: string };

type Send = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>;

/** A response to one request. `of`: what it is made of, where every visitor is sent the same; null: it must not be kept. */
type MadeResponse = {
  of: readonly Subject[] | null;
  send: () => ReturnType<Send>;
  keep: () => Promise<KeptResponse>;
};

/** Sends what is kept for a request of anyone, or what `make` makes. `isShared`: others may wait for it, too. */
export type SendKept = (
  request: FastifyRequest,
  reply: FastifyReply,
  make: (isShared: boolean) => Promise<MadeResponse>,
) => Promise<FastifyReply>;

/** What the headers take, most of it the content policy of a page. */
const HEADERS_BYTES = 2_000;
/** Fewer bytes are one packet in any case. */
const COMPRESSED_FROM_BYTES = 1_000;

/** Keeps at most `maxBytes` of responses in this process; with 0 each is made anew. */
export function keepResponses(
  { revisions, organizations }: { revisions: Revisions; organizations: Pick<Services['organizations'], 'readAnew'> },
  maxBytes: number,
): SendKept {
  const keep = maxBytes > 0 ? revisions.keep<Send>(maxBytes, { besideReplica: true }) : null;
  return async (request, reply, make) => {
    if (!keep || !isAnyone(request)) return (await make(false)).send();
    const send = await keep(keyOf(request), async (shared) => {
      if (shared !== null) organizations.readAnew(shared.map(({ organizationId }) => organizationId));
      const { of, ...made } = await make(shared !== null);
      if (of === null || shared === null) return { value: made.send, of, bytes: 0 };
      const kept = withOwnMemory(await made.keep());
      return { value: senderOf(kept), of, bytes: kept.body.byteLength + HEADERS_BYTES };
    });
    return send(request, reply);
  };
}

/** The answer of a call as JSON, kept like a page where `ask` says what it is made of. */
export function answerAlike(
  send: SendKept,
  request: FastifyRequest,
  reply: FastifyReply,
  ask: (isMadeOf: (subjects: readonly Subject[]) => void) => Promise<object>,
): Promise<FastifyReply> {
  return send(request, reply, async () => {
    let of: readonly Subject[] | null = null;
    const answer = await ask((subjects) => void (of = subjects));
    return { of, send: () => reply.send(answer), keep: () => keptJson(request, answer) };
  });
}

async function keptJson(request: FastifyRequest, answer: object): Promise<KeptResponse> {
  const text = Buffer.from(JSON.stringify(answer));
  const encoding = text.byteLength < COMPRESSED_FROM_BYTES ? 'identity' : encodingFor(request);
  const body = await compressOnce(text, encoding);
  return {
    body,
    route: request.work.name,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      // As of the pages that show the same: stored by the browser only, and asked for each time whether it is still true.
      'cache-control': 'private, no-cache',
      ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
      vary: 'accept-encoding',
      etag: tagOf(body),
    },
  };
}

/** Whether nothing about the request makes its response another one than everybody's: no session, key, unlocked gallery, visitor's or family's cookie. */
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

/** What tells one kept response from another. */
const keyOf = (request: FastifyRequest): string =>
  `${encodingFor(request)} ${request.protocol}://${request.host}${request.url}`;

/** What a compressor returns is part of a block of 64 kB, which would be kept whole. */
function withOwnMemory({ body, ...rest }: KeptResponse): KeptResponse {
  const own = Buffer.allocUnsafeSlow(body.byteLength);
  body.copy(own);
  return { ...rest, body: own };
}

/**
 * Sends it, or 304 with the same headers where the browser has it: it would take another policy for the page's own. Stands
 * alone, because a function that is kept keeps alive all that it could see where it was written.
 */
function senderOf({ headers, body, route }: KeptResponse): Send {
  return (request, reply) => {
    request.work.name = route;
    reply.headers(headers);
    return hasVersion(request, headers.etag) ? reply.code(304).send() : reply.send(body);
  };
}
