import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { readResults, sendResult, type ResultMessage } from '#src/platform/images/picture-wire.ts';

const usual = { usage: { cpuMs: 1, peakBytes: 2 }, lacksEncoder: false };

/** The bytes that a picture process writes for this result. */
function bytesOf(result: unknown): Buffer {
  const folder = mkdtempSync(path.join(tmpdir(), 'sideline-wire-'));
  const file = path.join(folder, 'result');
  const fd = openSync(file, 'w');
  sendResult(fd, { result, ...usual });
  closeSync(fd);
  const bytes = readFileSync(file);
  rmSync(folder, { recursive: true });
  return bytes;
}

/** What comes out when these bytes arrive, so many at a time. */
async function read(bytes: Buffer, atATime: number): Promise<(ResultMessage | 'failed')[]> {
  const stream = new PassThrough();
  const seen: (ResultMessage | 'failed')[] = [];
  readResults(
    stream,
    (result) => seen.push(result),
    () => seen.push('failed'),
  );
  for (let at = 0; at < bytes.length; at += atATime) stream.write(Buffer.from(bytes.subarray(at, at + atATime)));
  await new Promise((resolve) => stream.end(resolve));
  await new Promise(setImmediate);
  return seen;
}

/** A message that says what it likes about its parts. */
function message(json: string, partBytes: number): Buffer {
  const prefix = Buffer.alloc(8);
  prefix.writeUInt32BE(json.length, 0);
  prefix.writeUInt32BE(partBytes, 4);
  return Buffer.concat([prefix, Buffer.from(json), Buffer.alloc(Math.min(partBytes, 64), 7)]);
}

test.each([1, 7, 100_000])('results arrive whole, %i bytes at a time', async (atATime) => {
  const shared = Buffer.from('a picture of two sizes');
  const first = { pictures: [shared, Buffer.from('another'), shared], at: new Date(0), blur: Buffer.alloc(0) };
  const bytes = Buffer.concat([bytesOf(first), bytesOf(null), bytesOf({ last: Buffer.from('z') })]);
  expect(await read(bytes, atATime)).toEqual([
    { result: first, ...usual },
    { result: null, ...usual },
    { result: { last: Buffer.from('z') }, ...usual },
  ]);
});

test('each picture has memory of its own, so that it can be freed, and equal ones share it', async () => {
  const shared = Buffer.alloc(5_000, 1);
  const [message] = await read(bytesOf([shared, Buffer.alloc(9_000, 2), shared]), 4_096);
  const [one, two, again] = (message as { result: Buffer[] }).result;
  expect([one?.buffer.byteLength, two?.buffer.byteLength]).toEqual([5_000, 9_000]);
  expect(again).toBe(one);
});

test.each([
  ['text that is not JSON', message('{"result":', 0)],
  ['nothing', message('', 0)],
  ['gigabytes', message('{}', 0xffff_ffff)],
  ['a part beyond its end', message('{"result":{"$from":0,"$to":4000000000}}', 8)],
  ['a part before its beginning', message('{"result":{"$from":-8,"$to":8}}', 8)],
  ['a part that ends before it begins', message('{"result":{"$from":0,"$to":-8}}', 8)],
  ['parts that overlap', message('{"result":[{"$from":0,"$to":8},{"$from":4,"$to":8}]}', 8)],
  ['a part that is no number', message('{"result":{"$from":"a","$to":"b"}}', 8)],
  ['bytes of no part', message('{"result":1}', 8)],
])('a message with %s fails once, and nothing after it is read', async (_, bytes) => {
  expect(await read(Buffer.concat([bytes, bytesOf('late')]), 16)).toEqual(['failed']);
});
