/** Forms of pages that work without a script. Every other call takes JSON only, which no foreign page can send unasked. */
import type { FastifyInstance } from 'fastify';

/** After the form was taken: the browser asks for the page anew. */
export const SEE_OTHER = 303;

/** The routes of this plugin take `application/x-www-form-urlencoded`, too; of a name that comes twice the last counts. */
export function acceptPlainForms(server: Pick<FastifyInstance, 'addContentTypeParser'>, maxBytes: number): void {
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: maxBytes },
    async (_request: unknown, text: string | Buffer) => Object.fromEntries(new URLSearchParams(String(text))),
  );
}
