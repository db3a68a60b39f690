/** Tagging photo after photo: a keyword shows at once, and the server is told one after the other while work continues. */
import { useMemo, useRef, useState } from 'react';
import { addKeywords } from '#src/features/photos/photo-calls.client.ts';
import type { PhotoFact } from '#src/features/photos/photo-grid.contract.ts';
import { ADD_KEYWORD_FAILED, keywordNames, type KeywordAnswer } from '#src/features/photos/photos.contract.ts';
import { altOf } from '#src/features/photos/shown-photo.rules.ts';
import { showToast } from '#src/ui/toast.ts';

export type Tagging = {
  /** Keywords offered for one press: the last used ones first. */
  offered: readonly string[];
  /** Of a photo, on their way to the server. */
  waiting: (photoId: number) => readonly string[];
  /** Adds what is typed, a comma between two. Returns what is wrong with it, or null. */
  add: (photo: PhotoFact, text: string) => string | null;
  changed: (photoId: number, keywords: KeywordAnswer[]) => void;
};

export function useTagging(
  facts: ReadonlyMap<number, PhotoFact>,
  onChanged: (photoId: number, keywords: KeywordAnswer[]) => void,
): Tagging {
  const [used, setUsed] = useState<readonly string[]>([]);
  const [waiting, setWaiting] = useState<readonly { photoId: number; names: readonly string[] }[]>([]);
  // Answers carry all keywords of a photo: in turn, so that an early answer never comes last.
  const line = useRef(Promise.resolve());
  const offered = useMemo(() => lastUsed(used, wordsSeen([...facts.values()])), [used, facts]);

  async function send(photo: PhotoFact, names: readonly string[], ticket: (typeof waiting)[number]): Promise<void> {
    const answer = await addKeywords(photo, names.join(','));
    setWaiting((before) => before.filter((one) => one !== ticket));
    if (answer.ok) return onChanged(photo.id, answer.data.keywords);
    const problem = answer.status === 422 || answer.status === 429 ? answer.error : ADD_KEYWORD_FAILED;
    showToast(`${altOf(photo.name, [])}: ${problem}`, 'error');
  }

  return {
    offered,
    waiting: (photoId) => waiting.filter((one) => one.photoId === photoId).flatMap(({ names }) => names),
    add(photo, text) {
      const parsed = keywordNames.safeParse([text]);
      if (!parsed.success) return parsed.error.issues[0]?.message ?? ADD_KEYWORD_FAILED;
      setUsed((before) => lastUsed(parsed.data, before));
      const names = missingIn(photo, parsed.data);
      if (names.length === 0) return null;
      const ticket = { photoId: photo.id, names };
      setWaiting((before) => [...before, ticket]);
      line.current = line.current.then(() => send(photo, names, ticket));
      return null;
    },
    changed: onChanged,
  };
}

/** Which keywords are offered while photos are tagged. */

type Tagged = { keywords: readonly { name: string }[] };

const OFFERED = 8;
const folded = (name: string) => name.toLocaleLowerCase('en-US');

/** The names just used before those known, each once, as many as fit. */
export function lastUsed(used: readonly string[], known: readonly string[]): string[] {
  const seen = new Set<string>();
  return [...used, ...known].filter((name) => !seen.has(folded(name)) && seen.add(folded(name))).slice(0, OFFERED);
}

/** The keywords of these photos, the most frequent first. */
export function wordsSeen(photos: readonly Tagged[]): string[] {
  const counts = new Map<string, number>();
  for (const { keywords } of photos) for (const { name } of keywords) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one).map(([name]) => name);
}

/** Without what the photo has already, whatever its case. */
export function missingIn({ keywords }: Tagged, names: readonly string[]): string[] {
  const has = new Set(keywords.map(({ name }) => folded(name)));
  return names.filter((name) => !has.has(folded(name)));
}
