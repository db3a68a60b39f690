/**
 * Makes small pictures of organizations (logos, banners, watermarks) fit to be served: whatever comes is decoded and
 * written anew, upright, in sRGB and without metadata. A stranger's bytes are decoded in a process of their own, with an empty
 * environment and bounded time and memory; it lives for one picture, because they come a few times a year.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { checkHeader } from '#src/platform/images/header-check.ts';
import { problem } from '#src/shared/problem.ts';

export type PressOrder = {
  /** Larger ones are made to fit into it, smaller ones stay as they are; null keeps every size. */
  box: { width: number; height: number } | null;
  /** `kept`: as it came. */
  to: 'png' | 'jpeg' | 'kept';
};

export type Pressed = {
  bytes: Buffer;
  type: 'png' | 'jpeg';
  /** Of what came, upright; before it was made to fit. */
  source: { width: number; height: number };
};

export type PictureHeader = { type: 'png' | 'jpeg'; width: number; height: number };

export type PicturePress = {
  /** Null when it cannot be decoded. @throws unavailable when many are waiting or the process fails */
  press(picture: Buffer, order: PressOrder): Promise<Pressed | null>;
};

const PROGRAM = fileURLToPath(new URL('./press-child.ts', import.meta.url));
const TIMEOUT_MS = 10_000;
const MAX_MEGABYTES = 400;
/** What a 1278 × 500 PNG can weigh at the very most. */
const MAX_ANSWER_BYTES = 16 * 1_048_576;
const MAX_WAITING = 12;
const ENVIRONMENT = { TZ: 'UTC', MALLOC_ARENA_MAX: '2' };

const PNG_BEGINNING = '89504e470d0a1a0a0000000d49484452';

/** What the first bytes say; null for anything but PNG and JPEG, and for JPEGs that are damaged or unusual. Nothing is decoded. */
export function pictureHeader(bytes: Buffer): PictureHeader | null {
  if (bytes.length >= 33 && bytes.toString('hex', 0, 16) === PNG_BEGINNING) {
    const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
    return width > 0 && height > 0 ? { type: 'png', width, height } : null;
  }
  const jpeg = checkHeader(bytes);
  return jpeg.ok ? { type: 'jpeg', width: jpeg.header.width, height: jpeg.header.height } : null;
}

export function openPicturePress(): PicturePress {
  let waiting = 0;
  let queue: Promise<unknown> = Promise.resolve();
  return {
    press(picture, order) {
      if (waiting >= MAX_WAITING) throw unavailable();
      waiting += 1;
      const made = queue.then(() => pressOne(picture, order)).finally(() => (waiting -= 1));
      queue = made.catch(() => undefined);
      return made;
    },
  };
}

async function pressOne(picture: Buffer, order: PressOrder): Promise<Pressed | null> {
  const child = spawn(
    process.execPath,
    [
      '--max-old-space-size=128',
      '--single-threaded-gc',
      PROGRAM,
      JSON.stringify({ ...order, megabytes: MAX_MEGABYTES }),
    ],
    { env: ENVIRONMENT, stdio: ['pipe', 'pipe', 'ignore'] },
  );
  const ended = Promise.withResolvers<number | null>();
  child.once('error', ended.reject);
  child.once('close', ended.resolve);
  const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
  // A pipe breaks when the process dies in the middle of a picture; `close` tells that story.
  child.stdin.on('error', () => undefined);
  child.stdin.end(picture);
  const pieces: Buffer[] = [];
  let bytes = 0;
  child.stdout.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > MAX_ANSWER_BYTES) child.kill('SIGKILL');
    else pieces.push(piece);
  });
  try {
    if ((await ended.promise) !== 0) throw unavailable();
  } finally {
    clearTimeout(timer);
  }
  return readAnswer(Buffer.concat(pieces));
}

/** One line of JSON, then the picture. */
function readAnswer(answer: Buffer): Pressed | null {
  const end = answer.indexOf(0x0a);
  const head = JSON.parse(answer.toString('utf8', 0, end)) as { damaged: true } | Omit<Pressed, 'bytes'>;
  return 'damaged' in head ? null : { ...head, bytes: answer.subarray(end + 1) };
}

function unavailable() {
  return problem('unavailable', 'This image cannot be worked on just now. Please try again.', { retryAfterSeconds: 5 });
}
