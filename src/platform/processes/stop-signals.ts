import { readFileSync } from 'node:fs';

/** The wish to stop, from whatever side it comes. */
export type StopSignals = { asked: Promise<void>; isAsked(): boolean };

const PARENT_LOOK_MS = 500;

/**
 * SIGTERM, SIGINT, a closed terminal, and the end of the npm that started us: a killed `npm start` must not leave a
 * server on its port. Outside npm the parent may go (a daemon's does).
 */
export function stopSignals(env: NodeJS.ProcessEnv = process.env): StopSignals {
  let isAsked = false;
  const asked = new Promise<void>((resolve) => {
    const stop = (): void => {
      isAsked = true;
      resolve();
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
    if (!ignoresHangup()) process.on('SIGHUP', stop);
    if (env.npm_lifecycle_event === undefined) return;
    const parent = process.ppid;
    const look = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(look);
      stop();
    }, PARENT_LOOK_MS);
    look.unref();
  });
  return { asked, isAsked: () => isAsked };
}

/** True under `nohup`, whose whole point a handler of ours would undo. */
function ignoresHangup(): boolean {
  try {
    const mask = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
    return (BigInt(`0x${mask}`) & 1n) === 1n;
  } catch {
    return false;
  }
}
