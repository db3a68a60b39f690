// @ts-check
/** Looks for files, sends complete ones, a few at a time, and waits while the network is down. */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Refused, Unreachable } from './client.js';
import { findFiles, readWhole, watchFiles } from './folder.js';

/** @typedef {import('./folder.js').Found} Found */
/**
 * @typedef {object} Run
 * @property {readonly string[]} paths
 * @property {boolean} recursive
 * @property {boolean} watch continue until it is stopped
 * @property {number} settleMs
 * @property {number} parallel
 * @property {number} giveUpMs how long a server may be out of reach before it ends; nothing ends a watch
 * @property {number} gallery
 * @property {import('./sender.js').Sender} sender
 * @property {import('./journal.js').Journal} journal
 * @property {(event: Event) => void} tell
 * @property {AbortSignal} stop
 */
/** @typedef {{ kind: 'sent' | 'known' | 'refused' | 'waiting' | 'back', file?: string, why?: string, count: Counts }} Event */
/** @typedef {{ sent: number, known: number, refused: number, bytes: number }} Counts */

const LOOK_EVERY_MS = 500;
/** A contributor’s photos are submitted together. */
const HAND_OVER_AFTER_MS = 20_000;
const LONGEST_WAIT_MS = 60_000;

/** A refusal that applies to every other file, too: because of the token, the link or the gallery. */
const concernsAll = (/** @type {Refused} */ { status }) => [401, 403, 404].includes(status);

/**
 * @param {Run} run
 * @returns {Promise<Counts & { ended: 'done' | 'stopped' | 'unreachable' | 'refused', why?: string }>}
 */
export async function sendFiles(run) {
  const { paths, recursive, watch, settleMs, parallel, journal, sender, gallery, stop } = run;
  const counts = { sent: 0, known: 0, refused: 0, bytes: 0 };
  const looks = watchFiles({ settleMs });
  /** By path, as it was when it was handled. @type {Map<string, string>} */
  const dealtWith = new Map();
  /** @type {Set<string>} */
  const underWay = new Set();
  /** Content that another file is already sending. @type {Set<string>} */
  const contents = new Set();
  /** @type {Set<Promise<void>>} */
  const works = new Set();
  const look = (/** @type {Found} */ { size, mtimeMs }) => `${size} ${mtimeMs}`;
  const patience = waitOut(run, counts);
  let lastSentMs = 0;

  /** @param {Found} file @param {Event['kind']} kind @param {string} [why] */
  function settle(file, kind, why) {
    dealtWith.set(file.path, look(file));
    if (kind === 'sent' || kind === 'known' || kind === 'refused') counts[kind] += 1;
    run.tell({ kind, file: path.basename(file.path), ...(why === undefined ? {} : { why }), count: counts });
  }

  /** @param {Found} file */
  async function handle(file) {
    const read = await readWhole(file);
    if (read === 'changed' || read === 'gone') return looks.forget(file.path);
    if ('problem' in read) return settle(file, 'refused', read.problem);
    if (contents.has(read.sha)) return;
    if (journal.isDone(gallery, read.sha)) return settle(file, 'known');
    contents.add(read.sha);
    try {
      const outcome = await patience.insist(() => sender.deliver({ ...read, path: file.path }));
      if (outcome === 'sent') counts.bytes += read.bytes.length;
      lastSentMs = Date.now();
      settle(file, outcome);
    } catch (error) {
      if (!(error instanceof Refused) || concernsAll(error)) throw error;
      settle(file, 'refused', error.message);
    } finally {
      contents.delete(read.sha);
    }
  }

  /** The reason to end the run. @type {unknown} */
  let end = null;
  await patience.insist(() => sender.resume()).catch((error) => (end = error));
  while (end === null && !stop.aborted) {
    const files = await findFiles(paths, { recursive });
    const open = files.filter((file) => dealtWith.get(file.path) !== look(file));
    for (const file of open) {
      if (works.size >= parallel) await Promise.race(works);
      if (end !== null || stop.aborted) break;
      if (underWay.has(file.path) || !(await looks.isWhole(file))) continue;
      underWay.add(file.path);
      const work = handle(file)
        .catch((error) => {
          end ??= error;
        })
        .finally(() => {
          underWay.delete(file.path);
          works.delete(work);
        });
      works.add(work);
    }
    if (works.size === 0 && (!watch || Date.now() - lastSentMs > HAND_OVER_AFTER_MS)) {
      await patience.insist(() => sender.finish()).catch((error) => (end ??= error));
      if (!watch && open.length === 0) break;
    }
    await Promise.race([
      sleep(Math.min(LOOK_EVERY_MS, settleMs), undefined, { signal: stop }).catch(() => undefined),
      ...works,
    ]);
  }
  await Promise.allSettled(works);
  if (end === null) await patience.insist(() => sender.finish()).catch((error) => (end = error));
  if (end === null) return { ...counts, ended: stop.aborted ? 'stopped' : 'done' };
  if (end instanceof Refused) return { ...counts, ended: 'refused', why: end.message };
  if (end instanceof Unreachable) return { ...counts, ended: 'unreachable', why: end.message };
  throw end;
}

/**
 * Retries while the server is unreachable or asks to wait; all files wait together.
 * @param {Pick<Run, 'watch' | 'giveUpMs' | 'tell' | 'stop'>} run @param {Counts} count
 */
function waitOut({ watch, giveUpMs, tell, stop }, count) {
  let awaySinceMs = 0;
  return {
    /** @template Answer @param {() => Promise<Answer>} attempt @returns {Promise<Answer>} */
    async insist(attempt) {
      for (let tries = 0; ; tries += 1) {
        try {
          const answer = await attempt();
          if (awaySinceMs !== 0) tell({ kind: 'back', count });
          awaySinceMs = 0;
          return answer;
        } catch (error) {
          const isAway = error instanceof Unreachable;
          if (!isAway && !(error instanceof Refused && error.retryAfterSeconds !== null)) throw error;
          if (stop.aborted) throw error;
          const now = Date.now();
          if (isAway && awaySinceMs === 0) awaySinceMs = now;
          if (isAway && !watch && now - awaySinceMs > giveUpMs) throw error;
          const waitMs = Math.min(
            LONGEST_WAIT_MS,
            error.retryAfterSeconds === null ? 500 * 2 ** tries : error.retryAfterSeconds * 1000,
          );
          if (tries === 0) tell({ kind: 'waiting', why: error.message, count });
          await sleep(waitMs, undefined, { signal: stop }).catch(() => undefined);
        }
      }
    },
  };
}
