/** Control characters, and the marks that turn the direction of the text around them (they can disguise one name as another). */
const UNWANTED = /[\p{Cc}\u202A-\u202E\u2066-\u2069\uFFFD\uFEFF]+/gu;

/** Text of a stranger's file as one tidy line: no control characters or half letters, at most `most` characters. */
export function cleanText(text: string, most: number): string {
  const tidy = text
    .slice(0, most * 4)
    .toWellFormed()
    .replace(UNWANTED, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return [...tidy].slice(0, most).join('').trim();
}
