/** A photo's name for visitors: a title that someone gave it, never a file name (rule 61); and the name of a downloaded file. */

const IMAGE_ENDING = /\.(?:jpe?g|jfif|png|gif|webp|avif|hei[cf]|tiff?|bmp|dng|cr[23]|nef|arw|raf|orf|rw2)$/i;
/**
 * Names of several words from phones and messengers: "WhatsApp Image 2026-05-16 at 12.00.01", "Screenshot 2026-05-16", "image
 * (3)".
 */
const WRITTEN_BY_A_DEVICE =
  /^(?:whatsapp|signal|telegram|screen ?shot|snapchat|messenger|image|img|photo|picture|pic|foto|scan|untitled|copy of)\b.*\d/i;
/** One word with a number in it, or joined by underscores: IMG_1001_no14, DSC01234, P1000023, 20260516_120000, kodak-dc210. */
const ONE_WORD = /^(?:\S*\d\S*|\S*_\S*)(?:\s*\(\d+\)|[ -]copy)?$/i;

/** Whether cameras and computers give such names to files. */
function looksLikeFileName(name: string): boolean {
  const text = name.trim();
  return IMAGE_ENDING.test(text) || WRITTEN_BY_A_DEVICE.test(text) || ONE_WORD.test(text);
}

/**
 * "Corner Kick" stays; IMG_1001.jpg is "Photo 1001", the number by which family and photographer both find it, the same in the
 * gallery, the cart and the receipt. A name without a number gets four digits of the photo's id, because its position changes
 * with a search, an upload or a new order.
 */
export function photoTitle(name: string, photoId: number): string {
  if (name.trim() !== '' && !looksLikeFileName(name)) return name;
  return `Photo ${numberIn(name) ?? 1_000 + (photoId % 9_000)}`;
}

/** The camera's counter: three to five digits, else a shorter number. Dates and times do not count. */
function numberIn(name: string): number | null {
  const bare = name
    .replace(IMAGE_ENDING, '')
    .replace(
      /(?:19|20)\d\d[-_.]?[01]\d[-_.]?[0-3]\d(?:(?:\s*at\s*|[-_ T]*)[0-2]?\d[-_.:]?[0-5]\d[-_.:]?[0-5]\d\d*)?/g,
      ' ',
    );
  const groups = bare.match(/\d+/g) ?? [];
  const counted = groups.find(({ length }) => length >= 3 && length <= 5) ?? groups.find(({ length }) => length < 3);
  const number = Number(counted ?? groups.at(-1)?.slice(-5) ?? 0);
  return number === 0 ? null : number;
}

/** `Content-Disposition` of a photo. Buyers get its title as `name`, members the name that its file came with. */
export function attachmentHeader(name: string): string {
  return fileHeader(downloadName(name));
}

/** `Content-Disposition` of a file: an ASCII name that every system accepts, and the real one next to it (RFC 6266). */
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

/** The name of the downloaded file: it ends in `.jpg`, and is neither a path nor a reserved name of Windows. */
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
