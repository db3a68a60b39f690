/**
 * Whether a password is one of the first that an attacker would try (rule 32): the 49,000 most common ones, and their usual
 * variations. A complete estimator takes milliseconds for a password, too long for a file of 10,000 accounts (decision record
 * 0006).
 */
import { createRequire } from 'node:module';
import type * as Common from '@zxcvbn-ts/language-common';

const require = createRequire(import.meta.url);
let words: ReadonlySet<string> | null = null;

/** Loaded when the first password is chosen: the list takes 6 MB of memory, and most processes never need it. */
function isListed(word: string): boolean {
  words ??= new Set((require('@zxcvbn-ts/language-common') as typeof Common).dictionary['passwords-common']);
  return words.has(word);
}

/** Rows of a keyboard and the alphabet. */
const RUNS = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1qaz2wsx3edc4rfv5tgb6yhn',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'qweasdzxc',
  'qwerasdfzxcv',
  '147258369',
  '159357',
  '123321',
  '112233445566778899',
  'aabbccddee',
  '102030405060',
  '159753',
  '147852369',
  '789456123',
  '123654789',
  '1a2s3d4f5g6h',
  'a1b2c3d4e5f6',
];
const RUN_TEXTS = RUNS.flatMap((run) => [run, [...run].reverse().join('')]);
const LEET: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/** What people add before or after a word to pass a check: a few digits, a year, a sign. Anything longer is accepted. */
const DECORATION = /^\d?([a-z]+)(?:\d{0,3}|1234|12345|123456|(?:19|20)\d\d)[!@#$%&*.?]?$/;

export function isCommonPassword(password: string): boolean {
  const lower = password.toLowerCase();
  return isRepeated(lower) || isRun(lower) || isDate(lower) || hasCommonWord(lower) || hasCommonWord(unleet(lower));
}

/** "aaaaaa", "121212", "abcabc", "passwordpassword". */
function isRepeated(text: string): boolean {
  for (let length = 1; length <= text.length / 2; length++) {
    if (text.length % length !== 0) continue;
    const part = text.slice(0, length);
    if (part.repeat(text.length / length) === text) return length <= 3 || /^\d+$/.test(part) || hasCommonWord(part);
  }
  return false;
}

/** One run of at least six keys, or two short ones after each other: "123456", "qwerty123", "abc123", "asdf1234". */
function isRun(text: string): boolean {
  const isPart = (part: string) => part.length >= 3 && RUN_TEXTS.some((run) => run.includes(part));
  if (isPart(text)) return true;
  if (text.length > 14) return false;
  // "a123456", "qq123456"
  if (/^[a-z]{1,2}\d{4,}$/.test(text) && isPart(text.replace(/^[a-z]+/, ''))) return true;
  for (let cut = 3; cut <= text.length - 1; cut++) {
    const [head, tail] = [text.slice(0, cut), text.slice(cut)];
    if (isPart(head) && (isPart(tail) || /^(.)\1*$/.test(tail))) return true;
    if (/^(.)\1*$/.test(head) && isPart(tail)) return true;
  }
  return false;
}

/** Six or eight digits that are a day of the last hundred years in a usual order. */
function isDate(text: string): boolean {
  if (!/^(?:\d{6}|\d{8})$/.test(text)) return false;
  const isDay = (value: string) => Number(value) >= 1 && Number(value) <= 31;
  const isMonth = (value: string) => Number(value) >= 1 && Number(value) <= 12;
  const isYear = (value: string) => value.length === 2 || /^(?:19|20)\d\d$/.test(value);
  const year = text.length - 4;
  const [first, second, last] = [text.slice(0, 2), text.slice(2, 4), text.slice(4)];
  const areDayAndMonth = (a: string, b: string) => (isDay(a) && isMonth(b)) || (isMonth(a) && isDay(b));
  if (isYear(last) && areDayAndMonth(first, second)) return true;
  return isYear(text.slice(0, year)) && areDayAndMonth(text.slice(year, year + 2), text.slice(year + 2));
}

function hasCommonWord(text: string): boolean {
  if (isListed(text)) return true;
  const bare = DECORATION.exec(text)?.[1];
  if (bare === undefined || bare.length < 3) return false;
  return isListed(bare) || (bare.endsWith('s') && isListed(bare.slice(0, -1))) || isTwice(bare);
}

function isTwice(word: string): boolean {
  const half = word.slice(0, word.length / 2);
  return half + half === word && isListed(half);
}

/** "p@ssw0rd" becomes "password". Digits at the end are decoration, not letters. */
function unleet(text: string): string {
  const [, word = text, tail = ''] = /^(.*?[a-z])([\d!@#$%^&*._-]*)$/.exec(text) ?? [];
  return [...word].map((letter) => LEET[letter] ?? letter).join('') + tail;
}
