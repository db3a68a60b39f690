/** One install or build at a time per checkout. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const LONGEST_WAIT_MS = 15 * 60_000;
/** A lock without a process id is younger than this, or its holder died between two lines. */
const NAMELESS_MS = 5000;

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function holderOf(folder) {
  try {
    return Number(readFileSync(path.join(folder, 'pid'), 'utf8')) || null;
  } catch {
    return null;
  }
}

function tryTake(folder) {
  mkdirSync(path.dirname(folder), { recursive: true });
  try {
    mkdirSync(folder);
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
  writeFileSync(path.join(folder, 'pid'), String(process.pid));
  return true;
}

/**
 * The process that renames a dead holder's lock first has removed it; the others find nothing, or a fresh lock, which
 * they put back.
 */
function clear(folder, deadHolder) {
  const aside = `${folder}.${process.pid}`;
  try {
    renameSync(folder, aside);
    if (holderOf(aside) === deadHolder) rmSync(aside, { recursive: true, force: true });
    else renameSync(aside, folder);
  } catch {
    // Another process was faster.
  }
}

export async function withLock(folder, say, work) {
  const startedAt = Date.now();
  let namelessSince = null;
  let hasSpoken = false;
  while (!tryTake(folder)) {
    const holder = holderOf(folder);
    if (holder === null) namelessSince ??= Date.now();
    else namelessSince = null;
    const isAbandoned = holder === null ? Date.now() - namelessSince > NAMELESS_MS : !isAlive(holder);
    if (isAbandoned) {
      clear(folder, holder);
      continue;
    }
    if (!hasSpoken) say('another start is installing or building here; waiting for it');
    hasSpoken = true;
    if (Date.now() - startedAt > LONGEST_WAIT_MS)
      throw new Error(`${folder} has been held for a quarter of an hour; remove it if nothing is installing`);
    await sleep(200);
  }
  const release = () => {
    if (holderOf(folder) === process.pid) rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.removeListener('exit', release);
    release();
  }
}
