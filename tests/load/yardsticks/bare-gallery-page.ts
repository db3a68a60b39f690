/**
 * Yardstick of P5: bare Fastify and pg, one named statement of its own for the first ten photos, React's `renderToString`
 * of the same tiles, and gzip at its cheapest level. Takes the database's address; prints its port.
 */
import { gzipSync } from 'node:zlib';
import fastify from 'fastify';
import pg from 'pg';
import { createElement, type ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { PHOTOS_OF_GALLERY } from '#tests/load/yardsticks/bare-photos.ts';
import { serve } from '#tests/load/yardsticks/serve.ts';

type Row = { id: string; name: string; width: number; height: number };

const pool = new pg.Pool({ connectionString: process.argv[2], max: 4 });
const FIRST_TEN = { name: 'first ten', text: `${PHOTOS_OF_GALLERY} limit 10` };

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
  const { rows } = await pool.query<Row>({ ...FIRST_TEN, values: [id] });
  const grid = createElement(
    'ul',
    { className: 'photo-grid' },
    rows.map((row, index) => tile(id, row, index)),
  );
  const html = `<!doctype html>${renderToString(createElement('html', { lang: 'en' }, createElement('body', null, grid)))}`;
  reply.headers({ 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip', vary: 'accept-encoding' });
  return gzipSync(html, { level: 1 });
});
await serve(server);
