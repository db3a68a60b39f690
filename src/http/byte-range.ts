/** The part of a file that a request asks for. */

/** A whole file, a part of it (inclusive), or a part that it does not have. */
export type Part = { kind: 'whole' } | { kind: 'part'; start: number; end: number } | { kind: 'outside' };

const WHOLE: Part = { kind: 'whole' };

/** Reads `Range` for a file of so many bytes. Several ranges, other units and nonsense mean the whole file (RFC 9110). */
export function readRange(header: string | undefined, bytes: number): Part {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  const [, from = '', to = ''] = match ?? [];
  if (!match || (from === '' && to === '')) return WHOLE;
  if (from === '') {
    const last = Number(to);
    return last === 0 || bytes === 0
      ? { kind: 'outside' }
      : { kind: 'part', start: Math.max(0, bytes - last), end: bytes - 1 };
  }
  const start = Number(from);
  const end = to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1);
  if (to !== '' && Number(to) < start) return WHOLE;
  return start >= bytes ? { kind: 'outside' } : { kind: 'part', start, end };
}
