/** Keeps what is typed in the forms of one page for this tab and this user, and brings it back after a reload. */
import { useCallback, useEffect, useRef, type RefObject } from 'react';
import { draftOf, readDraft, type GalleryDraft } from '#src/features/bulk-galleries/gallery-draft.rules.ts';
import { keepInTab, readFromTab } from '#src/web/tab-storage.ts';

const DRAFT_NAME = 'sideline-bulk-galleries';

type Handle = { draft: () => (GalleryDraft & { isTyped: boolean }) | null };

export function useGalleryDraft(
  userId: number,
  /** The forms in their order. */
  handles: RefObject<ReadonlyMap<string, Handle>>,
  /** Null where the page begins with its own gallery. */
  restore: ((kept: readonly GalleryDraft[]) => void) | null,
): { keep: () => void } {
  const isRead = useRef(false);
  const isDue = useRef(false);
  const isKept = restore !== null;

  /** After this moment's drawing, once for all forms. Anyone who leaves the page by a link was asked, and leaves nothing. */
  const keep = useCallback(() => {
    if (!isKept || isDue.current) return;
    isDue.current = true;
    queueMicrotask(() => {
      isDue.current = false;
      if (!isRead.current) return;
      const drafts = [...handles.current.values()].flatMap((handle) => handle.draft() ?? []);
      keepInTab(DRAFT_NAME, draftOf(userId, drafts));
    });
  }, [userId, handles, isKept]);

  useEffect(() => {
    if (isRead.current || restore === null) return;
    isRead.current = true;
    const kept = readDraft(readFromTab(DRAFT_NAME), userId);
    if (kept !== null) restore(kept);
  }, [userId, restore]);

  return { keep };
}
