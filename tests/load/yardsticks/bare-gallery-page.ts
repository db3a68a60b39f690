/**
 * Yardstick of P5: bare Fastify and pg, the product's own query for the first ten photos, and React's `renderToString` of
 * the same tiles. Prints its port.
 */
import fastify from 'fastify';
import pg from 'pg';
import { createElement, type ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { pageText } from '#src/features/photos/photos.sql.ts';

type Row = { id: string; name: string; width: number; height: number };

const [url = ''] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 4 });
const text = pageText('public', false);

function tile(galleryId: string, row: Row, index: number): ReactElement {
  const address = `/api/v1/galleries/${galleryId}/gallery_photos/${row.id}`;
  const image = createElement('img', {
    src: `${address}?size=480`,
    srcSet: [320, 480, 640, 960, 1440].map((size) => `${address}?size=${size} ${size}w`).join(', '),
    sizes: '(max-width: 600px) 50vw, 33vw',
    alt: row.name,
    loading: index < 3 ? 'eager' : 'lazy',
  });
  const buttons = ['Like', 'Add to Cart'].map((label) =>
    createElement('button', { key: label, type: 'button', 'aria-label': `${label}: ${row.name}` }, label),
  );
  return createElement(
    'li',
    { key: row.id, id: `photo-${index}`, className: 'photo-tile', style: { aspectRatio: row.width / row.height } },
    createElement('a', { href: `/bench/gallery/${galleryId}/photo/${row.id}` }, image),
    createElement('div', { className: 'photo-actions' }, buttons, createElement('span', null, '$4.00')),
  );
}

const server = fastify();
server.get<{ Params: { id: string } }>('/gallery/:id', async (request, reply) => {
  const { id } = request.params;
  const { rows } = await pool.query<Row>(text, [id, null, 10]);
  const grid = createElement(
    'ul',
    { className: 'photo-grid' },
    rows.map((row, index) => tile(id, row, index)),
  );
  reply.type('text/html; charset=utf-8');
  return `<!doctype html>${renderToString(createElement('html', { lang: 'en' }, createElement('body', null, grid)))}`;
});
await server.listen({ port: 0, host: '127.0.0.1' });
const address = server.server.address();
process.stdout.write(`${typeof address === 'object' && address ? address.port : 0}\n`);
process.stdin.on('end', () => process.exit(0)).resume();
