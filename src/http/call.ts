import type { FastifySchema } from 'fastify';
import type { RouteAccess } from '#src/http/access.ts';

/** The options of a route: who may call it, what it does in one line, and the shapes of what it takes and answers. */
export function call<Shapes extends Omit<FastifySchema, 'summary'>>(
  access: RouteAccess,
  summary: string,
  shapes: Shapes = {} as Shapes,
) {
  return { config: { access }, schema: { summary, ...shapes } };
}
