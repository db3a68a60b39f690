/** Why something failed, for platform admins: in a sentence, without what opens something and without people's addresses. */

const LONGEST = 300;
const HIDDEN = '[hidden]';

const EMAIL = /[\w.%+-]{1,64}@(?=[\w.-])/g;
/** What follows a question mark, and what stands before the host: keys and passwords. */
const QUERY = /(\bhttps?:\/\/[^\s?#"']*)[?#][^\s"']*/gi;
const CREDENTIALS = /(\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/@"']*@/gi;
/** Tokens, hashes and keys: long, with a digit in them. UUIDs and the object keys of our store are names. */
const TOKEN = /(?<![\w/-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{20,}(?![\w-])/g;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const CARD = /\b\d(?:[ -]?\d){12,18}\b/g;

/** The message without secrets and without the names of email addresses; their domains stay, because mail fails by domain. */
export function withoutSecrets(text: string): string {
  return text
    .replaceAll(CREDENTIALS, `$1${HIDDEN}@`)
    .replaceAll(QUERY, `$1?${HIDDEN}`)
    .replaceAll(EMAIL, '…@')
    .replaceAll(TOKEN, (token) => (UUID.test(token) ? token : HIDDEN))
    .replaceAll(CARD, HIDDEN);
}

/** A message in one line, as `withoutSecrets` and no longer than people read. */
export function reasonWords(text: string): string {
  const line = withoutSecrets(
    text
      .slice(0, 4 * LONGEST)
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
  if (line === '') return 'No reason is known. See the log.';
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}

/** Why a job failed, from what the queue kept of its last error. */
export function jobReason(output: unknown): string {
  if (typeof output !== 'object' || output === null) return reasonWords('');
  const { message, value } = output as { message?: unknown; value?: { message?: unknown } };
  const text = typeof message === 'string' ? message : typeof value?.message === 'string' ? value.message : '';
  if (text === 'job heartbeat timeout') return 'Its worker ended or hung while it did this job.';
  return reasonWords(text);
}

/** "photo 12": the one thing that a payload names by number; other payloads may hold what opens something. */
export function jobSubject(payload: unknown): string | null {
  if (typeof payload !== 'object' || payload === null) return null;
  for (const [name, value] of Object.entries(payload)) {
    const thing = /^([a-z]+)Id$/.exec(name)?.[1];
    if (thing !== undefined && typeof value === 'number' && Number.isSafeInteger(value)) return `${thing} ${value}`;
  }
  return null;
}

/** `j…@example.com`. */
export function maskedAddress(address: string): string {
  const at = address.lastIndexOf('@');
  return at < 1 ? '…' : `${address[0] ?? ''}…${address.slice(at)}`;
}
