/**
 * Reads the header of a JPEG before the file is uploaded. The worker checks everything again
 * (`platform/images/header-check.ts`); here only what is certain to be refused is refused, with the same message.
 */
import { dimensionsProblem } from '#src/shared/jpeg-limits.ts';

type JpegHead = { width: number; height: number; progressive: boolean };

/** The header; or where in the file to read on; or a damaged file. */
type HeadSearch = { head: JpegHead } | { readOnAt: number } | { damaged: true };

/** Behind the start-of-image marker. */
export const HEAD_STARTS_AT = 2;

const SOS = 0xda;
const EOI = 0xd9;

/**
 * Looks for the frame header in a piece of a file.
 * @param bytes the piece
 * @param pieceAt where in the file the piece begins; its first byte must be a marker's
 * @param fileBytes length of the whole file
 */
export function findJpegHead(bytes: Uint8Array, pieceAt: number, fileBytes: number): HeadSearch {
  let at = 0;
  for (;;) {
    // A frame header has 9 bytes after its marker; if the piece ends within it, it is read again.
    if (at + 11 > bytes.length) return pieceAt + at + 11 > fileBytes ? { damaged: true } : { readOnAt: pieceAt + at };
    const marker = bytes[at + 1] as number;
    if (bytes[at] !== 0xff || marker === 0xff || marker === 0x00) at += 1;
    else if (marker === SOS || marker === EOI) return { damaged: true };
    else if (standsAlone(marker)) at += 2;
    else if (isFrame(marker))
      return { head: { height: word(bytes, at + 5), width: word(bytes, at + 7), progressive: marker === 0xc2 } };
    else at += 2 + Math.max(2, word(bytes, at + 2));
    if (at > bytes.length) return pieceAt + at >= fileBytes ? { damaged: true } : { readOnAt: pieceAt + at };
  }
}

/** Why such a picture is refused; null if it is accepted. Rule 40: progressive files cost more to decode. */
export const refusalOfHead = (head: JpegHead): string | null => dimensionsProblem(head);

const word = (bytes: Uint8Array, at: number): number => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);

/** SOF0 to SOF15, except the tables among them. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** Markers without a length: TEM, restarts, start of image. */
function standsAlone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}
