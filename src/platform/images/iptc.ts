import { cleanText } from '#src/platform/images/clean-text.ts';
import { APP13, headerSegments } from '#src/platform/images/jpeg-segments.ts';
import { IPTC_RESOURCE, photoshopResources } from '#src/platform/images/photoshop-resources.ts';

/** Application record numbers of the facts that members see, and how long each may be. Places are not among them. */
const FACTS = new Map([
  [5, { name: 'title', most: 200 }],
  [80, { name: 'byline', most: 200 }],
  [105, { name: 'headline', most: 300 }],
  [110, { name: 'credit', most: 200 }],
  [116, { name: 'copyright', most: 300 }],
  [120, { name: 'caption', most: 2_000 }],
]);
const KEYWORD = 25;
const MAX_KEYWORDS = 50;
const KEYWORD_LETTERS = 60;
const MAX_VALUES = 1_000;

export type Iptc = { facts: Record<string, string>; keywords: string[] };

/**
 * IPTC facts of an uploaded file: allow-listed, cleaned, and as far as the block can be read. Files
 * that do not declare UTF-8 often use it anyway, so it is tried first. (exifr reads all of it
 * as Latin-1.) Keywords are trimmed and unique without regard to case. Never throws.
 */
export function readIptc(bytes: Buffer): Iptc {
  const facts: Record<string, string> = {};
  const keywords = new Map<string, string>();
  for (const { dataset, value } of values(bytes)) {
    const fact = FACTS.get(dataset);
    const text = fact && cleanText(decoded(value), fact.most);
    if (fact && text && facts[fact.name] === undefined) facts[fact.name] = text;
    if (dataset === KEYWORD) addKeyword(keywords, cleanText(decoded(value), KEYWORD_LETTERS));
  }
  return { facts, keywords: [...keywords.values()] };
}

function addKeyword(keywords: Map<string, string>, word: string): void {
  const key = word.toLowerCase();
  if (word !== '' && keywords.size < MAX_KEYWORDS && !keywords.has(key)) keywords.set(key, word);
}

function* values(bytes: Buffer): Generator<{ dataset: number; value: Buffer }> {
  let count = 0;
  for (const segment of headerSegments(bytes).segments) {
    if (segment.marker !== APP13) continue;
    for (const { id, from, to } of photoshopResources(bytes, segment)) {
      for (let at = from; id === IPTC_RESOURCE && at + 5 <= to && bytes[at] === 0x1c;) {
        const size = bytes.readUInt16BE(at + 3);
        const end = at + 5 + size;
        // The highest bit announces a longer size field; no fact that we read is that long.
        if (size > 0x7fff || end > to || ++count > MAX_VALUES) return;
        if (bytes[at + 1] === 2) yield { dataset: bytes[at + 2] ?? 0, value: bytes.subarray(at + 5, end) };
        at = end;
      }
    }
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decoded(value: Buffer): string {
  try {
    return utf8.decode(value);
  } catch {
    return value.toString('latin1');
  }
}
