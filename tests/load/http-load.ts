/** Requests as browsers send them, against one address, a few at a time, all of which must succeed. */
import autocannon from 'autocannon';
import { get } from 'node:http';

const CONNECTIONS = 4;
/** Like two or three phones that open a page at the same time: a browser opens six connections per host. */
export const PHONES = 16;

/** How often autocannon checks whether it is done, in ms: the default of a second would delay every load. */
export const LOOK_EVERY_MS = 20;

/** Browsers send this header on plain HTTP; some add zstd. */
export const AS_BROWSERS = { 'accept-encoding': 'gzip, deflate, br' };

/** @param headers sent with each request, such as the name of the site */
export async function load(
  url: string,
  amount: number,
  headers: Record<string, string> = {},
  connections = CONNECTIONS,
): Promise<void> {
  const result = await autocannon({
    url,
    connections,
    amount,
    sampleInt: LOOK_EVERY_MS,
    headers: { ...AS_BROWSERS, ...headers },
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`);
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
