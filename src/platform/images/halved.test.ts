import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { halved } from '#src/platform/images/halved.ts';
import { quartersJpeg } from '#tests/support/pictures.ts';

/** What is in the file behind what sharp opens. */
const contentOf = (file: string) => readFile(file.replace('[shrink=2]', ''));

// Elsewhere every picture is decoded whole.
describe.skipIf(process.platform !== 'linux')('A picture that is halved', () => {
  test('has half its size', async () => {
    const sizeOf = async (file: string) => (await sharp(file).raw().toBuffer({ resolveWithObject: true })).info;
    expect(await halved(await quartersJpeg(302, 200), sizeOf)).toMatchObject({ width: 151, height: 100 });
  });

  test('is not mixed up with others at the same time', async () => {
    const pictures = await Promise.all([64, 96, 128].map((width) => quartersJpeg(width, 64)));
    expect(await Promise.all(pictures.map((picture) => halved(picture, contentOf)))).toEqual(pictures);
  });

  test('leaves nothing that the next, smaller one could show', async () => {
    await halved(Buffer.alloc(100_000, 'before'), contentOf);
    const next = await quartersJpeg(32, 32);
    expect(await halved(next, contentOf)).toEqual(next);
  });

  test('and cannot be decoded is left to be decoded whole, and does not keep the next one from its file', async () => {
    expect(await halved(Buffer.from('no picture'), (file) => sharp(file).raw().toBuffer())).toBeNull();
    expect(await halved(Buffer.from('no /proc'), () => sharp('/missing/fd/7[shrink=2]').toBuffer())).toBeNull();
    const next = await quartersJpeg(32, 32);
    expect(await halved(next, contentOf)).toEqual(next);
  });
});
