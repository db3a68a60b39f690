// @ts-check
/**
 * Calls to a Sideline server (docs/api.md). A refusal and an unreachable server are two kinds of errors: only the
 * second is worth a retry.
 */

/** The server answered with a refusal. */
export class Refused extends Error {
  /**
   * @param {number} status
   * @param {string} sentence for people
   * @param {number | null} retryAfterSeconds null: the same call would be refused again
   */
  constructor(status, sentence, retryAfterSeconds = null) {
    super(sentence);
    this.name = 'Refused';
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** No answer, or one from a failing server: worth another try later. */
export class Unreachable extends Error {
  /** @param {string} sentence @param {number | null} retryAfterSeconds */
  constructor(sentence, retryAfterSeconds = null) {
    super(sentence);
    this.name = 'Unreachable';
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

const ANSWERS_WITHIN_MS = 60_000;
/** Enough for a file of 10 MB over a slow line. */
const STORED_WITHIN_MS = 600_000;

/**
 * @typedef {ReturnType<typeof createClient>} Client
 * @typedef {import('../src/shared/api-calls.ts').ApiCalls} ApiCalls what every call takes and answers, made from the API's document
 * @typedef {{ params?: Record<string, unknown>, query?: object, body?: unknown }} Input
 * @typedef {{ url: string, key: string } & Record<string, unknown>} Policy
 */

/**
 * @param {{ server: string, token: string | null, visitor?: string | null, onVisitor?: (cookie: string) => void }} options
 *   `visitor`: the cookie by which the server knows a contributor again
 */
export function createClient({ server, token, visitor = null, onVisitor = () => undefined }) {
  let cookie = visitor;

  /**
   * One call of the API, by its name.
   * @template {keyof ApiCalls} Name
   * @param {Name} name @param {Omit<ApiCalls[Name], 'answer'>} input
   * @returns {Promise<ApiCalls[Name]['answer']>}
   */
  async function call(name, input) {
    const { params = {}, query, body } = /** @type {Input} */ (input);
    const [method = '', pattern = ''] = name.split(' ');
    const path = pattern.replaceAll(/\{(\w+)\}/g, (_all, field) => encodeURIComponent(String(params[field])));
    const search = query ? `?${new URLSearchParams(/** @type {Record<string, string>} */ (query))}` : '';
    const headers = {
      accept: 'application/json',
      'user-agent': 'sideline-upload/1',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(cookie === null ? {} : { cookie: `visitor=${cookie}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const { response, text } = await reach(new URL(path + search, server), {
      method,
      headers,
      // A redirect to another address would receive the token.
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const fresh = response.headers.getSetCookie().map((line) => /^visitor=([^;]+)/.exec(line)?.[1])[0];
    if (fresh !== undefined && fresh !== cookie) {
      cookie = fresh;
      onVisitor(fresh);
    }
    const answer = readJson(text);
    if (response.ok && answer !== undefined) return /** @type {any} */ (answer);
    throw refusalOf(response, answer);
  }

  /**
   * Sends a file with the form that was signed for it. The storage must not receive the token.
   * @param {Policy} policy @param {Uint8Array<ArrayBuffer>} bytes @param {string} name
   */
  async function store(policy, bytes, name) {
    const { error: _error, url, ...fields } = policy;
    const form = new FormData();
    for (const [field, value] of Object.entries(fields)) form.append(field, String(value));
    form.append('file', new Blob([bytes], { type: 'image/jpeg' }), name);
    const { response, text } = await reach(new URL(url), {
      method: 'POST',
      body: form,
      redirect: 'error',
      signal: AbortSignal.timeout(STORED_WITHIN_MS),
    });
    if (response.status === 201) return;
    const answer = readJson(text) ?? { error: /<Message>([^<]*)/.exec(text)?.[1] };
    throw refusalOf(response, answer);
  }

  return { call, store };
}

/**
 * @param {URL} url @param {RequestInit} request
 */
async function reach(url, request) {
  try {
    const response = await fetch(url, request);
    return { response, text: await response.text() };
  } catch (cause) {
    throw new Unreachable(`${url.host} cannot be reached${reasonOf(cause)}.`);
  }
}

/** @param {unknown} error */
function reasonOf(error) {
  const { name, cause } = /** @type {{ name?: string, cause?: { code?: string } }} */ (error ?? {});
  if (name === 'TimeoutError') return ' (no answer in time)';
  return cause?.code === undefined ? '' : ` (${cause.code})`;
}

/** @param {string} text @returns {any} undefined for text that is not JSON */
function readJson(text) {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {Response} response @param {{ error?: unknown } | null | undefined} answer */
function refusalOf({ status, headers }, answer) {
  const sentence = typeof answer?.error === 'string' ? answer.error : `The server answered ${status}.`;
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  const retryAfter = Number.isFinite(seconds) ? Math.max(1, seconds) : null;
  if (status >= 500) return new Unreachable(sentence, retryAfter);
  return new Refused(status, sentence, status === 429 ? (retryAfter ?? 30) : null);
}
