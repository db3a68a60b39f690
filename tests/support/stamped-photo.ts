/** A JPEG as if taken at another moment: the same picture, its own capture time, unique bytes. */

/**
 * @param jpeg any JPEG file; its own EXIF is removed @param takenAt UTC, written as the camera's local time, to the
 * second @param number makes the bytes distinct
 */
export function stampPhoto(jpeg: Buffer, takenAt: Date, number: number): Buffer {
  return Buffer.concat([
    jpeg.subarray(0, 2),
    segment(0xe1, exifOf(takenAt)),
    segment(0xfe, Buffer.from(`photo ${number}`)),
    withoutExif(jpeg),
  ]);
}

function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

/** The smallest block that has a capture time: IFD0 with a pointer to an Exif IFD with DateTimeOriginal. */
function exifOf(takenAt: Date): Buffer {
  const text = `${takenAt.toISOString().slice(0, 19).replace('T', ' ').replaceAll('-', ':')}\0`;
  const tiff = Buffer.alloc(44 + text.length);
  tiff.write('MM\0*', 0, 'latin1');
  tiff.writeUInt32BE(8, 4);
  tiff.writeUInt16BE(1, 8);
  writeEntry(tiff, 10, { tag: 0x8769, type: 4, count: 1, value: 26 });
  tiff.writeUInt16BE(1, 26);
  writeEntry(tiff, 28, { tag: 0x9003, type: 2, count: text.length, value: 44 });
  tiff.write(text, 44, 'latin1');
  return Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]);
}

type Entry = { tag: number; type: number; count: number; value: number };

function writeEntry(tiff: Buffer, at: number, { tag, type, count, value }: Entry): void {
  tiff.writeUInt16BE(tag, at);
  tiff.writeUInt16BE(type, at + 2);
  tiff.writeUInt32BE(count, at + 4);
  tiff.writeUInt32BE(value, at + 8);
}

/** Everything after the start-of-image marker except APP1 blocks of the header. */
function withoutExif(jpeg: Buffer): Buffer {
  const parts: Buffer[] = [];
  let at = 2;
  while (jpeg[at] === 0xff && (jpeg[at + 1] ?? 0) >= 0xe0 && (jpeg[at + 1] ?? 0) <= 0xef) {
    const end = at + 2 + jpeg.readUInt16BE(at + 2);
    if (jpeg[at + 1] !== 0xe1) parts.push(jpeg.subarray(at, end));
    at = end;
  }
  return Buffer.concat([...parts, jpeg.subarray(at)]);
}
