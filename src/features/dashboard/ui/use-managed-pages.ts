import { useCallback, useState } from 'react';
import { useFetcher } from 'react-router';
import type { ManagedGallery } from '#src/features/galleries/managed-gallery.rules.ts';

export type ManagedPage = {
  galleries: readonly ManagedGallery[];
  next: string | null;
  /** Where the page begins; null for the first. */
  after: string | null;
};

export type ManagedPages = {
  galleries: readonly ManagedGallery[];
  next: string | null;
  isLoading: boolean;
  /** The last try brought nothing. */
  hasFailed: boolean;
  more: () => void;
};

/** The page of the address, and those after it as they are asked for; each page knows the next. */
export function useManagedPages(first: ManagedPage, addressOf: (after: string) => string): ManagedPages {
  const fetcher = useFetcher<{ list: ManagedPage }>();
  const [later, setLater] = useState<readonly ManagedPage[]>([]);
  const next = (later.at(-1) ?? first).next;
  const came = fetcher.state === 'idle' ? fetcher.data?.list : undefined;
  const [asked, setAsked] = useState<string | null>(null);
  // Taken in once: then `next` is another one. A page that was loaded anew is known already.
  if (came && came.after !== null && came.after === next) setLater((pages) => [...pages, came]);
  const more = useCallback(() => {
    if (next === null) return;
    setAsked(next);
    void fetcher.load(addressOf(next));
  }, [next, addressOf, fetcher]);
  // What moved from one page to another while they were loaded is here once.
  const known = new Map<number, ManagedGallery>();
  for (const { galleries } of [first, ...later])
    for (const gallery of galleries) if (!known.has(gallery.id)) known.set(gallery.id, gallery);
  return {
    galleries: [...known.values()],
    next,
    isLoading: fetcher.state !== 'idle',
    hasFailed: fetcher.state === 'idle' && asked !== null && asked === next && came?.after !== next,
    more,
  };
}
