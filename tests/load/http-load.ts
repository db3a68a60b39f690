/** Requests as browsers send them, against one address, a few at a time, all of which must succeed. */
import { Agent, get, request, type IncomingMessage, type RequestOptions } from 'node:http';

const CONNECTIONS = 4;
/** Like two or three phones that open a page at the same time: a browser opens six connections per host. */
export const PHONES = 16;

/** Browsers send this header on plain HTTP; some add zstd. */
export const AS_BROWSERS = { 'accept-encoding': 'gzip, deflate, br' };

/**
 * Sends `amount` requests on this many connections, each as soon as the one before is answered. By Node's own client,
 * which takes a quarter of what autocannon takes for a picture of 29 kB: rows of small requests waited for it.
 * @param headers sent with each request, such as the name of the site
 * @param body of a POST; without it they are GETs
 */
export async function load(
  url: string,
  amount: number,
  headers: Record<string, string> = {},
  connections = CONNECTIONS,
  body?: string,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const method = body === undefined ? 'GET' : 'POST';
  const options = { agent, method, headers: { ...AS_BROWSERS, ...headers } };
  let left = amount;
  const lane = async () => {
    while (left-- > 0) await requestOnce(url, options, body);
  };
  try {
    await Promise.all(Array.from({ length: connections }, lane));
  } finally {
    agent.destroy();
  }
}

/** The answer is read to its end and forgotten. */
function requestOnce(url: string, options: RequestOptions, body?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAnswer = (answer: IncomingMessage) => {
      if (answer.statusCode !== 200) reject(new Error(`${url} answered ${answer.statusCode}`));
      answer.resume().once('end', resolve).once('error', reject);
    };
    request(url, options, onAnswer).once('error', reject).end(body);
  });
}

export type Answer = { type: string; encoding: string; bytes: Buffer };

/**
 * An answer with its bytes as they were sent, still compressed. Browsers resolve names below `.localhost` to this
 * machine, but Node does not.
 */
export function fetchRaw(address: string, headers: Record<string, string> = AS_BROWSERS): Promise<Answer> {
  const { host, port, pathname, search } = new URL(address);
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: pathname + search, headers: { ...headers, host } }, async (answer) => {
      const { 'content-type': type = '', 'content-encoding': encoding = '' } = answer.headers;
      resolve({ type, encoding, bytes: Buffer.concat(await answer.toArray()) });
    }).on('error', reject);
  });
}
