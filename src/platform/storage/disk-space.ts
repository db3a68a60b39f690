/** How much of the disk uploads and renditions leave free. */
import { statfs } from 'node:fs/promises';
import { storageFull, withFileProblems } from '#src/platform/storage/storage-faults.ts';

/** The minimum is the larger of `bytes` and `percent` of the disk, and at most `mostPercent` of it: small disks are used, too. */
export type FreeSpaceRule = Readonly<{ bytes: number; percent: number; mostPercent: number }>;

export type DiskSpace = ReturnType<typeof diskSpace>;

export function minimumOf(totalBytes: number, rule: FreeSpaceRule): number {
  const share = (percent: number) => (totalBytes * percent) / 100;
  return Math.floor(Math.min(Math.max(rule.bytes, share(rule.percent)), share(rule.mostPercent)));
}

/** Blocks that are free to us, all blocks, and bytes of one. */
export type StatDisk = (folder: string) => Promise<{ bavail: number; blocks: number; bsize: number }>;

/** Reads the free space of a folder's disk. */
export function diskSpace(folder: string, rule: FreeSpaceRule, statDisk: StatDisk = (at) => statfs(at)) {
  let reading: Promise<{ freeBytes: number; minimumBytes: number }> | null = null;

  async function readNow() {
    const { bavail, blocks, bsize } = await withFileProblems(() => statDisk(folder));
    return { freeBytes: bavail * bsize, minimumBytes: minimumOf(blocks * bsize, rule) };
  }

  /** Calls during a read, such as those for each rendition of a photo, share its answer. */
  function read(): Promise<{ freeBytes: number; minimumBytes: number }> {
    reading ??= readNow().finally(() => {
      reading = null;
    });
    return reading;
  }

  async function need(bytes: number, shareOfMinimum: number): Promise<void> {
    const { freeBytes, minimumBytes } = await read();
    const minimum = minimumBytes * shareOfMinimum;
    if (freeBytes - bytes < minimum)
      throw storageFull(
        new Error(`${freeBytes} bytes are free on the disk of ${folder}, and ${Math.ceil(minimum)} are kept`),
      );
  }

  return {
    read,
    /** For a new upload of at most `bytes`. Problems: storage_full if it would not leave the minimum free, unavailable. */
    needForUpload: (bytes: number) => need(bytes, 1),
    /** For renditions of photos that are already stored: they may use half of the minimum. Problems: as above. */
    needForWork: (bytes: number) => need(bytes, 0.5),
  };
}
