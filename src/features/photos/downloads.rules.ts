/** How a file is handed over: its name, and the part of it that was asked for. */

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

/** `Content-Disposition` of a photo; `name` is what people call it. */
export function attachmentHeader(name: string): string {
  return fileHeader(downloadName(name));
}

/** `Content-Disposition` of a file: an ASCII name that no system stumbles over, and the true one beside it (RFC 6266). */
export function fileHeader(file: string): string {
  const plain = file
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9 ._()-]/g, '_');
  const encoded = encodeURIComponent(file).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** The name of the downloaded file, always ending in `.jpg`, never a path, never a name that Windows keeps for itself. */
export function downloadName(name: string): string {
  const bare = name
    .toWellFormed()
    .replace(/\.jpe?g$/i, '')
    .replace(/[\p{C}\\/:*?"<>|]/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  const short = [...bare].slice(0, 80).join('').trim();
  const safe = short === '' || /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(short) ? `photo ${short}`.trim() : short;
  return `${safe}.jpg`;
}
