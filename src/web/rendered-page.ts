import type { Readable } from 'node:stream';
import { createContext } from 'react-router';

/**
 * Where `entry.server.tsx` leaves the html for `host.ts`, as bytes or as a Node stream. React writes
 * these and Fastify sends these: going through a web `Response` in between would only cost time.
 */
export const renderedPage = createContext<Readable | Buffer | null>(null);
