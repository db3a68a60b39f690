/** Digits of an ISO 6709 position such as `+27.5916+086.5640+8850/`, as films carry it in plain text. */
const POSITION = /[+-]\d{2}(?:\d{2}){0,2}\.\d{2,10}[+-]\d{3}(?:\d{2}){0,2}\.\d{2,10}(?:[+-]\d{1,6}(?:\.\d{1,10})?)?/g;
/** A 3GPP location box: size, name, then version, language, place name, role, and three 16.16 numbers. */
const LOCATION_BOX = Buffer.from('loci');

/**
 * Overwrites positions in the film that phones append to a photo ("motion photo"), in place.
 * Searched only after the picture and only if there is a video. True if anything was changed.
 */
export function blankVideoLocation(bytes: Buffer, from: number): boolean {
  const film = bytes.indexOf('ftyp', from, 'latin1');
  if (film < 0) return false;
  let changed = false;
  for (const match of bytes.toString('latin1', film, bytes.length).matchAll(POSITION)) {
    const start = film + match.index;
    for (let at = start; at < start + match[0].length; at++) {
      const byte = bytes[at] ?? 0;
      if (byte <= 0x30 || byte > 0x39) continue;
      bytes[at] = 0x30;
      changed = true;
    }
  }
  return blankLocationBoxes(bytes, film) || changed;
}

function blankLocationBoxes(bytes: Buffer, film: number): boolean {
  let changed = false;
  for (let at = bytes.indexOf(LOCATION_BOX, film); at >= 0; at = bytes.indexOf(LOCATION_BOX, at + 4)) {
    const end = at - 4 + bytes.readUInt32BE(at - 4);
    if (end <= at + 4 || end > bytes.length || end - at > 1_000) continue;
    changed = changed || bytes.subarray(at + 4, end).some((byte) => byte !== 0);
    bytes.fill(0, at + 4, end);
  }
  return changed;
}
