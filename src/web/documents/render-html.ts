/** React’s HTML as bytes or as a stream, and where the server picks it up. */
import type { ReactNode } from 'react';
import { PassThrough, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { renderToPipeableStream, renderToString, type PipeableStream } from 'react-dom/server';
import { createContext } from 'react-router';

export type RenderOptions = {
  nonce: string;
  /** Crawlers wait for the whole page; people get what is ready. */
  whole: boolean;
  /** Parts that are still missing after this time are abandoned. */
  deadlineMs: number;
  /** Called for failures in parts that come after the frame; an earlier failure rejects. */
  report: (error: unknown) => void;
};

/**
 * How long a page with a finished frame may wait for the rest before it is streamed. Most pages have all their data by
 * then and are sent in one piece, which costs a third less than streaming.
 */
const MAX_WAIT_MS = 10;

/** React's placeholder for a part that waits or fails. */
const LEFT_OUT = '<!--$!-->';

/**
 * Renders a page that waits for nothing synchronously: the stream below costs more, because it writes each piece of
 * text as bytes (decision record 0064). Null if a part waits or fails.
 */
export function renderAtOnce(node: ReactNode): string | null {
  try {
    const html = renderToString(node);
    return html.includes(LEFT_OUT) ? null : html;
  } catch {
    return null;
  }
}

/**
 * Lines of JSON as a JavaScript literal for a script in a page. Backslashes, many of them in JSON within JSON, stay as
 * they are; what would end the literal or the script becomes an escape of JSON, which has such characters in strings only.
 */
export function rawLiteral(lines: string): string {
  const text = lines
    .replaceAll('<', String.raw`\u003c`)
    .replaceAll('`', String.raw`\u0060`)
    .replaceAll('${', String.raw`\u0024{`);
  return `String.raw\`${text}\``;
}

/** Renders to bytes if the page is complete soon, otherwise to a stream. Rejects if the frame itself fails. */
export async function renderHtml(
  node: ReactNode,
  { nonce, whole, deadlineMs, report }: RenderOptions,
): Promise<Buffer | Readable> {
  return new Promise((resolve, reject) => {
    let isSending = false;
    let timer: NodeJS.Timeout | undefined;
    const page = renderToPipeableStream(node, {
      nonce,
      // Otherwise React puts finished parts of a long page at its end, and a script moves them to their places.
      progressiveChunkSize: Infinity,
      onShellReady() {
        if (whole) return;
        timer = setTimeout(() => {
          isSending = true;
          resolve(asItComes(page, () => clearTimeout(deadline)));
        }, MAX_WAIT_MS);
      },
      onAllReady() {
        clearTimeout(timer);
        if (isSending) return;
        isSending = true;
        clearTimeout(deadline);
        resolve(inOnePiece(page));
      },
      onShellError(error: unknown) {
        clearTimeout(deadline);
        reject(error);
      },
      onError(error: unknown) {
        if (isSending || timer !== undefined) report(error);
      },
    });
    const deadline = setTimeout(() => page.abort(new Error('a part of the page took too long')), deadlineMs);
  });
}

const inOnePiece = (page: PipeableStream): Promise<Buffer> => buffer(page.pipe(new PassThrough()));

function asItComes(page: PipeableStream, ended: () => void): Readable {
  const body = new PassThrough();
  body.on('close', () => {
    ended();
    if (!body.writableFinished) page.abort(new Error('the browser disconnected'));
  });
  page.pipe(body);
  return body;
}

/**
 * Where `entry.server.tsx` leaves the HTML for `host.ts`, as bytes or as a Node stream. React produces these and
 * Fastify sends these: a web `Response` in between would only cost time.
 */
export const renderedPage = createContext<Readable | Buffer | null>(null);
