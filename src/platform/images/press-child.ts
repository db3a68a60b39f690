/**
 * The process of the picture press: reads one picture from its input, writes it anew to its output and ends. It owns
 * nothing and knows nothing. Not imported by anything; it is a program.
 */
import sharp from 'sharp';
import { dropRootRights } from '#src/platform/images/root-rights.ts';

type Order = {
  box: { width: number; height: number } | null;
  to: 'png' | 'jpeg' | 'kept';
  megabytes: number;
};

const MAX_PIXELS = 4_096 * 4_096;
const MEMORY_LOOK_MS = 50;
const OUT_OF_MEMORY_EXIT = 77;
const QUALITY = 88;

const order = JSON.parse(process.argv[2] ?? '{}') as Order;

sharp.concurrency(1);
sharp.cache(false);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] });
dropRootRights();

const watch = setInterval(() => {
  if (process.memoryUsage.rss() > order.megabytes * 1024 * 1024) process.exit(OUT_OF_MEMORY_EXIT);
}, MEMORY_LOOK_MS);

const pieces: Buffer[] = [];
for await (const piece of process.stdin as AsyncIterable<Buffer>) pieces.push(piece);
const { head, bytes } = await press(Buffer.concat(pieces));
clearInterval(watch);
process.stdout.write(`${JSON.stringify(head)}\n`);
process.stdout.write(bytes);

async function press(picture: Buffer): Promise<{ head: Record<string, unknown>; bytes: Buffer }> {
  try {
    const source = sharp(picture, { limitInputPixels: MAX_PIXELS, failOn: 'error' }).autoOrient();
    const { format, autoOrient } = await source.metadata();
    const type = order.to === 'kept' ? (format === 'png' ? 'png' : 'jpeg') : order.to;
    const sized = order.box ? source.resize({ ...order.box, fit: 'inside', withoutEnlargement: true }) : source;
    const upright = sized.toColourspace('srgb');
    const bytes = await (
      type === 'png'
        ? upright.png({ compressionLevel: 9 })
        : upright.flatten({ background: '#ffffff' }).jpeg({ quality: QUALITY, mozjpeg: true })
    ).toBuffer();
    return { head: { type, source: { width: autoOrient.width, height: autoOrient.height } }, bytes };
  } catch {
    return { head: { damaged: true }, bytes: Buffer.alloc(0) };
  }
}
