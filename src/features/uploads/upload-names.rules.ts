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
