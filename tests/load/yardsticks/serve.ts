import type { FastifyInstance } from 'fastify';

/** Listens, prints the port, and ends with its parent. */
export async function serve(server: FastifyInstance): Promise<void> {
  await server.listen({ port: 0, host: '127.0.0.1' });
  const address = server.server.address();
  process.stdout.write(`${typeof address === 'object' && address ? address.port : 0}\n`);
  process.stdin.on('end', () => process.exit(0)).resume();
}
