/** One of the galleries of a page: its organization, its input, and the gallery itself once it exists. */
import { useEffect, useRef, useState } from 'react';
import { upgradePath } from '#src/features/billing/upgrade-link.rules.ts';
import { ORGANIZATION_REQUIRED } from '#src/features/bulk-galleries/bulk-galleries.contract.ts';
import type { FormStart, GalleryHandle } from '#src/features/bulk-galleries/bulk-galleries.client.ts';
import type { GalleryAnswer } from '#src/features/galleries/galleries.contract.ts';
import { useGalleryForm, type GalleryForm, type SaveResult } from '#src/features/gallery-editor/gallery-form.client.ts';
import { blankValues, messagesInOrder, valuesOf } from '#src/features/gallery-editor/gallery-form.rules.ts';
import type { OrganizationChoice } from '#src/features/organization-picker/organization-choices.contract.ts';
import type { Chosen } from '#src/features/uploads/chosen-files.client.ts';
import { uploadQueue } from '#src/features/uploads/uploads.client.ts';
import { api } from '#src/web/api-client.ts';

export type BulkGalleryForm = ReturnType<typeof useBulkGalleryForm>;

export const NO_FILES: Chosen = { files: [], folders: [] };
type SaveOutcome = { gallery: GalleryAnswer } | { messages: string[] };
const NO_ORGANIZATION = { name: '', default_photo_price: 2 };

export function useBulkGalleryForm(
  start: FormStart,
  register: (key: string, handle: GalleryHandle | null) => void,
  onSaved: () => void,
) {
  const [organization, setOrganization] = useState(start.organization);
  const [organizationErrors, setOrganizationErrors] = useState<readonly string[]>([]);
  const [gallery, setGallery] = useState(start.existing?.gallery ?? null);
  const { waiting, hold, send } = useWaiting(organization);
  const [messages, setMessages] = useState<readonly string[]>([]);
  const [attempt, setAttempt] = useState(0);
  const [hasFailed, setFailed] = useState(false);
  const [clientKey] = useState(() => start.draft?.clientKey ?? crypto.randomUUID());
  const form = useGalleryForm(
    start.existing ? valuesOf(start.existing.gallery) : blankValues(start.organization ?? NO_ORGANIZATION),
    { galleryId: gallery?.id ?? null, organizationId: organization?.id ?? 0, clientKey },
    start.draft?.values,
  );
  const isUnsaved = form.isChanged || countOf(waiting) > 0;

  function check(): string[] {
    setMessages([]);
    setFailed(false);
    const missing = organization === null ? [ORGANIZATION_REQUIRED] : [];
    setOrganizationErrors(missing);
    const { organization_id: _unchosen, ...errors } = form.check();
    return [...missing, ...messagesInOrder(errors)];
  }

  const { running, save } = useOneSave(form, form.isChanged ? null : gallery, (result) => {
    setFailed(!('gallery' in result));
    if (!('gallery' in result)) return;
    setGallery(result.gallery);
    send(result.gallery);
  });

  /**
   * The gallery; created now if it does not exist, and `chosen` photos are added to it. Null if there are problems,
   * which the fields show; the photos wait.
   */
  async function ensure(chosen = NO_FILES): Promise<GalleryAnswer | null> {
    hold(chosen);
    if (gallery) {
      send(gallery);
      return gallery;
    }
    // A running save was checked already.
    const wrong = running.current ? [] : check();
    const result = wrong.length > 0 ? { messages: wrong } : await save();
    setAttempt((count) => count + 1);
    setMessages('messages' in result ? result.messages : []);
    if (!('gallery' in result)) return null;
    // Chosen after the response arrived, before the next render.
    send(result.gallery);
    onSaved();
    return result.gallery;
  }

  useHandle(start.key, register, {
    isUnsaved: () => isUnsaved,
    check,
    organization: () => organization,
    // A saved gallery is on its owner's dashboard.
    draft: () => (gallery ? null : { organization, values: form.values, clientKey, isTyped: isUnsaved }),
    async save() {
      const wasNew = gallery === null;
      const result = await save();
      return 'gallery' in result
        ? { wasNew, messages: [], saved: organization && { gallery: result.gallery, organization } }
        : { wasNew, messages: result.messages, saved: null };
    },
  });

  return {
    organization,
    /** Another organization's name and price, unless something else was typed. */
    choose: (next: OrganizationChoice) => {
      setOrganization(next);
      setOrganizationErrors([]);
      form.begin(blankValues(next));
    },
    organizationErrors,
    form,
    /** Null until it is saved. */
    gallery,
    /** Photos that continue when the gallery is saved. */
    waiting,
    ensure,
    /** Loads the gallery again, after its link has changed. */
    refetch: () => fetchAgain(gallery?.id ?? null, setGallery),
    /** Messages of the last attempt, if it was made from this form alone. */
    messages,
    attempt,
    hasFailed,
  };
}

export function countOf({ files, folders }: Chosen): number {
  return files.length + folders.length;
}

/** One call at a time: other callers get the same result. Nothing is sent for a gallery that is `saved`. */
function useOneSave(form: GalleryForm, saved: GalleryAnswer | null, onResult: (result: SaveResult) => void) {
  const running = useRef<Promise<SaveOutcome> | null>(null);

  async function saveNow(): Promise<SaveOutcome> {
    const result = await form.trySave();
    onResult(result);
    return 'gallery' in result ? result : { messages: messagesInOrder(result.errors) };
  }

  function save(): Promise<SaveOutcome> {
    if (saved) return Promise.resolve({ gallery: saved });
    running.current ??= saveNow().finally(() => {
      running.current = null;
    });
    return running.current;
  }

  return { running, save };
}

async function fetchAgain(galleryId: number | null, onGallery: (gallery: GalleryAnswer) => void): Promise<void> {
  if (galleryId === null) return;
  const answer = await api('GET /api/v1/galleries/{id}/full', { params: { id: galleryId } });
  const [now] = answer.ok ? answer.data : [];
  // Never what visitors see of a locked one.
  if (now && 'active' in now) onGallery(now);
}

/** Photos that were chosen before their gallery existed. */
function useWaiting(organization: OrganizationChoice | null) {
  const [waiting, setWaiting] = useState<Chosen>(NO_FILES);
  // Updated before the next render, so that no selection is lost.
  const held = useRef<Chosen>(NO_FILES);

  function put(chosen: Chosen): void {
    held.current = chosen;
    setWaiting(chosen);
  }

  /** Waiting photos go to the window's queue, which continues whatever happens to this form. */
  function send({ id, organization_id: affiliateId }: GalleryAnswer): void {
    const chosen = held.current;
    put(NO_FILES);
    if (organization === null || countOf(chosen) === 0) return;
    const upgrade = `${organization.site}${upgradePath(organization.domain_name)}`;
    uploadQueue().add({ galleryId: id, affiliateId, upgradePath: upgrade, ...chosen });
  }

  return {
    waiting,
    hold({ files, folders }: Chosen): void {
      put({ files: [...held.current.files, ...files], folders: [...held.current.folders, ...folders] });
    },
    send,
  };
}

/** What the page can call on this form, as of the last render. */
function useHandle(key: string, register: (key: string, handle: GalleryHandle | null) => void, handle: GalleryHandle) {
  useEffect(() => register(key, handle));
  useEffect(() => () => register(key, null), [register, key]);
}
