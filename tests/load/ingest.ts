import { readFile } from 'node:fs/promises';
import type { DevelopRequest } from '#src/platform/images/images.ts';
import { openPictureLab, type OpenPictureLab } from '#src/platform/images/picture-lab.ts';
import { median } from '#tests/load/process-cpu.ts';
import { sharedPhotos } from '#tests/load/camera-photos.ts';

const WATERMARK = { kind: 'text', text: 'Hawks Soccer Club' } as const;

/**
 * CPU of the picture process and of what is done around it (reading, sending, receiving) for header check, hash, EXIF,
 * thumbhash and all renditions of this file; the median of `repetitions` after a first one.
 */
export async function developCpuMs(lab: OpenPictureLab, file: string, repetitions: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round <= repetitions; round++) times.push(await ingestCpuMs(lab, file));
  return median(times.slice(1));
}

/** P2: how much faster two at a time are than one at a time; wall clock, interleaved, median of `repetitions`. */
export async function measureIngestRate(drawn: readonly string[], repetitions: number): Promise<number> {
  const labs = [openPictureLab({ concurrency: 1 }), openPictureLab({ concurrency: 2 })] as const;
  const pictures = [...drawn, ...drawn, ...drawn, ...drawn];
  try {
    const gains: number[] = [];
    for (let round = 0; round <= repetitions; round++) {
      const [one, two] = [await wallMs(labs[0], pictures), await wallMs(labs[1], pictures)];
      if (round > 0) gains.push(one / two);
    }
    return median(gains);
  } finally {
    await Promise.all(labs.map((lab) => lab.close()));
  }
}

/** P3: peak resident bytes of the largest picture process over `count` camera files, two at a time. */
export async function measurePictureMemory(drawn: readonly string[], count: number): Promise<number> {
  const lab = openPictureLab({ concurrency: 2 });
  try {
    const files = [...drawn, ...(await sharedPhotos('phones', 'cameras', 'nature', 'orientation'))];
    await wallMs(
      lab,
      Array.from({ length: count }, (_, at) => files[at % files.length] ?? ''),
    );
    return lab.usage().peakBytes;
  } finally {
    await lab.close();
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
