/**
 * Routes whose bodies are large take turns before a byte of a body is read: so many are in memory at once, however many are sent.
 * Those who wait are held back by the network, which costs nothing here.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createTurnstile } from '#src/platform/limits/turnstile.ts';
import type { Problem } from '#src/shared/problem.ts';

export type BodyTurns = {
  /** Gives the turn on. Every handler does so, at last when it ends: whose sender has gone has no end of an answer. */
  leave(request: FastifyRequest): void;
};

/** All POST routes of this plugin take turns. @throws `full` to whom too many are waiting before */
export function takeBodyTurns(
  server: Pick<FastifyInstance, 'addHook'>,
  options: { atOnce: number; waiting: number; full: () => Problem },
): BodyTurns {
  const enter = createTurnstile(options);
  const inside = new WeakMap<FastifyRequest, () => void>();
  const inHand = new WeakSet<FastifyRequest>();
  const leave = (request: FastifyRequest): void => inside.get(request)?.();
  server.addHook('preParsing', async (request, reply, payload) => {
    if (request.method !== 'POST') return payload;
    // Cut before a handler had it: nothing else is heard of it.
    reply.raw.once('close', () => {
      if (!inHand.has(request)) leave(request);
    });
    await new Promise<void>((entered, refused) => {
      enter(
        () =>
          new Promise<void>((left) => {
            inside.set(request, left);
            entered();
          }),
      ).catch(refused);
    });
    // Whoever gave up while waiting makes room at once: its answer has ended already.
    if (request.raw.destroyed) leave(request);
    return payload;
  });
  server.addHook('preHandler', async (request) => void inHand.add(request));
  server.addHook('onResponse', async (request) => leave(request));
  return { leave };
}
