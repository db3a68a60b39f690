/** Why something failed, for platform admins: a sentence without secrets and without people's addresses. */

const LONGEST = 300;
const HIDDEN = '[hidden]';

const EMAIL = /[\w.%+-]{1,64}@(?=[\w.-])/g;
/** Queries, and what comes before the host, may contain keys and passwords. */
const QUERY = /(\bhttps?:\/\/[^\s?#"']*)[?#][^\s"']*/gi;
const CREDENTIALS = /(\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/@"']*@/gi;
/** Tokens, hashes and keys: long, with a digit. UUIDs and the object keys of our store are kept. */
const TOKEN = /(?<![\w/-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{20,}(?![\w-])/g;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const CARD = /\b\d(?:[ -]?\d){12,18}\b/g;

/**
 * The message without secrets and without the names of email addresses; domains stay, because mail fails by domain.
 *
 * @param shownId an id that is shown with it: ids are as long as card numbers
 */
export function withoutSecrets(text: string, shownId?: number): string {
  return text
    .replaceAll(CREDENTIALS, `$1${HIDDEN}@`)
    .replaceAll(QUERY, `$1?${HIDDEN}`)
    .replaceAll(EMAIL, '…@')
    .replaceAll(TOKEN, (token) => (UUID.test(token) ? token : HIDDEN))
    .replaceAll(CARD, (digits) => (digits === String(shownId) ? digits : HIDDEN));
}

/** The message on one line, without secrets and shortened. */
export function reasonWords(text: string, shownId?: number): string {
  const line = withoutSecrets(
    text
      .slice(0, 4 * LONGEST)
      .replaceAll(/\s+/g, ' ')
      .trim(),
    shownId,
  );
  if (line === '') return 'No reason is known. See the log.';
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}

/** Why a job failed, from its last error in the queue. */
export function jobReason(output: unknown, payload: unknown): string {
  if (typeof output !== 'object' || output === null) return reasonWords('');
  const { message, value } = output as { message?: unknown; value?: { message?: unknown } };
  const text = typeof message === 'string' ? message : typeof value?.message === 'string' ? value.message : '';
  if (text === 'job heartbeat timeout') return 'Its worker ended or hung while it did this job.';
  return reasonWords(text, subjectOf(payload)?.id);
}

/** "photo 12": the only number that a payload shows; other payloads may contain secrets. */
export function jobSubject(payload: unknown): string | null {
  const subject = subjectOf(payload);
  return subject && `${subject.thing} ${subject.id}`;
}

function subjectOf(payload: unknown): { thing: string; id: number } | null {
  if (typeof payload !== 'object' || payload === null) return null;
  for (const [name, id] of Object.entries(payload)) {
    const thing = /^([a-z]+)Id$/.exec(name)?.[1];
    if (thing !== undefined && typeof id === 'number' && Number.isSafeInteger(id)) return { thing, id };
  }
  return null;
}

/** `j…@example.com`. */
export function maskedAddress(address: string): string {
  const at = address.lastIndexOf('@');
  return at < 1 ? '…' : `${address[0] ?? ''}…${address.slice(at)}`;
}
