/**
 * Starts the picture processes, gives them pictures one by one, and ends those that are slow or idle. The work itself is
 * done in those processes: `picture-child.ts` is their program, `develop.ts` and `rendition-work.ts` what they do, and
 * `picture-wire.ts` how pictures get there and back.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { Socket } from 'node:net';
import type { PictureLab, RenditionWork, RewriteRequest, RewrittenPicture } from '#src/platform/images/images.ts';
import { withoutNetwork } from '#src/platform/images/no-network.ts';
import {
  type PictureTask,
  type PictureTasks,
  type ProcessUsage,
  type TaskMessage,
  OUT_OF_MEMORY_EXIT,
  readResults,
  sendTask,
  type ResultMessage,
} from '#src/platform/images/picture-wire.ts';
import { programFile } from '#src/platform/program-files.ts';

export type PictureLabOptions = Partial<ChildLimits> & {
  /** Pictures developed at the same time, each in its own process; as many as there are cores. */
  concurrency: number;
  /** A process that is idle this long ends and frees its memory. */
  idleMs?: number;
  /** Called once if the processes encode with sharp, because the library that costs less cannot be loaded. */
  onSlowEncoder?: () => void;
};

/** The lab, with figures for benchmarks and tests. */
export type OpenPictureLab = PictureLab &
  RenditionWork & {
    /** Null if the picture cannot be decoded. */
    rewrite(request: RewriteRequest): Promise<RewrittenPicture | null>;
    /** CPU of all picture processes so far, and the largest resident size of any of them, as of their last results. */
    usage(): ProcessUsage;
    /** Of the running processes. */
    pids(): number[];
  };

type Slot = { child: RunningChild | null; busy: boolean; idle: NodeJS.Timeout | null };
type Waiting = { work: (child: RunningChild) => Promise<void>; failed: (error: unknown) => void };

const TIMEOUT_MS = 20_000;
const MAX_MEGABYTES = 600;
const IDLE_MS = 10_000;

/**
 * Opens the picture lab: pictures wait in a queue for one of `concurrency` slots, each with one process that is started
 * when it is first needed. A picture that crashes its process, or takes more than 20 s or 600 MB, rejects alone; the
 * next one gets a new process. A file that is not a valid photo does not reject: the result is the reason
 * (`images.ts`).
 */
export function openPictureLab(options: PictureLabOptions): OpenPictureLab {
  const limits = {
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    maxMegabytes: options.maxMegabytes ?? MAX_MEGABYTES,
    program: options.program ?? programFile('picture-child'),
  };
  const slots = Array.from({ length: options.concurrency }, (): Slot => ({ child: null, busy: false, idle: null }));
  const queue: Waiting[] = [];
  const past: ProcessUsage = { cpuMs: 0, peakBytes: 0 };
  let closed = false;
  let isReported = false;

  function reportSlowEncoder(): void {
    if (!isReported) options.onSlowEncoder?.();
    isReported = true;
  }

  function next(): void {
    // Prefers a running process to a new one: with little work there is one process, not one per core.
    const free = slots.filter(({ busy }) => !busy);
    const slot = free.find(({ child }) => child?.alive()) ?? free[0];
    const task = slot && queue.shift();
    if (slot && task) void serve(slot, task);
  }

  async function serve(slot: Slot, { work, failed }: Waiting): Promise<void> {
    slot.busy = true;
    if (slot.idle) clearTimeout(slot.idle);
    try {
      await work(childOf(slot));
    } catch (error) {
      failed(error);
    } finally {
      slot.busy = false;
      slot.idle = setTimeout(() => void slot.child?.end(), options.idleMs ?? IDLE_MS).unref();
      next();
    }
  }

  function childOf(slot: Slot): RunningChild {
    if (slot.child?.alive()) return slot.child;
    if (slot.child) addUsage(past, slot.child.usage());
    slot.child = startChild(limits, reportSlowEncoder);
    return slot.child;
  }

  /** Waits for a slot. */
  function run<Task extends PictureTask>(task: Task, request: PictureTasks[Task]['request']) {
    type Result = PictureTasks[Task]['result'];
    if (closed) return Promise.reject<Result>(new Error('The picture lab is closed.'));
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const message = { task, request } as TaskMessage;
    queue.push({ work: async (child) => resolve((await child.run(message)) as Result), failed: reject });
    next();
    return promise;
  }

  return {
    develop: (request) => run('develop', request),
    remark: (request) => run('remark', request),
    preview: (request) => run('preview', request),
    rewrite: (request) => run('rewrite', request),
    async close() {
      closed = true;
      for (const { failed } of queue.splice(0)) failed(new Error('The picture lab is closed.'));
      await Promise.all(slots.map(closeSlot));
    },
    usage: () => slots.reduce((sum, { child }) => (child ? addUsage(sum, child.usage()) : sum), { ...past }),
    pids: () => slots.flatMap(({ child }) => (child?.alive() && child.pid !== undefined ? [child.pid] : [])),
  };
}

/** Pictures in progress are finished, then the pipe is closed. */
async function closeSlot(slot: Slot): Promise<void> {
  if (slot.idle) clearTimeout(slot.idle);
  await slot.child?.end();
}

function addUsage(sum: ProcessUsage, { cpuMs, peakBytes }: ProcessUsage): ProcessUsage {
  sum.cpuMs += cpuMs;
  sum.peakBytes = Math.max(sum.peakBytes, peakBytes);
  return sum;
}

/**
 * For JavaScript alone; `maxMegabytes` limits the whole process. A full collection runs later, and new objects are
 * collected every 2 MB instead of 16: less CPU and 20 MB less memory. Helper threads of the collector only take a core
 * from the next picture.
 */
const FLAGS = [
  '--max-old-space-size=512',
  '--initial-old-space-size=128',
  '--max-semi-space-size=2',
  '--single-threaded-gc',
];

/**
 * The whole environment of the process: it contains no secret that could leak. The allocator has one arena, because one
 * thread works at a time. It reuses picture-sized blocks instead of returning them to the system after each step, and
 * asks for large pages (docs/decisions/0057-ingest.md).
 */
const ENVIRONMENT = {
  TZ: 'UTC',
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '67108864',
  MALLOC_TRIM_THRESHOLD_: '268435456',
  GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
};

type ChildLimits = {
  /** Wall clock for one picture; after that the process is killed. */
  timeoutMs: number;
  /** Resident memory above which the process ends itself. */
  maxMegabytes: number;
  /** The file that it runs; tests run others. */
  program: string;
};

/** One picture process, from its start to its end. */
type RunningChild = {
  pid: number | undefined;
  /**
   * One picture at a time. Rejects with an error that the process reports, and if the process dies or is killed because
   * it is slow.
   */
  run(message: TaskMessage): Promise<unknown>;
  /** As of its last result. */
  usage(): ProcessUsage;
  /** False once it accepts no more work. */
  alive(): boolean;
  /** Asks it to end; resolves when it has. */
  end(): Promise<void>;
};

function startChild(limits: ChildLimits, onSlowEncoder: () => void): RunningChild {
  const args = [...FLAGS, limits.program, String(limits.maxMegabytes)];
  const program = spawn(...withoutNetwork(process.execPath, args), {
    env: environment(),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  letParentEnd(program);
  const ended = Promise.withResolvers<void>();
  let usage: ProcessUsage = { cpuMs: 0, peakBytes: 0 };
  let alive = true;
  let inFlight: PromiseWithResolvers<ResultMessage> | null = null;

  function gone(why: string): void {
    alive = false;
    inFlight?.reject(new Error(`The picture process ended: ${why}.`));
    ended.resolve();
  }

  /** It accepts no more work, because its input or its work did not end. */
  function giveUp(error: unknown): void {
    inFlight?.reject(error);
    alive = false;
    program.kill('SIGKILL');
  }

  function receive(message: ResultMessage): void {
    usage = message.usage;
    if (message.lacksEncoder) onSlowEncoder();
    inFlight?.resolve(message);
  }

  program.once('error', (error) => gone(error.message));
  program.once('exit', (code, signal) =>
    gone(code === OUT_OF_MEMORY_EXIT ? 'too much memory' : (signal ?? `exit code ${code}`)),
  );
  // A pipe breaks if the process dies in the middle of a picture; `exit` reports it.
  program.stdin.on('error', () => undefined);
  readResults(program.stdout, receive, () => program.kill('SIGKILL'));

  return {
    pid: program.pid,
    async run(message) {
      inFlight = Promise.withResolvers();
      const timer = setTimeout(
        () => giveUp(new Error(`The picture process ended: slower than ${limits.timeoutMs} ms.`)),
        limits.timeoutMs,
      );
      sendTask(program.stdin, message, () => timer.refresh()).catch(giveUp);
      const answer = await inFlight.promise.finally(() => {
        clearTimeout(timer);
        inFlight = null;
      });
      if ('fault' in answer) throw new Error(answer.fault);
      return answer.result;
    },
    usage: () => usage,
    alive: () => alive,
    end() {
      alive = false;
      program.ref();
      program.stdin.end();
      return ended.promise;
    },
  };
}

/** If the parent process has a cache of compiled code, starting costs half. */
function environment(): NodeJS.ProcessEnv {
  const cache = getCompileCacheDir();
  return cache === undefined ? ENVIRONMENT : { ...ENVIRONMENT, NODE_COMPILE_CACHE: cache };
}

/** An idle child must not keep its parent running; while there is work, the picture's timer does. */
function letParentEnd(program: ChildProcess): void {
  program.unref();
  for (const pipe of [program.stdin, program.stdout]) if (pipe instanceof Socket) pipe.unref();
}
