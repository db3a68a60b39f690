#!/usr/bin/env node
// @ts-check
/** `sideline-upload`: sends JPEG files to a gallery, once or as they appear (docs/uploader.md). */
import { randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { createClient, Refused, Unreachable } from './client.js';
import { openJournal, takeLock } from './journal.js';
import { sendFiles } from './run.js';
import { contributorSender, tokenSender } from './sender.js';

const EXIT = { done: 0, usage: 1, someRefused: 2, refused: 3, unreachable: 4, stopped: 130 };

const HELP = `Sends the JPEG files of a folder to a gallery of Sideline.

  sideline-upload --server https://club.example.com --gallery "Spring Cup" PHOTOS
  sideline-upload --server https://club.example.com --gallery 42 --watch EXPORTS
  sideline-upload --link "https://club.example.com/contributor?contributeKey=..." --name Ana --email ana@example.com PHOTOS

Who sends
  SIDELINE_TOKEN            an API token of the organization (Settings, API tokens), in the environment
  --token-file FILE         or in a file
  --link ADDRESS            or, as a contributor, the invite link of a gallery, with --name and --email

Where to
  --server ADDRESS          the site (or SIDELINE_SERVER)
  --gallery NAME-OR-NUMBER  a gallery that exists; without it you are asked
  --new-gallery NAME        makes a gallery, once, with --price 4.00 and --photos-by NAME
  --list                    lists the galleries and ends

What
  PATH...                   folders and files
  --recursive               also folders below
  --watch                   stays and sends what comes (a hot folder) until Ctrl-C
  --settle SECONDS          a file is whole when it has not changed for so long (2)
  --parallel NUMBER         files at a time (3)
  --give-up MINUTES         ends when the server was out of reach for so long (10); never with --watch
  --state FILE              what was sent already (.sideline-upload.jsonl in the first folder)
  --allow-http              an address without https that is not this computer

It ends with 0 when everything was sent, 1 for a wrong command, 2 when some files were not taken,
3 when the token, link or gallery was refused, 4 when the server could not be reached, 130 when it was stopped.
`;

class Usage extends Error {}

const OPTIONS = /** @type {const} */ ({
  server: { type: 'string' },
  'token-file': { type: 'string' },
  link: { type: 'string' },
  name: { type: 'string' },
  email: { type: 'string' },
  gallery: { type: 'string' },
  'new-gallery': { type: 'string' },
  price: { type: 'string' },
  'photos-by': { type: 'string' },
  list: { type: 'boolean' },
  recursive: { type: 'boolean' },
  watch: { type: 'boolean' },
  settle: { type: 'string' },
  parallel: { type: 'string' },
  'give-up': { type: 'string' },
  state: { type: 'string' },
  'allow-http': { type: 'boolean' },
  help: { type: 'boolean' },
});

/** @typedef {ReturnType<typeof readCommand>['values']} Values */

function readCommand() {
  try {
    return parseArgs({ options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new Usage(error instanceof Error ? error.message : String(error));
  }
}

// oxlint-disable-next-line no-control-regex -- what a terminal would obey is taken away: names of files and galleries are others' words
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
/** @param {string} text */
const say = (text) => void process.stdout.write(`${text.replaceAll(OBEYED, '')}\n`);
/** @param {string} text */
const complain = (text) => void process.stderr.write(`${text.replaceAll(OBEYED, '')}\n`);

/** @param {Values} values @param {keyof Values} name @param {number} otherwise @param {{ least: number, most: number }} range */
function numberOf(values, name, otherwise, { least, most }) {
  const text = values[name];
  const number = text === undefined ? otherwise : Number(text);
  if (!(number >= least && number <= most)) throw new Usage(`--${name} must be a number from ${least} to ${most}.`);
  return number;
}

/** @param {Values} values */
function serverOf(values) {
  const text = values.link ?? values.server ?? process.env['SIDELINE_SERVER'];
  if (text === undefined || !URL.canParse(text)) throw new Usage('Name the site with --server https://...');
  const { protocol, hostname, origin } = new URL(text);
  const isHere = hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '127.0.0.1';
  if (protocol !== 'https:' && !(protocol === 'http:' && (isHere || values['allow-http'])))
    throw new Usage('The address must begin with https://, so that no one on the way can read your token.');
  return origin;
}

/** @param {Values} values */
function tokenOf(values) {
  const file = values['token-file'];
  const token = (file === undefined ? (process.env['SIDELINE_TOKEN'] ?? '') : readText(file)).trim();
  if (!/^sideline_[A-Za-z0-9_-]{43}$/.test(token))
    throw new Usage('An API token is needed: set SIDELINE_TOKEN, or name a file with --token-file.');
  return token;
}

/** @param {string} file */
function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new Usage(`${file} cannot be read.`);
  }
}

/** @param {readonly string[]} paths */
function folderOf(paths) {
  const [first] = paths;
  if (first === undefined) throw new Usage('Name a folder or files to send.');
  for (const each of paths) if (!statSync(each, { throwIfNoEntry: false })) throw new Usage(`${each} does not exist.`);
  return statSync(first).isDirectory() ? first : path.dirname(first);
}

/**
 * @param {import('./client.js').Client} client @param {number} organizationId
 * @returns {Promise<{ id: number, name: string }[]>} newest first
 */
async function galleriesOf(client, organizationId) {
  const all = [];
  for (let page = 1; ; page += 1) {
    const some = await client.call('GET /api/v1/affiliates/{id}/galleries', {
      params: { id: organizationId },
      query: { page, perPage: 100 },
    });
    all.push(...some.filter(({ active }) => active));
    if (some.length < 100) return all;
  }
}

/**
 * A gallery by its number, checked now rather than with the first photo. @param {import('./client.js').Client} client
 * @param {number} id
 */
async function numbered(client, id) {
  await client.call('POST /api/v1/galleries/{id}/gallery_photos/known', { params: { id }, body: { sha256: [] } });
  return { id, name: `gallery ${id}` };
}

/** @param {{ id: number, name: string }[]} galleries @param {string | undefined} wanted */
async function choose(galleries, wanted) {
  if (wanted === undefined) {
    if (!process.stdin.isTTY) throw new Usage('Name the gallery with --gallery, or make one with --new-gallery.');
    galleries.forEach(({ name }, index) => say(`${String(index + 1).padStart(4)}  ${name}`));
    const asked = createInterface({ input: process.stdin, output: process.stdout });
    const answer = Number(await asked.question('Which gallery? '));
    asked.close();
    const chosen = galleries[answer - 1];
    if (!chosen) throw new Usage('There is no such gallery.');
    return chosen;
  }
  const named = galleries.filter(({ id, name }) => String(id) === wanted || name === wanted);
  if (named.length > 1) throw new Usage(`Several galleries are called ${wanted}. Name one by its number (--list).`);
  const [found] = named;
  if (!found) throw new Usage(`There is no gallery ${wanted}. --list shows what there is.`);
  return found;
}

/**
 * @param {Values} values @param {import('./journal.js').Journal} journal
 * @param {import('./client.js').Client} client @param {number} organizationId
 */
async function makeGallery(values, journal, client, organizationId) {
  const name = values['new-gallery'] ?? '';
  const price = Number(values.price ?? Number.NaN);
  if (!Number.isFinite(price)) throw new Usage('Say what a photo costs with --price 4.00 (0 is free).');
  let clientKey = journal.clientKeyOf(name);
  if (clientKey === null) {
    clientKey = randomUUID();
    // The same key creates the gallery once, however often this is tried.
    journal.write({ t: 'gallery', name, clientKey });
  }
  const gallery = {
    organization_id: organizationId,
    name,
    price_per_photo: price,
    ...(values['photos-by'] === undefined ? {} : { photos_by: values['photos-by'] }),
  };
  return client.call('POST /api/v1/galleries/', { body: { gallery, client_key: clientKey } });
}

/** @param {Values} values @param {string} server @param {() => import('./journal.js').Journal} journalOf */
async function openSender(values, server, journalOf) {
  if (values.link !== undefined) {
    const contributeKey =
      new URL(values.link).searchParams.get('contributeKey') ?? new URL(values.link).searchParams.get('collabKey');
    if (!contributeKey) throw new Usage('This is no invite link: copy the whole address.');
    const journal = journalOf();
    const onVisitor = (/** @type {string} */ cookie) => journal.write({ t: 'visitor', cookie });
    const client = createClient({ server, token: null, visitor: journal.visitor(), onVisitor });
    const opened = await client.call('GET /api/v1/check-key', { query: { contributeKey } });
    const name = values.name ?? opened.contributor?.name ?? '';
    const email = values.email ?? opened.contributor?.email ?? '';
    if (name === '' || email === '') throw new Usage('Say who you are with --name and --email.');
    const { gallery } = opened;
    return { gallery, sender: contributorSender({ client, journal, gallery, contributeKey, person: { name, email } }) };
  }
  const client = createClient({ server, token: tokenOf(values) });
  const { organization } = await client.call('GET /api/v1/api_token', {});
  if (values.list) {
    for (const { id, name } of await galleriesOf(client, organization.id)) say(`${id}\t${name}`);
    return null;
  }
  const journal = journalOf();
  const isNumber = /^[1-9]\d*$/.test(values.gallery ?? '');
  const gallery =
    values['new-gallery'] !== undefined
      ? await makeGallery(values, journal, client, organization.id)
      : isNumber
        ? await numbered(client, Number(values.gallery))
        : await choose(await galleriesOf(client, organization.id), values.gallery);
  const batch = `upload-${new Date().toISOString()}`;
  return { gallery, sender: tokenSender({ client, journal, gallery, batch }) };
}

/** @param {import('./run.js').Event} event */
function tell({ kind, file, why, count }) {
  if (kind === 'sent') say(`sent     ${file} (${count.sent} so far)`);
  if (kind === 'known') say(`known    ${file} is in the gallery already`);
  if (kind === 'refused') complain(`not sent ${file}: ${why}`);
  if (kind === 'waiting') complain(`waiting  ${why} Trying again.`);
  if (kind === 'back') say('back     The server answers again.');
}

async function main() {
  const { values, positionals: paths } = readCommand();
  if (values.help) {
    say(HELP);
    return EXIT.done;
  }
  const server = serverOf(values);
  const settleMs = numberOf(values, 'settle', 2, { least: 0.1, most: 600 }) * 1000;
  const parallel = numberOf(values, 'parallel', 3, { least: 1, most: 8 });
  const giveUpMs = numberOf(values, 'give-up', 10, { least: 0, most: 1_440 }) * 60_000;
  const folder = values.list ? '' : folderOf(paths);
  const state = values.state ?? path.join(folder, '.sideline-upload.jsonl');
  const release = values.list ? () => undefined : takeLock(`${state}.lock`);
  if (release === null)
    throw new Usage(`Another uploader is at work in this folder. If there is none, delete ${state}.lock.`);
  process.once('exit', release);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());
  /** @type {import('./journal.js').Journal | undefined} */
  let journal;
  const opened = await openSender(values, server, () => (journal ??= openJournal(state, server)));
  if (opened === null || journal === undefined) return EXIT.done;
  const { gallery, sender } = opened;
  const watch = values.watch === true;
  say(watch ? `Watching: new files are sent to ${gallery.name}.` : `Sending to ${gallery.name}.`);
  const run = { paths, recursive: values.recursive === true, watch, settleMs, parallel, giveUpMs };
  const outcome = await sendFiles({ ...run, gallery: gallery.id, sender, journal, tell, stop: stop.signal });
  journal.close();
  const { sent, known, refused, bytes, ended, why } = outcome;
  say(`${sent} sent (${(bytes / 1_048_576).toFixed(1)} MB), ${known} known before, ${refused} not sent.`);
  if (why !== undefined) complain(why);
  if (ended === 'refused') return EXIT.refused;
  if (ended === 'unreachable') return EXIT.unreachable;
  // Ctrl-C ends a watch.
  if (ended === 'stopped' && !watch) return EXIT.stopped;
  return refused > 0 ? EXIT.someRefused : EXIT.done;
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    complain(error instanceof Error ? error.message : String(error));
    process.exitCode =
      error instanceof Usage
        ? EXIT.usage
        : error instanceof Refused
          ? EXIT.refused
          : error instanceof Unreachable
            ? EXIT.unreachable
            : EXIT.usage;
  },
);
