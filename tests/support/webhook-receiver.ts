/** A receiver of webhooks on this machine: it records what it gets, and answers as configured. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

export type Received = {
  path: string;
  headers: Record<string, string>;
  body: string;
  payload: { type: string; data: unknown };
};
type Answer = {
  status?: number;
  text?: string;
  headers?: Record<string, string>;
  afterMs?: number;
  /** Sent when it is resolved. */
  held?: Promise<void>;
};

export type Receiver = {
  url: string;
  received: Received[];
  /** The answer to the next ones; without one, 200. */
  answer: (received: Received) => Answer;
  /** Holds the answers to paths with this end; returns what sends them. */
  hold(end?: string): () => Promise<void>;
  /** Clears what it received and its configured answers. */
  forget(): void;
};

/** Call at the top of a test file; the fields are set from the first `beforeAll` on. */
export function useReceiver(): Receiver {
  const receiver: Receiver = {
    url: '',
    received: [],
    answer: () => ({}),
    hold(end = '') {
      const { promise: held, resolve: release } = Promise.withResolvers<void>();
      receiver.answer = ({ path }) => (path.endsWith(end) ? { held } : {});
      return async () => release();
    },
    forget() {
      receiver.received = [];
      receiver.answer = () => ({});
    },
  };
  let server: Server;
  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (part: string) => (body += part));
      request.on('end', () => {
        const headers = Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
        );
        const received = { path: request.url ?? '', headers, body, payload: JSON.parse(body) as Received['payload'] };
        receiver.received.push(received);
        const { status = 200, text = '', headers: more = {}, afterMs = 0, held } = receiver.answer(received);
        const answer = () => void response.writeHead(status, more).end(text);
        if (held) void held.then(answer);
        else setTimeout(answer, afterMs);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return receiver;
}
