import { describe, expect, test } from 'vitest';
import { FULL_AT_BYTES, MOST_IN_BATCH, nextBatch } from '#src/features/downloads/ui/download-photo.ts';

const lines = (count: number) => Array.from({ length: count }, (_, index) => index);
const MB = 1_000_000;

async function batchOf(count: number, size: number): Promise<{ ids: number[]; told: number[] }> {
  const told: number[] = [];
  const { files } = await nextBatch(
    lines(count),
    async (id) => ({ id, size }),
    (here) => told.push(here),
  );
  return { ids: files.map(({ id }) => id), told };
}

describe('a batch of photos', () => {
  test('contains all photos of a small order, in order, and reports progress for each', async () => {
    expect(await batchOf(5, MB)).toEqual({ ids: lines(5), told: [1, 2, 3, 4, 5] });
  });

  test('contains at most twenty of a large one', async () => {
    expect((await batchOf(200, MB)).ids).toEqual(lines(MOST_IN_BATCH));
  });

  test('stops at its size limit', async () => {
    const { ids } = await batchOf(200, 25 * MB);
    expect(ids).toEqual(lines(6));
    expect(ids.length * 25 * MB).toBeLessThan(2 * FULL_AT_BYTES);
  });

  test.each([
    ['the first five', [0, 1, 2, 3, 4], 30, 25],
    ['the third and the last', [2, 8], 9, 9],
    ['all', lines(9), 9, 9],
  ])('skips photos that are gone (%s), names them, and takes others instead', async (_, gone, count, at) => {
    const take = async (id: number) => (gone.includes(id) ? null : { id, size: MB });
    const batch = await nextBatch(lines(count), take, () => undefined);
    const open = lines(at).filter((id) => !gone.includes(id));
    expect({ ids: batch.files.map(({ id }) => id), gone: batch.gone }).toEqual({ ids: open, gone });
  });

  test('is empty when one photo fails, and reports no progress afterwards', async () => {
    const told: number[] = [];
    const take = async (id: number) => {
      if (id === 3) throw new Error('cut short');
      await new Promise((resolve) => setTimeout(resolve, 5));
      return { size: MB };
    };
    await expect(nextBatch(lines(9), take, (here) => told.push(here))).rejects.toThrow('cut short');
    const before = told.length;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(told).toHaveLength(before);
  });
});
