/**
 * One call to another machine: it follows no redirects, limits the time and the bytes it reads, and reaches private
 * networks only where allowed.
 */
import { Agent as PlainAgent, request as requestPlain } from 'node:http';
import { Agent as SecureAgent, request as requestSecure } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { lookupPublic, mayBeCalled, NOT_REACHABLE } from '#src/platform/outgoing/public-addresses.ts';

type OutgoingPost = {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Null: private networks may be reached, too. */
  lookup: LookupFunction | null;
  /** From the start to the last byte of the answer that is read. */
  timeoutMs: number;
  /** How much of the answer is read. */
  answerBytes: number;
};
export type OutgoingAnswer = { status: number; text: string };

const ANSWER_HEADERS_BYTES = 16_384;
/** A new connection for each call: one that is kept open would be reused without its address being checked. */
const OWN_CONNECTION = { keepAlive: false } as const;

/** Posts, and reads the beginning of the answer. @throws Error if no answer came in time */
export function post({ url, headers, body, lookup, timeoutMs, answerBytes }: OutgoingPost): Promise<OutgoingAnswer> {
  const { protocol, hostname } = new URL(url);
  const isSecure = protocol === 'https:';
  const literal = hostname.replace(/^\[|\]$/g, '');
  // These need no lookup.
  if (lookup && isIP(literal) !== 0 && !mayBeCalled(literal)) return Promise.reject(new Error(NOT_REACHABLE));
  return new Promise((resolve, reject) => {
    let ended: ((error?: Error) => void) | null = null;
    const call = (isSecure ? requestSecure : requestPlain)(
      url,
      {
        method: 'POST',
        agent: isSecure ? new SecureAgent(OWN_CONNECTION) : new PlainAgent(OWN_CONNECTION),
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        maxHeaderSize: ANSWER_HEADERS_BYTES,
        signal: AbortSignal.timeout(timeoutMs),
        ...(lookup ? { lookup } : {}),
      },
      (answer) => {
        const parts: Buffer[] = [];
        let left = answerBytes;
        // The status decides: if the body fails or takes too long, the text is only cut short.
        const end = () => {
          resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8') });
          call.destroy();
        };
        ended = end;
        answer.on('data', (part: Buffer) => {
          parts.push(part.subarray(0, left));
          left -= part.length;
          if (left <= 0) end();
        });
        answer.once('end', end);
        answer.once('error', end);
      },
    );
    call.once('error', (error) => (ended ?? reject)(error));
    call.end(body);
  });
}

type OutgoingCall = {
  url: string;
  /** Sent as `Authorization: Bearer …`. */
  token: string;
  body: object;
  /** Private networks may be reached, too. */
  reachesPrivate: boolean;
  timeoutMs: number;
};

/** Posts JSON. @throws Error unless the answer is 2xx in time; the message contains the status and nothing of the token */
export async function postJson({ url, token, body, reachesPrivate, timeoutMs }: OutgoingCall): Promise<void> {
  const { hostname } = new URL(url);
  const { status } = await post({
    url,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    lookup: reachesPrivate ? null : lookupPublic(),
    timeoutMs,
    answerBytes: 1,
  });
  if (status < 200 || status >= 300) throw new Error(`${hostname} answered with ${status}`);
}
