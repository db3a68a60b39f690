/** Secrets of endpoints, and signatures by the Standard Webhooks specification (https://www.standardwebhooks.com). */
import { createHmac, randomBytes } from 'node:crypto';
import { openText, sealText } from '#src/platform/secrets.ts';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

type Message = {
  id: string;
  /** Unix time of the attempt. */
  atSeconds: number;
  body: string;
};

/** A new secret, as its owner gets it and as it is stored. */
export function sealSecret(key: Buffer): { secret: string; sealed: Buffer } {
  const secret = PREFIX + randomBytes(SECRET_BYTES).toString('base64');
  return { secret, sealed: sealText(key, secret) };
}

export const openSecret = (key: Buffer, sealed: Uint8Array): string => openText(key, sealed);

/** `v1,` and the signature of one message with one secret. */
export function sign(secret: string, { id, atSeconds, body }: Message): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${atSeconds}.${body}`).digest('base64')}`;
}

/** The headers of a message, with a signature for each valid secret. */
export function signedHeaders(secrets: readonly string[], message: Message) {
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.atSeconds),
    'webhook-signature': secrets.map((secret) => sign(secret, message)).join(' '),
  };
}
