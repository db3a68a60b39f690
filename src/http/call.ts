import type { FastifySchema } from 'fastify';
import type { RouteAccess } from '#src/http/access.ts';

/** The options of a route: who may call it, what it does in one line, the shapes of what it takes and answers, and an example of its body. */
export function call<Shapes extends Omit<FastifySchema, 'summary'>>(
  access: RouteAccess,
  summary: string,
  shapes: Shapes = {} as Shapes,
  example?: unknown,
) {
  return { config: { access, ...(example === undefined ? {} : { example }) }, schema: { summary, ...shapes } };
}
