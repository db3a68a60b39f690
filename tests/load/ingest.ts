import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { DevelopRequest } from '#src/platform/images/images.ts';
import { openPictureLab, type OpenPictureLab } from '#src/platform/images/picture-lab.ts';
import { openYardstick } from '#tests/load/yardsticks/open-sharp-resize.ts';
import { median } from '#tests/load/process-cpu.ts';
import { drawCameraPhotos, sharedPhotos } from '#tests/load/camera-photos.ts';

const WATERMARK = { kind: 'text', text: 'Hawks Soccer Club' } as const;

/** Code becomes fast with use; an upload has dozens of pictures. */
const WARM_UP_PICTURES = 10;

export type IngestMeasure = {
  /** All photos together: CPU of ingest / CPU of the yardstick (P1, without the database rows). */
  ratio: number;
  photos: { name: string; ingestCpuMs: number; yardstickCpuMs: number; ratio: number }[];
};

/**
 * P1: CPU of the picture process and of what the server does around it (reading, sending, receiving)
 * for header check, hash, EXIF, thumbhash and all renditions, against one sharp resize of the same
 * file; interleaved, medians of `repetitions`. Photos: drawn ones of 12-24 megapixels, and the real
 * phone files where the machine has them.
 */
export async function measureIngest(repetitions = 5): Promise<IngestMeasure> {
  const drawn = await drawCameraPhotos();
  const yardstick = openYardstick();
  const lab = openPictureLab({ concurrency: 1 });
  try {
    await wallMs(
      lab,
      Array.from({ length: WARM_UP_PICTURES }, () => drawn.files[0] ?? ''),
    );
    const photos: IngestMeasure['photos'] = [];
    for (const file of [...drawn.files, ...(await sharedPhotos('phones'))]) {
      const ingest: number[] = [];
      const plain: number[] = [];
      // The first round of each file is not counted.
      for (let round = 0; round <= repetitions; round++) {
        const times = { ingest: await ingestCpuMs(lab, file), plain: await yardstick.cpuMs(file) };
        if (round === 0) continue;
        ingest.push(times.ingest);
        plain.push(times.plain);
      }
      const [ingestCpu, yardstickCpu] = [median(ingest), median(plain)];
      photos.push({
        name: basename(file),
        ingestCpuMs: ingestCpu,
        yardstickCpuMs: yardstickCpu,
        ratio: ingestCpu / yardstickCpu,
      });
    }
    return { ratio: sumOf(photos, 'ingestCpuMs') / sumOf(photos, 'yardstickCpuMs'), photos };
  } finally {
    yardstick.close();
    await lab.close();
    await drawn.remove();
  }
}

/** P2: how much faster two at a time are than one at a time; wall clock, interleaved, median of `repetitions`. */
export async function measureIngestRate(repetitions = 5): Promise<number> {
  const drawn = await drawCameraPhotos();
  const labs = [openPictureLab({ concurrency: 1 }), openPictureLab({ concurrency: 2 })] as const;
  const pictures = [...drawn.files, ...drawn.files, ...drawn.files, ...drawn.files];
  try {
    const gains: number[] = [];
    for (let round = 0; round <= repetitions; round++) {
      const [one, two] = [await wallMs(labs[0], pictures), await wallMs(labs[1], pictures)];
      if (round > 0) gains.push(one / two);
    }
    return median(gains);
  } finally {
    await Promise.all(labs.map((lab) => lab.close()));
    await drawn.remove();
  }
}

/** P3: peak resident bytes of the largest picture process over 60 camera files, two at a time. */
export async function measurePictureMemory(): Promise<number> {
  const drawn = await drawCameraPhotos();
  const lab = openPictureLab({ concurrency: 2 });
  try {
    const files = [...drawn.files, ...(await sharedPhotos('phones', 'cameras', 'nature', 'orientation'))];
    await wallMs(
      lab,
      Array.from({ length: 60 }, (_, at) => files[at % files.length] ?? ''),
    );
    return lab.usage().peakBytes;
  } finally {
    await lab.close();
    await drawn.remove();
  }
}

async function ingestCpuMs(lab: OpenPictureLab, file: string): Promise<number> {
  const childBefore = lab.usage().cpuMs;
  const before = process.cpuUsage();
  await develop(lab, file);
  const { user, system } = process.cpuUsage(before);
  return lab.usage().cpuMs - childBefore + (user + system) / 1000;
}

async function wallMs(lab: OpenPictureLab, files: readonly string[]): Promise<number> {
  const start = performance.now();
  await Promise.all(files.map((file) => develop(lab, file)));
  return performance.now() - start;
}

async function develop(lab: OpenPictureLab, file: string): Promise<void> {
  const request: DevelopRequest = { original: await readFile(file), turns: 0, watermark: WATERMARK };
  const developed = await lab.develop(request);
  if (!developed.ok) throw new Error(`${file}: ${developed.problem}`);
}

function sumOf(photos: IngestMeasure['photos'], key: 'ingestCpuMs' | 'yardstickCpuMs'): number {
  return photos.reduce((sum, photo) => sum + photo[key], 0);
}
