/**
 * Limits how many large bodies are in memory at once, however many are sent: the others wait before a byte of their body is read.
 * Those who wait are held back by the network, which costs nothing here.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createConcurrencyLimit } from '#src/platform/limits/concurrency-limit.ts';
import type { Release } from '#src/platform/limits/concurrency-limit.ts';
import type { Problem } from '#src/shared/problem.ts';

export type ConcurrentBodies = {
  /** Lets the next body in. Every handler calls it, at the latest when it ends, because a client that has disconnected gets no response. */
  release(request: FastifyRequest): void;
};

/** For all POST routes of this plugin. @throws `full` when too many are waiting */
export function limitConcurrentBodies(
  server: Pick<FastifyInstance, 'addHook'>,
  options: { atOnce: number; waiting: number; full: () => Problem },
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
    // Closed while it waited: `close` came too early.
    if (request.raw.destroyed) release(request);
    return payload;
  });
  server.addHook('preHandler', async (request) => void handled.add(request));
  server.addHook('onResponse', async (request) => release(request));
  return { release };
}
