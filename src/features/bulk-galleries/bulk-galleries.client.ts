/** The galleries of one page: the list, which are collapsed, and saving all of them one after the other. */
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import { GALLERIES_SAVED, MAX_GALLERIES } from '#src/features/bulk-galleries/bulk-galleries.contract.ts';
import {
  draftOf,
  messagesAfter,
  prefixed,
  readDraft,
  type FormResult,
  type GalleryDraft,
} from '#src/features/bulk-galleries/bulk-galleries.rules.ts';
import type { Done } from '#src/features/bulk-imports/bulk-imports.contract.ts';
import type { GalleryAnswer } from '#src/features/galleries/galleries.contract.ts';
import type { OrganizationChoice } from '#src/features/organization-picker/organization-choices.contract.ts';
import type { EditorStart } from '#src/features/photo-editor/editor-photos.client.ts';
import { showToast } from '#src/ui/toast.ts';
import { storeInTab, readFromTab } from '#src/web/tab-storage.ts';

/** An existing gallery that the page starts with. */
export type ExistingGallery = { gallery: GalleryAnswer; photos: EditorStart };
export type FormStart = {
  key: string;
  organization: OrganizationChoice | null;
  existing: ExistingGallery | null;
  /** The input from before a reload. */
  draft?: GalleryDraft;
};

type Saved = { gallery: GalleryAnswer; organization: OrganizationChoice };

/** What the page can call on each of its forms. */
export type GalleryHandle = {
  isUnsaved: () => boolean;
  /** Reports problems, also below the fields. Nothing is sent. */
  check: () => string[];
  /** Saves unsaved changes. */
  save: () => Promise<Omit<FormResult, 'key'> & { saved: Saved | null }>;
  organization: () => OrganizationChoice | null;
  /** Null for an existing gallery. */
  draft: () => (GalleryDraft & { isTyped: boolean }) | null;
};

type Notice = { messages: readonly string[]; attempt: number };

/** The server renders it as well, so it must not be random. */
const FIRST_KEY = 'first';
const NARROW = '(width < 40rem)';

export function useBulkGalleries(
  userId: number,
  organization: OrganizationChoice | null,
  existing: ExistingGallery | null,
) {
  const [forms, setForms] = useState<readonly FormStart[]>([{ key: FIRST_KEY, organization, existing }]);
  const { folded, setFolded, fold } = useFolded();
  const { notice, setMessages, hideNotice } = useNotice();
  const [progress, setProgress] = useState<{ place: number; total: number } | null>(null);
  const [saved, setSaved] = useState<readonly Done[]>([]);
  const isRunning = useRef(false);

  const [isRestored, setRestored] = useState(false);
  const restore = useCallback((kept: readonly GalleryDraft[]) => {
    setRestored(true);
    setForms(kept.map(formOf));
  }, []);
  const { handles, register } = useHandles(userId, existing === null ? restore : null);

  function add(): string | null {
    if (forms.length >= MAX_GALLERIES) return null;
    const key = crypto.randomUUID();
    const last = forms.at(-1);
    const next = last ? (handles.current.get(last.key)?.organization() ?? last.organization) : organization;
    setForms([...forms, { key, organization: next, existing: null }]);
    // On a phone one gallery fills the screen, so the others collapse.
    if (window.matchMedia(NARROW).matches) setFolded(new Set(forms.map((form) => form.key)));
    return key;
  }

  function remove(key: string): void {
    if (forms.length > 1) setForms(forms.filter((form) => form.key !== key));
    hideNotice();
  }

  function showNotice(messages: readonly string[], wrong: readonly string[]): void {
    setMessages(messages);
    // Galleries with problems expand.
    setFolded((now) => new Set([...now].filter((key) => !wrong.includes(key))));
  }

  async function saveAll(): Promise<void> {
    if (isRunning.current) return;
    const found = forms.map(({ key }) => handles.current.get(key)?.check() ?? []);
    const wrong = forms.filter((_form, index) => (found[index] ?? []).length > 0).map(({ key }) => key);
    showNotice(messagesOfAll(found), wrong);
    if (wrong.length > 0) return;
    isRunning.current = true;
    const { results, made } = await saveInTurn(forms, handles.current, (place) =>
      setProgress({ place, total: forms.length }),
    );
    isRunning.current = false;
    setProgress(null);
    const failed = results.filter(({ messages }) => messages.length > 0).map(({ key }) => key);
    showNotice(messagesAfter(results), failed);
    if (failed.length === 0) startAgain(made);
  }

  /** After everything was saved: one blank form (specification A§4); running uploads continue. */
  function startAgain(done: readonly Done[]): void {
    setSaved((now) => [...done, ...now.filter(({ key }) => !done.some((each) => each.key === key))]);
    beginBlank();
    showToast(GALLERIES_SAVED, 'success');
  }

  function beginBlank(): void {
    setForms([{ key: crypto.randomUUID(), organization, existing: null }]);
    setFolded(new Set());
    setRestored(false);
  }

  return {
    forms,
    folded,
    notice,
    progress,
    saved,
    register,
    fold,
    add,
    remove,
    hideNotice,
    saveAll,
    /** Input from before a reload was restored. */
    isRestored,
    startOver() {
      beginBlank();
      hideNotice();
    },
    isUnsaved: useCallback(() => [...handles.current.values()].some((handle) => handle.isUnsaved()), [handles]),
  };
}

const messagesOfAll = (found: readonly string[][]) => found.flatMap((own, index) => prefixed(index + 1, own));

function formOf(draft: GalleryDraft): FormStart {
  return { key: crypto.randomUUID(), organization: draft.organization, existing: null, draft };
}

/** The calls of all forms; their drafts are stored as they change. */
function useHandles(userId: number, restore: ((kept: readonly GalleryDraft[]) => void) | null) {
  const handles = useRef(new Map<string, GalleryHandle>());
  const { saveDraft } = useGalleryDraft(userId, handles, restore);
  const register = useCallback(
    (key: string, handle: GalleryHandle | null) => {
      if (handle) handles.current.set(key, handle);
      else handles.current.delete(key);
      saveDraft();
    },
    [saveDraft],
  );
  return { handles, register };
}

function useNotice() {
  const [notice, setNotice] = useState<Notice>({ messages: [], attempt: 0 });
  return {
    notice,
    setMessages: (messages: readonly string[]) => setNotice((now) => ({ messages, attempt: now.attempt + 1 })),
    hideNotice: () => setNotice((now) => ({ ...now, messages: [] })),
  };
}

function useFolded() {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());

  function fold(key: string, isFolded: boolean): void {
    setFolded((now) => {
      const next = new Set(now);
      if (isFolded) next.add(key);
      else next.delete(key);
      return next;
    });
  }

  return { folded, setFolded, fold };
}

type SavedAll = { results: FormResult[]; made: Done[] };

async function saveInTurn(
  forms: readonly FormStart[],
  handles: ReadonlyMap<string, GalleryHandle>,
  onPlace: (place: number) => void,
): Promise<SavedAll> {
  const results: FormResult[] = [];
  const made: Done[] = [];
  for (const [index, { key }] of forms.entries()) {
    onPlace(index + 1);
    const result = await handles.get(key)?.save();
    if (result) results.push({ key, ...result });
    if (result?.saved) made.push(savedOf(result.saved));
  }
  return { results, made };
}

function savedOf({ gallery, organization: { name, site, domain_name } }: Saved): Done {
  return {
    key: gallery.id,
    name: gallery.name,
    detail: name,
    address: `${site}/${domain_name}/gallery/${gallery.id}/edit`,
  };
}

const DRAFT_NAME = 'sideline-bulk-galleries';

function useGalleryDraft(
  userId: number,
  /** The forms in order. */
  handles: RefObject<ReadonlyMap<string, Pick<GalleryHandle, 'draft'>>>,
  /** Null if the page starts with an existing gallery. */
  restore: ((kept: readonly GalleryDraft[]) => void) | null,
): { saveDraft: () => void } {
  const isRead = useRef(false);
  const isDue = useRef(false);
  const isKept = restore !== null;

  /** After the current render, once for all forms. Leaving by a link asks first and stores nothing. */
  const saveDraft = useCallback(() => {
    if (!isKept || isDue.current) return;
    isDue.current = true;
    queueMicrotask(() => {
      isDue.current = false;
      if (!isRead.current) return;
      const drafts = [...handles.current.values()].flatMap((handle) => handle.draft() ?? []);
      storeInTab(DRAFT_NAME, draftOf(userId, drafts));
    });
  }, [userId, handles, isKept]);

  useEffect(() => {
    if (isRead.current || restore === null) return;
    isRead.current = true;
    const draft = readDraft(readFromTab(DRAFT_NAME), userId);
    if (draft !== null) restore(draft);
  }, [userId, restore]);

  return { saveDraft };
}
