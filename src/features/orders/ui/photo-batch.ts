/** Photos of an order on their way to the phone, a batch at a time, so that 200 of them are never in its memory together. */

export const MOST_IN_BATCH = 20;
/** A batch that has this much takes no more. */
export const FULL_AT_BYTES = 100_000_000;
/** Enough for a phone's network to be busy. */
const AT_A_TIME = 3;

/**
 * The next files of a list, in its order. `take` brings one; `tell` hears how many are here.
 * @throws what `take` throws, once nothing is on its way any more; nothing of the batch is kept then.
 */
export async function nextBatch<Line, Taken extends { size: number }>(
  lines: readonly Line[],
  take: (line: Line) => Promise<Taken>,
  tell: (count: number) => void,
): Promise<Taken[]> {
  const files: Taken[] = [];
  for (let bytes = 0; files.length < Math.min(lines.length, MOST_IN_BATCH) && bytes < FULL_AT_BYTES;) {
    const next = lines.slice(files.length, Math.min(files.length + AT_A_TIME, MOST_IN_BATCH));
    let here = files.length;
    const taken = await Promise.allSettled(
      next.map(async (line) => {
        const file = await take(line);
        tell(++here);
        return file;
      }),
    );
    for (const each of taken) {
      if (each.status === 'rejected') throw each.reason;
      files.push(each.value);
      bytes += each.value.size;
    }
  }
  return files;
}
