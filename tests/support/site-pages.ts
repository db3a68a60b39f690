/** The running site for a client without a browser: pages, and the demo's galleries. */
import { get } from 'node:http';
import { TOKEN_COOKIE } from '#src/http/cookies.ts';

/**
 * What a client without a browser sees; `token` is that of a session. Node does not resolve names below `localhost` to
 * this machine.
 */
export function read(
  address: string | URL,
  token?: string,
): Promise<{ status: number; text: string; location: string | undefined }> {
  const { host, port, pathname, search } = new URL(address);
  const headers = { host, ...(token === undefined ? {} : { cookie: `${TOKEN_COOKIE}=${encodeURIComponent(token)}` }) };
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: pathname + search, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text, location: answer.headers.location }));
    }).on('error', reject);
  });
}

/** The address of a demo gallery, found as a visitor does. */
export async function galleryAddress(home: string, name: string): Promise<string> {
  const { text: html } = await read(home);
  const path = new RegExp(`href="([^"]*/gallery/\\d+)"[^>]*>${name}<`).exec(html)?.[1];
  if (path === undefined) throw new Error(`${home} shows no gallery called ${name}`);
  return new URL(path, home).href;
}

/** Ids of a gallery's photos in their order, from the public call. */
export async function photoIdsOf(gallery: string): Promise<number[]> {
  const { origin, pathname } = new URL(gallery);
  const { text } = await read(`${origin}/api/v1/galleries/${pathname.split('/').at(-1)}/full`);
  const [full] = JSON.parse(text) as { gallery_photo: { id: number }[] }[];
  return (full?.gallery_photo ?? []).map(({ id }) => id);
}
