import type { PictureLab, RenditionWork, RewriteRequest, RewrittenPicture } from '#src/platform/images/images.ts';
import type { PictureTask, PictureTasks, ProcessUsage, TaskMessage } from '#src/platform/images/picture-wire.ts';
import { startChild, type ChildLimits, type RunningChild } from '#src/platform/images/running-child.ts';

export type PictureLabOptions = Partial<ChildLimits> & {
  /** Pictures at a time, each in its own process; as many as there are cores. */
  concurrency: number;
  /** A process without work for this long ends and frees its memory. */
  idleMs?: number;
};

/** The lab, with figures for benchmarks and tests. */
export type OpenPictureLab = PictureLab &
  RenditionWork & {
    /** Null if the picture cannot be decoded. */
    rewrite(request: RewriteRequest): Promise<RewrittenPicture | null>;
    /** CPU of all picture processes so far, and the largest resident size of any one, as of their last answers. */
    usage(): ProcessUsage;
    /** Of the processes that run now. */
    pids(): number[];
  };

type Place = { child: RunningChild | null; busy: boolean; idle: NodeJS.Timeout | null };
type Waiting = { work: (child: RunningChild) => Promise<void>; failed: (error: unknown) => void };

const TIMEOUT_MS = 20_000;
const MAX_MEGABYTES = 600;
const IDLE_MS = 10_000;

/**
 * Opens the picture lab: pictures wait in line for `concurrency` places, each with one process that
 * is started when it is first needed. A picture that kills its process, or takes more than 20 s or
 * 600 MB, rejects alone; the next one gets a new process. A file that cannot be a photo does not
 * reject: the result is the reason (`images.ts`).
 */
export function openPictureLab(options: PictureLabOptions): OpenPictureLab {
  const limits = { timeoutMs: options.timeoutMs ?? TIMEOUT_MS, maxMegabytes: options.maxMegabytes ?? MAX_MEGABYTES };
  const places = Array.from({ length: options.concurrency }, (): Place => ({ child: null, busy: false, idle: null }));
  const line: Waiting[] = [];
  const past: ProcessUsage = { cpuMs: 0, peakBytes: 0 };
  let closed = false;

  function next(): void {
    // A running process before a new one: with little to do there is one process, not one per core.
    const free = places.filter(({ busy }) => !busy);
    const place = free.find(({ child }) => child?.alive()) ?? free[0];
    const task = place && line.shift();
    if (place && task) void serve(place, task);
  }

  async function serve(place: Place, { work, failed }: Waiting): Promise<void> {
    place.busy = true;
    if (place.idle) clearTimeout(place.idle);
    try {
      await work(childOf(place));
    } catch (error) {
      failed(error);
    } finally {
      place.busy = false;
      place.idle = setTimeout(() => void place.child?.end(), options.idleMs ?? IDLE_MS).unref();
      next();
    }
  }

  function childOf(place: Place): RunningChild {
    if (place.child?.alive()) return place.child;
    if (place.child) addUsage(past, place.child.usage());
    place.child = startChild(limits);
    return place.child;
  }

  /** Waits in line for a place. */
  function run<Task extends PictureTask>(task: Task, request: PictureTasks[Task]['request']) {
    type Result = PictureTasks[Task]['result'];
    if (closed) return Promise.reject<Result>(new Error('The picture lab is closed.'));
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const message = { task, request } as TaskMessage;
    line.push({ work: async (child) => resolve((await child.run(message)) as Result), failed: reject });
    next();
    return promise;
  }

  return {
    develop: (request) => run('develop', request),
    remark: (request) => run('remark', request),
    measure: (rendition) => run('measure', rendition),
    preview: (request) => run('preview', request),
    rewrite: (request) => run('rewrite', request),
    async close() {
      closed = true;
      for (const { failed } of line.splice(0)) failed(new Error('The picture lab is closed.'));
      await Promise.all(places.map(closePlace));
    },
    usage: () => places.reduce((sum, { child }) => (child ? addUsage(sum, child.usage()) : sum), { ...past }),
    pids: () => places.flatMap(({ child }) => (child?.alive() && child.pid !== undefined ? [child.pid] : [])),
  };
}

/** Pictures in progress are finished, then the pipe is closed. */
async function closePlace(place: Place): Promise<void> {
  if (place.idle) clearTimeout(place.idle);
  await place.child?.end();
}

function addUsage(sum: ProcessUsage, { cpuMs, peakBytes }: ProcessUsage): ProcessUsage {
  sum.cpuMs += cpuMs;
  sum.peakBytes = Math.max(sum.peakBytes, peakBytes);
  return sum;
}
