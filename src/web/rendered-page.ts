import type { Readable } from 'node:stream';
import { createContext } from 'react-router';

/**
 * Where `entry.server.tsx` leaves the html as a Node stream for `host.ts`. React writes one and
 * Fastify sends one: going through a web `Response` in between would only cost time.
 */
export const renderedPage = createContext<Readable | null>(null);
