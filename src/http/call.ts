import type { FastifyReply, FastifySchema } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { RouteAccess } from '#src/http/access.ts';

/** Any signed-in user; the service decides about the object. */
export const MEMBERS = { who: 'session' } as const satisfies RouteAccess;
export const ADMINS = { who: 'platform-admin' } as const satisfies RouteAccess;

export type Server = Parameters<FastifyPluginAsyncZod>[0];
type AddRoutes<Services extends unknown[]> = (server: Server, ...services: Services) => void | Promise<void>;

/** Routes of a module: a function of the services that they call. */
export function routes<Services extends unknown[]>(add: AddRoutes<Services>) {
  return (...services: Services): FastifyPluginAsyncZod =>
    async (server) =>
      add(server, ...services);
}

/** Routes whose answers are only for the caller and must not be cached (`cache-control: private, no-store`). */
export function privateRoutes<Services extends unknown[]>(add: AddRoutes<Services>) {
  return routes((server, ...services: Services) => {
    // Not async: a promise for each request costs more than the header.
    server.addHook('onRequest', (_request, reply, done) => {
      reply.header('cache-control', 'private, no-store');
      done();
    });
    return add(server, ...services);
  });
}

/**
 * The options of a route: who may call it, what it does in one line, the schemas of its input and answer, and an
 * example of its body.
 */
export function call<Shapes extends Omit<FastifySchema, 'summary'>>(
  access: RouteAccess,
  summary: string,
  shapes: Shapes = {} as Shapes,
  example?: unknown,
) {
  return { config: { access, ...(example === undefined ? {} : { example }) }, schema: { summary, ...shapes } };
}

/** Answers 204 once it is done. */
export async function noContent(reply: FastifyReply, work: Promise<unknown>): Promise<FastifyReply> {
  await work;
  return reply.code(204).send();
}

/** Headers of an answer whose address is a key: no one else may learn it. */
export const SECRET_ADDRESS = { 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer' } as const;
