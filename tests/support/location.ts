import { expect } from 'vitest';
import { withoutLocation } from '#src/platform/images/strip-location.ts';
import { gpsTags, pictureData, type Tags } from '#tests/support/pictures.ts';

/** Shared by the tests of location removal: a camera, a place, and what must be true of every file. */

export const CAMERA: Tags = [
  [0x010f, 'Canon'],
  [0x0110, 'Canon EOS R5'],
  [0x0112, [6]],
];
export const SHOT: Tags = [
  [0x829d, { fractions: [7.1] }],
  [0x9003, '2026:05:09 14:30:05'],
  [0x927c, { bytes: Buffer.from('MAKER NOTES, kept as they are') }],
];
/** The bytes of the fractions 40, 26, 49.1 and 73, 59, 8.4, which must not be found afterwards. */
export const PLACE = gpsTags(40.446972, -73.985667);

/** True if something is removed from the file, because it says where it was taken. */
export const locationIn = (bytes: Buffer): boolean => withoutLocation(bytes) !== bytes;

/** Removes the location and checks what must be true of every file. */
export function stripped(original: Buffer): Buffer {
  const before = Buffer.from(original);
  const result = withoutLocation(original);
  expect(original.equals(before)).toBe(true);
  expect(result).toHaveLength(original.length);
  expect(pictureData(result).equals(pictureData(original))).toBe(true);
  expect(locationIn(result)).toBe(false);
  expect(withoutLocation(result)).toBe(result);
  return result;
}

/** A number as written in a fraction of an EXIF block. */
export const fractionBytes = (value: number, little: boolean): Buffer => {
  const bytes = Buffer.alloc(4);
  if (little) bytes.writeUInt32LE(value);
  else bytes.writeUInt32BE(value);
  return bytes;
};
