/** Entity tags, for browsers that already have the content. */
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

/** A strong tag: different bytes, different tag. */
export const tagOf = (body: Buffer): string =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;

/** Whether `If-None-Match` names this version; a proxy may have made the tag weak. */
export function hasVersion({ headers }: FastifyRequest, etag: string): boolean {
  const header = headers['if-none-match'];
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((part) => part.trim().replace(/^W\//, '') === etag);
}
