import type { PictureLab, PictureTouches } from '#src/platform/images/images.ts';
import {
  developedOf,
  requestFrame,
  type Frame,
  type Outgoing,
  type ProcessUsage,
} from '#src/platform/images/picture-wire.ts';
import { startChild, type ChildLimits, type RunningChild } from '#src/platform/images/running-child.ts';
import {
  measuredOf,
  measureFrame,
  previewedOf,
  previewFrame,
  remarkedOf,
  remarkFrame,
} from '#src/platform/images/touch-wire.ts';

export type PictureLabOptions = Partial<ChildLimits> & {
  /** Pictures at a time, each in a process of its own; as many as there are cores. */
  concurrency: number;
  /** A process without work for so long is ended, and its memory is free. */
  idleMs?: number;
};

/** The lab, and what only benches and tests look at. */
export type OpenPictureLab = PictureLab &
  PictureTouches & {
    /** CPU of all picture processes so far, and the largest resident size of any one, as of their last answers. */
    usage(): ProcessUsage;
    /** Of the processes that run now. */
    pids(): number[];
  };

type Place = { child: RunningChild | null; busy: boolean; idle: NodeJS.Timeout | null };
type Task = { work: (child: RunningChild) => Promise<void>; failed: (error: unknown) => void };

const TIMEOUT_MS = 20_000;
const MAX_MEGABYTES = 600;
const IDLE_MS = 10_000;

/**
 * Opens the picture lab: pictures wait in line for `concurrency` places, each with one process that
 * is started when it is first needed. A picture that kills its process, or takes more than 20 s or
 * 600 MB, rejects alone; the next one gets a new process. A file that cannot be a photo does not
 * reject: it is answered with the reason (`images.ts`).
 */
export function openPictureLab(options: PictureLabOptions): OpenPictureLab {
  const limits = { timeoutMs: options.timeoutMs ?? TIMEOUT_MS, maxMegabytes: options.maxMegabytes ?? MAX_MEGABYTES };
  const places = Array.from({ length: options.concurrency }, (): Place => ({ child: null, busy: false, idle: null }));
  const line: Task[] = [];
  const past: ProcessUsage = { cpuMs: 0, peakBytes: 0 };
  let closed = false;

  function next(): void {
    // A running process before a new one: with little to do there is one process, not one per core.
    const free = places.filter(({ busy }) => !busy);
    const place = free.find(({ child }) => child?.alive()) ?? free[0];
    const task = place && line.shift();
    if (place && task) void serve(place, task);
  }

  async function serve(place: Place, { work, failed }: Task): Promise<void> {
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

  /** Waits in line for a place; `question` is only made when it is its turn. */
  function ask<Answer>(question: () => Outgoing, read: (frame: Frame) => Answer | Error): Promise<Answer> {
    if (closed) return Promise.reject(new Error('The picture lab is closed.'));
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    line.push({ work: async (child) => resolve(await child.ask(question(), read)), failed: reject });
    next();
    return promise;
  }

  return {
    develop: (request) => ask(() => requestFrame(request), developedOf),
    remark: (request) => ask(() => remarkFrame(request), remarkedOf),
    measure: (rendition) => ask(() => measureFrame(rendition), measuredOf),
    preview: (request) => ask(() => previewFrame(request), previewedOf),
    async close() {
      closed = true;
      for (const { failed } of line.splice(0)) failed(new Error('The picture lab is closed.'));
      await Promise.all(places.map(closePlace));
    },
    usage: () => places.reduce((sum, { child }) => (child ? addUsage(sum, child.usage()) : sum), { ...past }),
    pids: () => places.flatMap(({ child }) => (child?.alive() && child.pid !== undefined ? [child.pid] : [])),
  };
}

/** Pictures in flight are finished: the pipe is closed behind them. */
async function closePlace(place: Place): Promise<void> {
  if (place.idle) clearTimeout(place.idle);
  await place.child?.end();
}

function addUsage(sum: ProcessUsage, { cpuMs, peakBytes }: ProcessUsage): ProcessUsage {
  sum.cpuMs += cpuMs;
  sum.peakBytes = Math.max(sum.peakBytes, peakBytes);
  return sum;
}
