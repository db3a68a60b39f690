/**
 * The picture process: the only place where untrusted pictures are decoded. It is started by `picture-lab.ts` with an
 * empty environment and a small heap, works on one picture at a time, and may be killed at any moment: it owns nothing.
 * It is a program and is not imported.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import sharp from 'sharp';
import { develop } from '#src/platform/images/develop.ts';
import type { DevelopRequest } from '#src/platform/images/images.ts';
import {
  OUT_OF_MEMORY_EXIT,
  receiveTask,
  sendResult,
  type PictureTask,
  type PictureTasks,
  type ProcessUsage,
  type ResultMessage,
} from '#src/platform/images/picture-wire.ts';
import { loadEncoder } from '#src/platform/images/raw-pixels.ts';
import { release } from '#src/platform/images/release.ts';
import { rewrite, preview, remark } from '#src/platform/images/rendition-work.ts';
import { readFontFiles } from '#src/platform/images/text-layout.ts';

const TASKS: {
  [Task in PictureTask]: (request: PictureTasks[Task]['request']) => Promise<PictureTasks[Task]['result']>;
} = { develop: (request) => develop(request as DevelopRequest<Buffer>), remark, preview, rewrite };
const STDIN = 0;
const STDOUT = 1;
/** Not 65534 (the user `no one`), because the database may run as that. */
const OF_NOBODY = 65_533;
const MEMORY_CHECK_MS = 50;
const LAST_PICTURE_MS = 25_000;

const maxBytes = Number(process.argv[2] ?? 600) * 1024 * 1024;

sharp.concurrency(1);
sharp.cache(false);
// JPEG for photos and PNG for watermarks, both checked by their first bytes before they get here; the only files are those
// of `halved.ts`.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadJpegFile', 'VipsForeignLoadPngBuffer'],
});
offerToOomKiller();
readFontFiles();
const lacksEncoder = loadEncoder() === null;
dropRootRights();

// Terminals and service managers signal whole process groups; here the parent process decides, by closing the pipe.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

// One task at a time: between tasks, this process only waits for the next one.
for (let next = receiveTask(STDIN); next; next = receiveTask(STDIN)) await work(next);
process.exit(0);

async function work({ task: { task, request }, parts }: NonNullable<ReturnType<typeof receiveTask>>): Promise<void> {
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() > maxBytes) process.exit(OUT_OF_MEMORY_EXIT);
  }, MEMORY_CHECK_MS);
  // The parent process kills slow pictures long before; this is for the case that the parent has ended.
  const end = setTimeout(() => process.exit(0), LAST_PICTURE_MS);
  try {
    const result: unknown = await TASKS[task](request as never);
    reply({ result, usage: usage(), lacksEncoder }).forEach(release);
  } catch (error) {
    reply({ fault: String(error), usage: usage(), lacksEncoder });
  } finally {
    clearInterval(watch);
    clearTimeout(end);
    parts.forEach(release);
  }
}

/** Returns the buffers that were sent. Without a parent process no one waits for them. */
function reply(message: ResultMessage): Buffer[] {
  try {
    return sendResult(STDOUT, message);
  } catch {
    process.exit(0);
  }
}

function usage(): ProcessUsage {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  return { cpuMs: (userCPUTime + systemCPUTime) / 1000, peakBytes: peakBytes() };
}

/** Linux records the peak; its `maxRSS` is not usable, because it begins with the size of the parent. */
function peakBytes(): number {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'latin1')) ?? [];
    return Number(kilobytes) * 1024;
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
}

/** If the machine runs out of memory, this process ends, not the database. */
function offerToOomKiller(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Not Linux, or not allowed: no harm done.
  }
}

/**
 * Cannot be undone. A program calls it after its imports, because its code may be readable by root only. In a container that
 * does not allow root to change its user, the program continues as it is.
 */
function dropRootRights(): void {
  if (process.getuid?.() !== 0) return;
  // Node writes the cache of compiled code at exit, when this process no longer has the right to.
  flushCompileCache();
  const steps = [() => process.setgroups?.([]), () => process.setgid?.(OF_NOBODY), () => process.setuid?.(OF_NOBODY)];
  for (const step of steps) {
    try {
      step();
    } catch {
      // Not allowed here.
    }
  }
}
