/**
 * Routes whose bodies are large take turns before a byte of a body is read: so many are in memory at once, however many are sent.
 * Those who wait are held back by the network, which costs nothing here.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createTurnstile } from '#src/platform/limits/turnstile.ts';
import type { Problem } from '#src/shared/problem.ts';

export type BodyTurns = {
  /** Gives the turn on as soon as nothing of the body is needed any more; the answer's end does the same. */
  leave(request: FastifyRequest): void;
};

/** All POST routes of this plugin take turns. @throws `full` to whom too many are waiting before */
export function takeBodyTurns(
  server: Pick<FastifyInstance, 'addHook'>,
  options: { atOnce: number; waiting: number; full: () => Problem },
): BodyTurns {
  const enter = createTurnstile(options);
  const inside = new WeakMap<FastifyRequest, () => void>();
  const leave = (request: FastifyRequest): void => inside.get(request)?.();
  server.addHook('preParsing', async (request, _reply, payload) => {
    if (request.method !== 'POST') return payload;
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
  server.addHook('onResponse', async (request) => leave(request));
  return { leave };
}
