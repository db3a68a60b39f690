/**
 * Yardstick of P13 and P25: a page written by hand with the text and the pictures of another, in the same places and
 * the same order; styles inline, no script, compressed. Pictures below the first screen wait until the others are
 * loaded.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { fetchRaw } from '#tests/load/http-load.ts';

type Box = { left: number; top: number; width: number; height: number };
type Content = { screen: number; words: (Box & { text: string; size: string })[]; pictures: (Box & { src: string })[] };

export type HandWritten = { url: string; pictures: number; stop(): void };

/** What is on a page: its visible words and the pictures of its tiles that are loaded. */
const contentOf = (page: Page): Promise<Content> =>
  page.evaluate(() => {
    const boxOf = ({ left, top, width, height }: DOMRect) => ({ left, top: top + window.scrollY, width, height });
    const words: Content['words'] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent?.trim() ?? '';
      const range = document.createRange();
      range.selectNodeContents(node);
      const box = boxOf(range.getBoundingClientRect());
      const parent = node.parentElement;
      if (text === '' || box.width < 2 || parent === null || ['SCRIPT', 'STYLE'].includes(parent.tagName)) continue;
      words.push({ ...box, text, size: getComputedStyle(parent).fontSize });
    }
    const pictures = [...document.querySelectorAll<HTMLImageElement>('.photo-tile img')]
      .filter((image) => image.complete && image.currentSrc !== '')
      .map((image) => ({ ...boxOf(image.getBoundingClientRect()), src: image.currentSrc }));
    return { screen: window.innerHeight, words, pictures };
  });

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const placed = ({ left, top, width, height }: Box): string =>
  `position:absolute;left:${left}px;top:${top}px;width:${width}px;height:${height}px`;
const pathOf = (address: string): string => new URL(address).pathname + new URL(address).search;

/** Serves the hand-written page with the pictures of this one from memory. */
export async function writeByHand(page: Page): Promise<HandWritten> {
  const { screen, words, pictures } = await contentOf(page);
  const files = new Map<string, Buffer>();
  for (const { src } of pictures) files.set(pathOf(src), (await fetchRaw(src)).bytes);
  const lines = words.map((one) => `<p style="${placed(one)};margin:0;font-size:${one.size}">${escaped(one.text)}</p>`);
  const images = pictures.map((one) => {
    const order = one.top < screen ? '' : ' loading="lazy"';
    return `<img alt="" src="${escaped(pathOf(one.src))}"${order} style="${placed(one)}">`;
  });
  const html = gzipSync(
    `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>By hand</title><body style="font-family:sans-serif">${images.join('')}${lines.join('')}`,
  );
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? '');
    if (file) response.writeHead(200, { 'content-type': 'image/jpeg' }).end(file);
    else if (request.url === '/')
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip' }).end(html);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    pictures: pictures.length,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
