import { spawn, type ChildProcess } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import {
  OUT_OF_MEMORY_EXIT,
  readMessages,
  writeMessage,
  type ProcessUsage,
  type ResultMessage,
  type TaskMessage,
} from '#src/platform/images/picture-wire.ts';

const PROGRAM = fileURLToPath(new URL('./picture-child.ts', import.meta.url));
/**
 * For JavaScript alone; `maxMegabytes` bounds the whole. Small heaps are collected so often that a picture costs 15 % more
 * CPU (measured with 96), and helper threads of the collector only take a core from the next picture.
 */
const FLAGS = ['--max-old-space-size=512', '--single-threaded-gc'];

/**
 * The whole environment of the process: no secret can leak from what is not there. The allocator
 * keeps picture-sized blocks instead of giving them back to the system after each step, and has two
 * arenas instead of eight per core: 2-8 % less CPU and a fifth less memory, measured.
 */
const ENVIRONMENT = {
  TZ: 'UTC',
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '67108864',
  MALLOC_TRIM_THRESHOLD_: '268435456',
};

export type ChildLimits = {
  /** Wall clock for one picture; after that the process is killed. */
  timeoutMs: number;
  /** Resident memory above which the process ends itself. */
  maxMegabytes: number;
};

/** One picture process, from its start to its end. */
export type RunningChild = {
  pid: number | undefined;
  /**
   * One picture at a time. Rejects with a fault that the process reports, and if the process dies or is killed because it is
   * slow.
   */
  run(message: TaskMessage): Promise<unknown>;
  /** As of its last answer. */
  usage(): ProcessUsage;
  /** False as soon as it takes no more work. */
  alive(): boolean;
  /** Asks it to end; resolves when it has. */
  end(): Promise<void>;
};

export function startChild(limits: ChildLimits): RunningChild {
  const program = spawn(process.execPath, [...FLAGS, PROGRAM, String(limits.maxMegabytes)], {
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

  function receive(message: ResultMessage): void {
    usage = message.usage;
    inFlight?.resolve(message);
  }

  program.once('error', (error) => gone(error.message));
  program.once('exit', (code, signal) =>
    gone(code === OUT_OF_MEMORY_EXIT ? 'too much memory' : (signal ?? `exit code ${code}`)),
  );
  // A pipe breaks when the process dies in the middle of a picture; `exit` reports it.
  program.stdin.on('error', () => undefined);
  readMessages(program.stdout, receive, () => program.kill('SIGKILL'));

  return {
    pid: program.pid,
    async run(message) {
      inFlight = Promise.withResolvers();
      writeMessage(program.stdin, message);
      const timer = setTimeout(() => {
        inFlight?.reject(new Error(`The picture process ended: slower than ${limits.timeoutMs} ms.`));
        alive = false;
        program.kill('SIGKILL');
      }, limits.timeoutMs);
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

/** If the parent process keeps a cache of compiled code, starting costs half. */
function environment(): NodeJS.ProcessEnv {
  const cache = getCompileCacheDir();
  return cache === undefined ? ENVIRONMENT : { ...ENVIRONMENT, NODE_COMPILE_CACHE: cache };
}

/** A resting child must not keep its parent running; while there is work, the picture's timer does. */
function letParentEnd(program: ChildProcess): void {
  program.unref();
  for (const pipe of [program.stdin, program.stdout]) if (pipe instanceof Socket) pipe.unref();
}
