/** One process of the product, as a container runs it: `ROLE=web` or `ROLE=worker`. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { remember } from '#tests/load/children.ts';
import { startProgramFile } from '#tests/support/start-program.ts';

const START_WITHIN_MS = 300_000;
const PAUSE_MS = 300;
const LAST_WORDS = 1_500;

export type Program = {
  name: string;
  /** Starts it and waits until it is ready. From then on it is restarted whenever it exits, as containers are. */
  start(): Promise<void>;
  kill(): Promise<void>;
  /** Asks it to stop. @returns its exit code */
  stop(): Promise<number | null>;
  /** When it exited on its own, and its last output. */
  ownEnds(): { at: number; words: string }[];
  /** The end of its log. */
  lastWords(): string;
};

export type ProgramPlan = {
  name: string;
  folder: string;
  env: Record<string, string>;
  isReady(): Promise<boolean>;
};

export function createProgram({ name, folder, env, isReady }: ProgramPlan): Program {
  const logFile = path.join(folder, `${name}.log`);
  const ownEnds: { at: number; words: string }[] = [];
  let child: ChildProcess | null = null;
  let isWanted = false;

  const lastWords = () => readFileSync(logFile, 'utf8').slice(-LAST_WORDS);

  async function launch(): Promise<void> {
    const log = await open(logFile, 'a');
    const launched = remember(
      spawn(process.execPath, [startProgramFile()], {
        env: {
          PATH: process.env.PATH,
          NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
          NODE_ENV: 'production',
          ...env,
        },
        stdio: ['ignore', log.fd, log.fd],
      }),
    );
    child = launched;
    launched.once('exit', () => {
      if (!isWanted || child !== launched) return;
      ownEnds.push({ at: Date.now(), words: `${name}: ${lastWords()}` });
      setTimeout(() => void (isWanted && launch()), PAUSE_MS);
    });
    await log.close();
  }

  async function ended(signal: NodeJS.Signals): Promise<number | null> {
    isWanted = false;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
    return child.exitCode;
  }

  return {
    name,
    async start() {
      isWanted = true;
      await launch();
      for (const deadline = Date.now() + START_WITHIN_MS; !(await isReady().catch(() => false)); await sleep(100))
        if (Date.now() > deadline) throw new Error(`${name} did not start: ${readFileSync(logFile, 'utf8')}`);
    },
    kill: async () => void (await ended('SIGKILL')),
    stop: () => ended('SIGTERM'),
    ownEnds: () => ownEnds,
    lastWords,
  };
}
