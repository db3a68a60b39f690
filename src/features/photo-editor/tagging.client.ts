/** Tagging photo after photo: a keyword shows at once, and the server is told one after the other while work continues. */
import { useMemo, useRef, useState } from 'react';
import { addKeywords } from '#src/features/photo-editor/change-photo.client.ts';
import type { PhotoFact } from '#src/features/photos/photo-grid.contract.ts';
import { ADD_KEYWORD_FAILED, keywordNames, type KeywordAnswer } from '#src/features/photos/photos.contract.ts';
import { altOf } from '#src/features/photos/shown-photo.rules.ts';
import { lastUsed, missingIn, wordsSeen } from '#src/features/photo-editor/tagging.rules.ts';
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
