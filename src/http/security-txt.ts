/** `/.well-known/security.txt` (RFC 9116): where people report vulnerabilities. */
import type { FastifyInstance } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { DAY_MS } from '#src/shared/dates.ts';

const PATH = '/.well-known/security.txt';
/** The RFC wants an expiry date within a year; a running site renews it every day. */
const VALID_DAYS = 90;

/** @param contact an address as the RFC requires: `mailto:`, `https:` or `tel:` */
export function securityText({ contact, address, now }: { contact: string; address: string; now: Date }): string {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const expires = new Date(today + VALID_DAYS * DAY_MS).toISOString().replace('.000Z', 'Z');
  return `Contact: ${contact}\nExpires: ${expires}\nPreferred-Languages: en\nCanonical: ${address}\n`;
}

type SecurityTextDeps = {
  contact: string;
  /** The address of one of our pages on the main host. */
  addressOf: (path: string) => string;
  now: () => Date;
};

export function securityTextRoutes({ contact, addressOf, now }: SecurityTextDeps) {
  return fastifyPlugin(async (server: FastifyInstance): Promise<void> => {
    const access = { who: 'anyone', why: 'says where to report a vulnerability' } as const;
    server.get(PATH, { config: { access } }, async (_request, reply) =>
      reply
        .header('cache-control', 'public, max-age=3600')
        .type('text/plain; charset=utf-8')
        .send(securityText({ contact, address: addressOf(PATH), now: now() })),
    );
  });
}
