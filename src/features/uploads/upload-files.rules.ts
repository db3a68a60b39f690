/** Which of the chosen files go up, why the others do not (specification A§5), and what photos are called: names are labels and nothing else. */
import { EMPTY_FILE, TOO_LARGE } from '#src/features/uploads/upload-tray.contract.ts';
import { MAX_UPLOAD_BYTES, ONLY_JPEG, ONLY_JPEG_NOT_HEIC } from '#src/features/uploads/uploads.contract.ts';

/** What a browser says of a file. */
export type ChosenFile = { name: string; size: number; type: string; lastModified: number };

/** Why this file stays here; null when it may go. Whether it really is a JPEG its first bytes say (`beginsLikeJpeg`). */
export function refusalOf(file: Pick<ChosenFile, 'name' | 'size' | 'type'>): string | null {
  const isJpeg = file.type === '' ? hasJpegName(file.name) : /^image\/p?jpe?g$/i.test(file.type);
  if (!isJpeg) return isHeic(file) ? ONLY_JPEG_NOT_HEIC : ONLY_JPEG;
  if (file.size === 0) return EMPTY_FILE;
  return file.size > MAX_UPLOAD_BYTES ? TOO_LARGE : null;
}

function isHeic({ name, type }: Pick<ChosenFile, 'name' | 'type'>): boolean {
  return type === '' ? /\.hei[cf]$/i.test(name.trim()) : /^image\/hei[cf]/i.test(type);
}

/** An HEIC file says so after its first four bytes, whatever it is called (ISO 14496-12, `ftyp` and its brand). */
export function beginsLikeHeic(bytes: Uint8Array): boolean {
  return /^ftyp(?:hei[cfmsx]|hev[cmsx]|mif1|msf1)$/.test(String.fromCharCode(...bytes.subarray(4, 12)));
}

/** Names a file of this visit; good enough to notice a second choice, and needs no reading. */
export function fingerprintOf(file: ChosenFile, galleryId: number): string {
  return `${galleryId} ${file.size} ${file.lastModified} ${file.name}`;
}

/** Specification A§5: what is dropped and is no image is ignored. Cameras' raw files are images, and are refused in words. */
export function isImageLike({ name, type }: Pick<ChosenFile, 'name' | 'type'>): boolean {
  return type === '' ? IMAGE_ENDING.test(name) : type.startsWith('image/');
}

const IMAGE_ENDING =
  /\.(jpe?g|jfif|jpe|pjpe?g|png|gif|webp|hei[cf]|avif|tiff?|bmp|svg|nef|cr[23]|arw|dng|orf|rw2|raf)$/i;

/** The first three bytes of every JPEG; catches renamed files before they travel. */
export function beginsLikeJpeg(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff;
}

/** The name that the upload is signed for: cameras and messengers leave the ending out, or call it `.jfif`. */
export function uploadNameOf(name: string): string {
  const trimmed = name.trim();
  return hasJpegName(trimmed) ? trimmed : `${trimmed.replace(/\.(jfif|jpe|pjpe?g)$/i, '') || 'photo'}.jpg`;
}

function hasJpegName(name: string): boolean {
  return /\.jpe?g$/i.test(name.trim());
}

/** Names that come with uploads are labels and nothing else: no path, no control characters, a bounded length. */

const MAX_NAME_CHARACTERS = 200;

/** The last part of a file name with paths, cleaned; "photo.jpg" when nothing is left. */
export function cleanFileName(filename: string): string {
  const last = clean(filename.split(/[\\/]/).at(-1) ?? '');
  const [, bare = '', ending = ''] = /^(.*?)(\.[A-Za-z]{1,5})?$/.exec(last) ?? [];
  const short = [...bare]
    .slice(0, MAX_NAME_CHARACTERS - ending.length)
    .join('')
    .trim();
  return `${short === '' ? 'photo' : short}${ending}`;
}

/** What a photo is called: the given name, else the file's name without its ending. */
export function photoName(given: string | null | undefined, filename: string): string {
  const name = clean(given ?? '');
  const chosen = name === '' ? filename.replace(/\.[A-Za-z]{1,5}$/, '') : name;
  return [...chosen].slice(0, MAX_NAME_CHARACTERS).join('').trim();
}

function clean(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
