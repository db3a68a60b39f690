/** The port of a worker that runs alone: probes and metrics, nothing else. */
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { translateErrors } from '#src/http/errors.ts';
import { mayReadMetrics, type OperatorRule } from '#src/http/operator.ts';
import { probeRoutes, type ProbeDeps } from '#src/http/probes.ts';
import { notFound } from '#src/shared/problem.ts';

/** Answers `/healthz`, `/readyz` and `/metrics`; the caller listens and closes. */
export async function buildProbeServer(
  deps: ProbeDeps & OperatorRule & { log: FastifyBaseLogger },
): Promise<FastifyInstance> {
  const server = fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
  }) as unknown as FastifyInstance;
  translateErrors(server);
  server.addHook('onRequest', async (request) => {
    const { access } = request.routeOptions.config;
    if (access?.who === 'operator' && !mayReadMetrics(request, deps)) throw notFound();
  });
  await server.register(probeRoutes(deps));
  return server;
}
