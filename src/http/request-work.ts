/**
 * Each request as a unit of work: its id, for the answer, the log, its jobs and its emails; its name, which is its
 * route's pattern; and its span, if tracing is on.
 */
import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { givenTraceparent, requestIdOf } from '#src/platform/telemetry/request-id.ts';
import { within, type BeginSpan, type Work } from '#src/platform/telemetry/work.ts';

declare module 'fastify' {
  interface FastifyRequest {
    work: Work;
  }
  interface FastifyContextConfig {
    /** Its statements still run while slow pages use every session of the database. */
    isCheckout?: true;
  }
}

/** Whether the machine that sent a request is one of the operator's proxies. */
type IsTrusted = (request: IncomingMessage) => boolean;

type FollowOptions = {
  /** Null: tracing is off. */
  begin: BeginSpan | null;
  countOpen?: ((change: 1 | -1) => void) | undefined;
  isTrusted: IsTrusted;
};

/** @param proxies as in `TRUST_PROXY`; null: none */
export function trustIn(proxies: string | null): IsTrusted {
  if (proxies === null) return () => false;
  const trust = proxyAddr.compile(proxies.split(',').map((part) => part.trim()));
  return ({ socket }) => trust(socket.remoteAddress ?? '', 0);
}

/** The id that the operator's proxy gave to the request, otherwise a new one. */
export const idOf = (isTrusted: IsTrusted) => (request: IncomingMessage) =>
  requestIdOf(request.headers, isTrusted(request));

/** Runs all hooks and the handler of a request within its work. Must be the first hook. */
export function followRequests(server: FastifyInstance, { begin, countOpen, isTrusted }: FollowOptions): void {
  server.decorateRequest('work', null as unknown as Work);
  server.addHook('onRequest', (request, reply, done) => {
    const name = request.routeOptions.url ?? 'unknown';
    const span = begin === null ? null : spanOf(request, name, begin, isTrusted);
    const isCheckout = request.routeOptions.config.isCheckout === true;
    request.work = { requestId: request.id, name, span, isCheckout };
    countOpen?.(1);
    reply.raw.once('close', () => {
      countOpen?.(-1);
      if (span) endSpan(request, reply);
    });
    within(request.work, done);
  });
  // A body arrives in events of the connection, which have lost the request's context.
  server.addHook('preValidation', (request, _reply, done) => {
    if (request.method === 'GET') done();
    else within(request.work, done);
  });
}

/** For hooks that rarely wait, which are cheaper with a callback than as promises. */
export async function callWhenDone(work: Promise<void>, done: (error?: Error) => void): Promise<void> {
  let failure: Error | undefined;
  try {
    await work;
  } catch (error) {
    failure = error as Error;
  }
  done(failure);
}

function spanOf(request: FastifyRequest, name: string, begin: BeginSpan, isTrusted: IsTrusted) {
  const facts = { 'http.request.method': request.method, 'sideline.request_id': request.id };
  const traceparent = isTrusted(request.raw) ? givenTraceparent(request.headers) : null;
  return begin(`${request.method} ${name}`, facts, { kind: 'server', traceparent });
}

/** When the answer has been sent, or the client has disconnected. */
function endSpan({ method, work: { span, name } }: FastifyRequest, reply: FastifyReply): void {
  if (!span) return;
  span.rename(`${method} ${name}`);
  span.note({ 'http.route': name, 'http.response.status_code': reply.statusCode });
  if (!reply.raw.writableFinished) span.note({ 'sideline.client_gone': true });
  if (reply.statusCode >= 500) span.fail(Object.assign(new Error('answered'), { code: String(reply.statusCode) }));
  span.end();
}
