/**
 * Reads the header of a JPEG before the file is uploaded. The worker checks everything again
 * (`platform/images/header-check.ts`); here only what is certain to be refused is refused, with the same message.
 */
import { frameOf, headerSegments, sidesOf } from '#src/shared/jpeg-header.ts';
import { DAMAGED, dimensionsProblem } from '#src/shared/photo-limits.ts';

/** Enough for the header of nearly every camera's file, including thumbnail and color profile. */
export const HEAD_BYTES = 4_194_304;

/** Why a file that begins with these bytes is refused; null if it is accepted, or if its header is longer. */
export function refusalOfHead(bytes: Uint8Array, fileBytes: number): string | null {
  const { segments, scanAt } = headerSegments(bytes);
  const frame = frameOf(segments);
  if (frame) return dimensionsProblem(sidesOf(bytes, frame));
  return scanAt >= 0 || bytes.length === fileBytes ? DAMAGED : null;
}
