import { PassThrough } from 'node:stream';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import { idSchema } from '#src/shared/validators.ts';

/** Proxies cut what is silent for a minute. */
const HEARTBEAT_MS = 20_000;
/** The browser then comes back on its own, and its session is looked at again. */
const LONGEST_MS = 10 * 60_000;
/** A page that does not read is let go. */
const MAX_WAITING_BYTES = 262_144;

/** `GET /api/v1/galleries/{id}/events`: what happens in a gallery, as it happens (server-sent events). */
export function galleryEventRoutes(galleries: Pick<GalleryService, 'follow'>): FastifyPluginAsyncZod {
  return async (server) => {
    const open = new Set<PassThrough>();
    server.addHook('preClose', async () => {
      for (const stream of open) stream.end();
    });

    server.get(
      '/api/v1/galleries/:id/events',
      {
        exposeHeadRoute: false,
        config: { access: { who: 'session' } },
        schema: { summary: 'Server-sent events of a gallery', params: z.object({ id: idSchema }) },
      },
      async (request, reply) => {
        const stream = new PassThrough();
        const write = (text: string) => {
          if (stream.writableLength > MAX_WAITING_BYTES) stream.destroy();
          else if (stream.writable) stream.write(text);
        };
        const stop = await galleries.follow(request.caller, request.params.id, {
          heard: (event) => write(`event: ${event.name}\ndata: ${JSON.stringify(event.data)}\n\n`),
          ended: () => stream.end(),
        });
        open.add(stream);
        const beats = setInterval(() => write(': still here\n\n'), HEARTBEAT_MS);
        const end = setTimeout(() => stream.end(), LONGEST_MS);
        stream.once('close', () => {
          stop();
          open.delete(stream);
          clearInterval(beats);
          clearTimeout(end);
        });
        write('retry: 2000\n\n');
        return reply
          .type('text/event-stream; charset=utf-8')
          .header('cache-control', 'no-store')
          .header('x-accel-buffering', 'no')
          .send(stream);
      },
    );
  };
}
