/**
 * Yardstick of P4: bare Fastify and pg, one named statement of its own for the facts of a gallery's first photos. Its limit
 * is a literal, so that PostgreSQL plans it once. Takes the database's address; prints its port.
 */
import fastify from 'fastify';
import pg from 'pg';
import { PHOTOS_OF_GALLERY } from '#tests/load/yardsticks/bare-photos.ts';
import { serve } from '#tests/load/yardsticks/serve.ts';

const pool = new pg.Pool({ connectionString: process.argv[2], max: 4 });
const server = fastify();
server.get<{ Params: { id: string }; Querystring: { limit: string } }>('/galleries/:id/photos', async (request) => {
  const limit = Number(request.query.limit);
  const statement = { name: `photos ${limit}`, text: `${PHOTOS_OF_GALLERY} limit ${limit}` };
  const { rows } = await pool.query({ ...statement, values: [request.params.id] });
  return { photos: rows };
});
await serve(server);
