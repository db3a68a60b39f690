/**
 * P7: CPU of one rendition with its permission check, against a buffer of its bytes from memory; nginx's CPU is printed
 * next to it.
 */
import { writeFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { fetchRaw, load, PHONES } from '#tests/load/http-load.ts';
import { cpuMsOf } from '#tests/load/process-cpu.ts';
import { compareCpu, WARMING } from '#tests/load/interleaved.ts';
import { makeGallery } from '#tests/load/made-gallery.ts';
import { makeOwner } from '#tests/load/made-owner.ts';
import { UNCACHED, type Bench } from '#tests/load/open-bench.ts';
import type { BenchResult, BenchRow } from '#tests/load/rows.ts';
import { startNginx, startYardstick, type Yardstick } from '#tests/load/yardsticks/start-yardstick.ts';

/** From the measurement on which the speed goals are based: nginx with a static file / a buffer from memory. */
const STATIC_SERVER = 0.85;

/** Grain over a gradient: its rendition of 480 px is about as large as a photograph's. */
async function drawPhoto(): Promise<Buffer> {
  const grain = await sharp({
    create: {
      width: 1600,
      height: 1067,
      channels: 3,
      background: '#6b7',
      noise: { type: 'gaussian', mean: 128, sigma: 18 },
    },
  })
    .jpeg({ quality: 90 })
    .toBuffer();
  return grain;
}

async function measure(bench: Bench): Promise<BenchResult> {
  const [count, bareCount] = bench.pick([2_000, 4_000], [800, 2_000]);
  const product = await bench.product(UNCACHED);
  const { organizationId, galleryId } = await makeGallery(product.ownerUrl, 0);
  const owner = await makeOwner(product, organizationId);
  const photoId = await owner.claim(galleryId, await owner.store(galleryId, await drawPhoto(), 'bench.jpg'));
  while (!(await owner.isReady(galleryId, photoId))) await pause(50);
  const address = `${product.url}/api/v1/galleries/${galleryId}/gallery_photos/${photoId}?size=640`;
  const { bytes } = await fetchRaw(address);
  const nginx = await startNginx(bytes);
  const yardstick = await startBuffer(bytes);
  try {
    const measured = await compareCpu(
      { pids: [product.pid, product.postgresPid], run: () => load(address, count, {}, PHONES) },
      { pids: [yardstick.pid], run: () => load(yardstick.url, bareCount, {}, PHONES) },
      { rounds: bench.rounds, count, bareCount, warming: bench.pick(8, WARMING), bareWarming: WARMING },
    );
    return {
      figures: { rendition: { value: measured.ratio / STATIC_SERVER, must: 4, aim: 1.5 } },
      details: {
        'rendition cpu ms': measured.productMs,
        'buffer cpu ms': measured.yardstickMs,
        ...(nginx ? { 'nginx cpu ms': await cpuMsOfOne(nginx, bareCount) } : {}),
        'rendition kB': bytes.length / 1000,
      },
    };
  } finally {
    yardstick.stop();
    nginx?.stop();
  }
}

/** For comparison only: what a static file costs a server that checks nothing (decision record 0062). */
async function cpuMsOfOne({ pid, url }: Yardstick, count: number): Promise<number> {
  await load(url, count, {}, PHONES);
  const before = cpuMsOf([pid]);
  await load(url, count, {}, PHONES);
  return (cpuMsOf([pid]) - before) / count;
}

async function startBuffer(bytes: Buffer): Promise<Yardstick> {
  const file = join(await mkdtemp(join(tmpdir(), 'sideline-rendition-')), 'rendition.jpg');
  await writeFile(file, bytes);
  return startYardstick('bare-buffer', file, 'image/jpeg');
}

export const renditionRow: BenchRow = {
  name: 'P7',
  what: 'CPU of a rendition, rights checked / a static file of its size',
  measure,
};
