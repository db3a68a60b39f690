/**
 * libjpeg can halve a picture while it decodes it, which saves a third of the work. sharp asks for that only if the
 * picture is at least three times as large as wanted. But the option can be written behind the name of a file: a picture
 * between two and three times as large is put into a file without a name, in memory
 * (docs/decisions/0132-halved-while-decoded.md).
 */
import { constants, ftruncateSync, openSync, writeSync } from 'node:fs';

const IN_MEMORY = '/dev/shm';
/** Linux: Node has no name for it. The file has no name and ends with the process. */
const O_TMPFILE = 0o20000000 | constants.O_DIRECTORY;

/** Open files that no picture uses. Their memory is used again, which costs a quarter of new memory. */
const unused: number[] = [];

/**
 * Calls `decode` with what sharp opens as the same picture at half its size. The result is null on machines without
 * such files, when their memory is full, and when `decode` fails: only decoding the whole picture shows what is wrong with it.
 */
export async function halved<Result>(original: Buffer, decode: (file: string) => Promise<Result>) {
  const file = unused.pop() ?? newFile();
  if (file === null) return null;
  try {
    if (!fill(file, original)) return null;
    return await decode(`/proc/self/fd/${file}[shrink=2]`);
  } catch {
    return null;
  } finally {
    unused.push(file);
  }
}

function newFile(): number | null {
  try {
    return openSync(IN_MEMORY, O_TMPFILE | constants.O_RDWR, 0o600);
  } catch {
    return null;
  }
}

/** False if there is no space for it; then the file is empty. */
function fill(file: number, bytes: Buffer): boolean {
  try {
    ftruncateSync(file, bytes.length);
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at, at);
    return true;
  } catch {
    ftruncateSync(file, 0);
    return false;
  }
}
