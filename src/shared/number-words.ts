const WORDS = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** "three"; digits above twelve. */
export const numberWord = (count: number): string => WORDS[count] ?? count.toLocaleString('en-US');

/** "Three", at the beginning of a sentence. */
export const firstNumberWord = (count: number): string =>
  numberWord(count).replace(/^[a-z]/, (letter) => letter.toUpperCase());
