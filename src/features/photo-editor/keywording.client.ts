/** Adding keywords to photo after photo: they are shown immediately, and sent one after another meanwhile. */
import { useMemo, useRef, useState } from 'react';
import { addKeywords } from '#src/features/photos/photo-calls.client.ts';
import type { PhotoFact } from '#src/features/photos/photo-grid.contract.ts';
import { ADD_KEYWORD_FAILED, keywordNames, type KeywordAnswer } from '#src/features/photos/photos.contract.ts';
import { altOf } from '#src/features/photos/shown-photo.rules.ts';
import { showToast } from '#src/ui/toast.ts';

export type Keywording = {
  /** Suggested keywords: the last used ones first. */
  offered: readonly string[];
  /** Keywords of a photo that are being sent. */
  waiting: (photoId: number) => readonly string[];
  /** Adds what is typed, separated by commas. Returns the problem, or null. */
  add: (photo: PhotoFact, text: string) => string | null;
  changed: (photoId: number, keywords: KeywordAnswer[]) => void;
};

export function useKeywording(
  facts: ReadonlyMap<number, PhotoFact>,
  onChanged: (photoId: number, keywords: KeywordAnswer[]) => void,
): Keywording {
  const [used, setUsed] = useState<readonly string[]>([]);
  const [waiting, setWaiting] = useState<readonly { photoId: number; names: readonly string[] }[]>([]);
  // Responses contain all keywords of a photo, so they are sent in turn: an early response must not arrive last.
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

type WithKeywords = { keywords: readonly { name: string }[] };

const OFFERED = 8;
const folded = (name: string) => name.toLocaleLowerCase('en-US');

/** Recently used names, then known ones, each once, up to the limit. */
export function lastUsed(used: readonly string[], known: readonly string[]): string[] {
  const seen = new Set<string>();
  return [...used, ...known].filter((name) => !seen.has(folded(name)) && seen.add(folded(name))).slice(0, OFFERED);
}

/** The keywords of these photos, the most frequent first. */
export function wordsSeen(photos: readonly WithKeywords[]): string[] {
  const counts = new Map<string, number>();
  for (const { keywords } of photos) for (const { name } of keywords) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one).map(([name]) => name);
}

/** Without those that the photo already has, ignoring case. */
export function missingIn({ keywords }: WithKeywords, names: readonly string[]): string[] {
  const has = new Set(keywords.map(({ name }) => folded(name)));
  return names.filter((name) => !has.has(folded(name)));
}
