/** What a downloaded file is called. */

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
