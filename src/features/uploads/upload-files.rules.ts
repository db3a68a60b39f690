/** Which chosen files are uploaded, why others are not (specification A§5), and names of photos: they are only labels. */
import { EMPTY_FILE, TOO_LARGE } from '#src/features/uploads/upload-tray.contract.ts';
import {
  hasJpegName,
  MAX_UPLOAD_BYTES,
  ONLY_JPEG,
  ONLY_JPEG_NOT_HEIC,
} from '#src/features/uploads/uploads.contract.ts';

/** A browser's facts about a file. */
type ChosenFile = { name: string; size: number; type: string; lastModified: number };

/** Why this file is not uploaded; null if it is. Its first bytes show whether it really is a JPEG (`looksLikeJpeg`). */
export function refusalOf(file: Pick<ChosenFile, 'name' | 'size' | 'type'>): string | null {
  const isJpeg = file.type === '' ? hasJpegName(file.name) : /^image\/p?jpe?g$/i.test(file.type);
  if (!isJpeg) return isHeic(file) ? ONLY_JPEG_NOT_HEIC : ONLY_JPEG;
  if (file.size === 0) return EMPTY_FILE;
  return file.size > MAX_UPLOAD_BYTES ? TOO_LARGE : null;
}

function isHeic({ name, type }: Pick<ChosenFile, 'name' | 'type'>): boolean {
  return type === '' ? /\.hei[cf]$/i.test(name.trim()) : /^image\/hei[cf]/i.test(type);
}

/** An HEIC file has its type after the first four bytes, whatever its name (ISO 14496-12, `ftyp` and its brand). */
export function beginsLikeHeic(bytes: Uint8Array): boolean {
  return /^ftyp(?:hei[cfmsx]|hev[cmsx]|mif1|msf1)$/.test(String.fromCharCode(...bytes.subarray(4, 12)));
}

/** Identifies a file during this visit; good enough to notice a second choice, without reading the file. */
export function fingerprintOf(file: ChosenFile, galleryId: number): string {
  return `${galleryId} ${file.size} ${file.lastModified} ${file.name}`;
}

/**
 * Specification A§5: dropped files that are not images are ignored. Cameras' raw files are images, and are refused with a
 * message.
 */
export function isImageLike({ name, type }: Pick<ChosenFile, 'name' | 'type'>): boolean {
  return type === '' ? IMAGE_ENDING.test(name) : type.startsWith('image/');
}

const IMAGE_ENDING =
  /\.(jpe?g|jfif|jpe|pjpe?g|png|gif|webp|hei[cf]|avif|tiff?|bmp|svg|nef|cr[23]|arw|dng|orf|rw2|raf)$/i;

/** The name in the upload's form: cameras and messengers leave the ending out, or use `.jfif`. */
export function uploadNameOf(name: string): string {
  const trimmed = name.trim();
  return hasJpegName(trimmed) ? trimmed : `${trimmed.replace(/\.(jfif|jpe|pjpe?g)$/i, '') || 'photo'}.jpg`;
}

/** File names are only labels: no path, no control characters, a limited length. */
const MAX_NAME_CHARACTERS = 200;

/** The last part of a file name with paths, cleaned; "photo.jpg" if nothing is left. */
export function cleanFileName(filename: string): string {
  const last = clean(filename.split(/[\\/]/).at(-1) ?? '');
  const [, bare = '', ending = ''] = /^(.*?)(\.[A-Za-z]{1,5})?$/.exec(last) ?? [];
  const short = [...bare]
    .slice(0, MAX_NAME_CHARACTERS - ending.length)
    .join('')
    .trim();
  return `${short === '' ? 'photo' : short}${ending}`;
}

/** The name of a photo: the given name, else the file's name without its ending. */
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
