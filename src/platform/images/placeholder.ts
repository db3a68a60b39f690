import { rgbaToThumbHash } from 'thumbhash';
import type { RawPicture } from '#src/platform/images/watermark-stamp.ts';

/** The hash keeps a handful of waves; more pixels cost time and change nothing. */
const SIDE = 40;

/** The thumbhash (about 25 bytes) of an upright picture: a blur that a page shows before the picture is loaded. */
export function thumbhashOf(picture: RawPicture): Buffer {
  const step = Math.max(1, Math.max(picture.width, picture.height) / SIDE);
  const width = Math.max(1, Math.round(picture.width / step));
  const height = Math.max(1, Math.round(picture.height / step));
  const rgba = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) average(picture, x, y, width, height, rgba);
  }
  return Buffer.from(rgbaToThumbHash(width, height, rgba));
}

/** The mean of the pixels below one small pixel. */
function average(
  { data, ...from }: RawPicture,
  x: number,
  y: number,
  width: number,
  height: number,
  rgba: Uint8Array,
): void {
  const left = Math.floor((x * from.width) / width);
  const top = Math.floor((y * from.height) / height);
  const right = Math.max(left + 1, Math.floor(((x + 1) * from.width) / width));
  const bottom = Math.max(top + 1, Math.floor(((y + 1) * from.height) / height));
  let [red, green, blue] = [0, 0, 0];
  for (let row = top; row < bottom; row++) {
    const end = (row * from.width + right) * 3;
    for (let at = (row * from.width + left) * 3; at < end; at += 3) {
      red += data[at] as number;
      green += data[at + 1] as number;
      blue += data[at + 2] as number;
    }
  }
  const pixels = (right - left) * (bottom - top);
  const at = (y * width + x) * 4;
  rgba[at] = red / pixels;
  rgba[at + 1] = green / pixels;
  rgba[at + 2] = blue / pixels;
  rgba[at + 3] = 255;
}
