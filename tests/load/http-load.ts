/** Requests against one address, a few at a time, all of which must succeed. */
import autocannon from 'autocannon';

const CONNECTIONS = 4;

/** @param headers sent with each request, such as the name of the site */
export async function load(url: string, amount: number, headers: Record<string, string> = {}): Promise<void> {
  const result = await autocannon({ url, connections: CONNECTIONS, amount, headers });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`);
}
