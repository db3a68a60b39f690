/** Yardstick of P4: bare Fastify and pg, the product's own query for the first page, its rows as they come. Prints its port. */
import fastify from 'fastify';
import pg from 'pg';
import { pageText } from '#src/features/photos/photos.sql.ts';

const [url = ''] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 4 });
const text = pageText('public', false);
const server = fastify();
server.get<{ Params: { id: string }; Querystring: { limit: string } }>('/galleries/:id/photos', async (request) => {
  const { rows } = await pool.query(text, [request.params.id, null, request.query.limit]);
  return { photos: rows };
});
await server.listen({ port: 0, host: '127.0.0.1' });
const address = server.server.address();
process.stdout.write(`${typeof address === 'object' && address ? address.port : 0}\n`);
process.stdin.on('end', () => process.exit(0)).resume();
