/** Many files at once: two are in memory, the others wait in the network before a byte of them is read. */
import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { OTHER_FILE_BEING_READ } from '#src/features/bulk-imports/bulk-imports.contract.ts';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;
/** The server's sockets of a test, in the order in which they connected. */
const sockets: Socket[] = [];
beforeAll(async () => {
  people = await settleNeighborhood(server);
  server.built.server.server.on('connection', (socket) => sockets.push(socket));
  await server.built.server.listen({ port: 0, host: '127.0.0.1' });
});
beforeEach(() => {
  sockets.length = 0;
});

const HEAD = Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n');
const END = Buffer.from('\r\n--x--\r\n');
const FILE = Buffer.alloc(20_000_000, 'x');
/** What a server accepts of an unread body: headers and some chunks. */
const UNREAD_BYTES = 1_000_000;

function open(headers: Record<string, string | number> = {}): ClientRequest {
  const { port } = server.built.server.server.address() as AddressInfo;
  return request({
    host: '127.0.0.1',
    port,
    method: 'POST',
    path: '/api/v1/bulk/users?dry_run=true',
    agent: false,
    headers: {
      host: 'localhost',
      authorization: `Bearer ${people.tokens.admin}`,
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': HEAD.length + FILE.length + END.length,
      ...headers,
    },
  });
}

async function answerOf(sent: ClientRequest): Promise<[number | undefined, string]> {
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return [response.statusCode, (JSON.parse(await text(response)) as { error: string }).error];
}

function sendAll(): { sent: ClientRequest; answer: Promise<[number | undefined, string]> } {
  const sent = open();
  const answer = answerOf(sent);
  sent.on('error', () => undefined);
  sent.write(HEAD);
  sent.write(FILE);
  sent.end(END);
  return { sent, answer };
}

test('two files are read at a time, eight wait unread, one more is told to retry, and a client that leaves blocks no one', async () => {
  const holders = [open(), open()];
  const held = holders.map(answerOf);
  // More than a server accepts of an unread body: both are being read.
  for (const holder of holders) holder.write(Buffer.concat([HEAD, FILE.subarray(0, 2 * UNREAD_BYTES)]));
  const readOf = () => sockets.filter(({ bytesRead }) => bytesRead > UNREAD_BYTES).length;
  await expect.poll(readOf, { timeout: 20_000 }).toBe(2);

  // Of nine more, one is too many; it is refused while nothing of the others was read.
  const senders = Array.from({ length: 9 }, () => sendAll());
  const first = await Promise.race(
    senders.map(async (sender) => {
      const answer = await sender.answer;
      return { sender, answer };
    }),
  );
  expect(first.answer).toEqual([429, OTHER_FILE_BEING_READ]);
  expect(readOf()).toBeLessThanOrEqual(3);
  const [gone, ...waiting] = senders.filter((sender) => sender !== first.sender);
  gone?.answer.catch(() => undefined);
  gone?.sent.destroy();

  let [most, isOver] = [0, false];
  const whole = FILE.length + HEAD.length + END.length;
  const watch = (): void => {
    const underWay = sockets.filter(({ bytesRead }) => bytesRead > UNREAD_BYTES && bytesRead < whole);
    most = Math.max(most, underWay.length);
    if (!isOver) setImmediate(watch);
  };
  watch();
  for (const holder of holders) {
    holder.write(FILE.subarray(2 * UNREAD_BYTES));
    holder.end(END);
  }
  const answers = await Promise.all([...held, ...waiting.map(({ answer }) => answer)]);
  isOver = true;
  expect(answers).toEqual(Array.from({ length: 9 }, () => [422, 'Failed to parse CSV.']));
  expect(most).toBeGreaterThan(0);
  // Two in memory, and what is discarded of the refused one.
  expect(most).toBeLessThanOrEqual(3);
});

test('a client that disconnects during a file, during a form or while it is read frees its slot', async () => {
  const cut = async (type: string, text: string): Promise<void> => {
    const before = sockets.length;
    const sent = open({ 'content-type': type });
    sent.on('error', () => undefined);
    sent.write(text);
    await expect.poll(() => (sockets[before]?.bytesRead ?? 0) > text.length).toBe(true);
    sent.destroy();
    await expect.poll(() => sockets[before]?.destroyed).toBe(true);
  };
  for (const text of [HEAD.toString(), HEAD.toString(), `${HEAD.toString()}First Name`])
    await cut('multipart/form-data; boundary=x', text);
  for (const text of ['{"rows":[', '{"rows":[{']) await cut('application/json', text);
  const body = Buffer.concat([HEAD, FILE.subarray(0, 5_000_000), END]);
  for (let time = 0; time < 3; time++) {
    const before = sockets.length;
    const sent = open({ 'content-length': body.length });
    sent.on('error', () => undefined);
    sent.end(body);
    await expect.poll(() => (sockets[before]?.bytesRead ?? 0) >= body.length, { interval: 1 }).toBe(true);
    sent.destroy();
  }
  expect(await sendAll().answer).toEqual([422, 'Failed to parse CSV.']);
});

test('visitors take no slot', async () => {
  const answer = await server.call({ method: 'POST', url: '/api/v1/bulk/users', payload: { rows: [] } });
  expect(answer.statusCode).toBe(401);
});
