// @ts-check
/**
 * A record of what was sent, written line by line before and after each step, so that a program that is killed
 * continues where it was and sends nothing twice. A file is recognized by its content, whatever its name.
 */
import {
  closeSync,
  constants,
  fdatasyncSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';

/**
 * @typedef {{ t: 'gallery', name: string, clientKey: string }} GalleryLine a gallery that is being made
 * @typedef {{ t: 'sent', g: number, sha: string, key: string }} SentLine about to be stored under this key
 * @typedef {{ t: 'stored', g: number, sha: string, key: string, name: string }} StoredLine stored, and not submitted yet
 * @typedef {{ t: 'handing', g: number, keys: string[] }} HandingLine about to be submitted together
 * @typedef {{ t: 'handed', g: number, keys: string[], taken: boolean }} HandedLine
 * @typedef {{ t: 'done', g: number, sha: string, file: string }} DoneLine in the gallery
 * @typedef {{ t: 'visitor', cookie: string }} VisitorLine
 * @typedef {GalleryLine | SentLine | StoredLine | HandingLine | HandedLine | DoneLine | VisitorLine} Line
 * @typedef {{ sha: string, key: string, name: string }} Stored
 * @typedef {ReturnType<typeof openJournal>} Journal
 */

/** @param {string} path @param {string} server whose numbers of galleries these are; lines about others are left alone */
export function openJournal(path, server) {
  /** @type {Map<string, string>} */
  const keys = new Map();
  /** @type {Set<string>} */
  const done = new Set();
  /** @type {Map<string, Stored & { g: number }>} */
  const stored = new Map();
  /** @type {Map<string, string>} */
  const galleries = new Map();
  /** @type {HandingLine | null} */
  let handing = null;
  /** @type {string | null} */
  let visitor = null;
  const idOf = (/** @type {number} */ g, /** @type {string} */ sha) => `${g} ${sha}`;

  /** @param {Line} line */
  function apply(line) {
    if (line.t === 'gallery') galleries.set(line.name, line.clientKey);
    if (line.t === 'sent') keys.set(idOf(line.g, line.sha), line.key);
    if (line.t === 'stored') stored.set(line.key, line);
    if (line.t === 'handing') handing = line;
    if (line.t === 'visitor') visitor = line.cookie;
    if (line.t === 'done') done.add(idOf(line.g, line.sha));
    if (line.t === 'handed') {
      handing = null;
      for (const key of line.keys) {
        const file = stored.get(key);
        stored.delete(key);
        if (file && line.taken) done.add(idOf(line.g, file.sha));
      }
    }
  }

  const file = openToAppend(path);
  const before = readFileSync(path, 'utf8');
  for (const text of before.split('\n')) {
    const line = readLine(text);
    if (line?.server === server) apply(line);
  }
  // A kill may have left half a line: the next entry begins a line of its own.
  if (before !== '' && !before.endsWith('\n')) writeSync(file, '\n');

  return {
    /** Synced to disk when it returns. @param {Line} line */
    write(line) {
      writeSync(file, `${JSON.stringify({ ...line, server })}\n`);
      fdatasyncSync(file);
      apply(line);
    },
    /** @param {number} g @param {string} sha */
    isDone: (g, sha) => done.has(idOf(g, sha)),
    /** The key under which a file may have been stored before. @param {number} g @param {string} sha */
    keyOf: (g, sha) => keys.get(idOf(g, sha)) ?? null,
    /** Waiting to be submitted. @param {number} g @returns {Stored[]} */
    storedOf: (g) => [...stored.values()].filter((each) => each.g === g),
    /** What was being submitted when the program ended. @param {number} g */
    handingOf: (g) => (handing?.g === g ? handing.keys : null),
    /** The key with which a gallery of this name was being created. @param {string} name */
    clientKeyOf: (name) => galleries.get(name) ?? null,
    visitor: () => visitor,
    close: () => closeSync(file),
  };
}

/** @param {string} path of a file that is there for this alone: a link would have us write into another one */
function openToAppend(path) {
  const { O_APPEND, O_CREAT, O_RDWR } = constants;
  // Windows has none.
  const { O_NOFOLLOW: noLink = 0 } = /** @type {{ O_NOFOLLOW?: number }} */ (constants);
  try {
    return openSync(path, O_APPEND | O_CREAT | O_RDWR | noLink, 0o600);
  } catch (error) {
    if (/** @type {{ code?: string }} */ (error).code !== 'ELOOP') throw error;
    throw new Error(`${path} is a link. Remove it, or name another file with --state.`, { cause: error });
  }
}

/** @param {string} text @returns {(Line & { server?: string }) | null} */
function readLine(text) {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Two programs in one folder would send everything twice: the second one exits.
 * @param {string} path
 * @returns {(() => void) | null} frees it; null while another program has it
 */
export function takeLock(path) {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx', mode: 0o600 });
      return () => unlinkSync(path);
    } catch (error) {
      if (/** @type {{ code?: string }} */ (error).code !== 'EEXIST') throw error;
      if (isAlive(Number(readFileSync(path, 'utf8')))) return null;
      unlinkSync(path);
    }
  }
  return null;
}

/** @param {number} pid */
function isAlive(pid) {
  if (!Number.isInteger(pid) || pid < 1) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {{ code?: string }} */ (error).code === 'EPERM';
  }
}
