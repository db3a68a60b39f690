/** The state of the settings form: what is typed, what is saved, and what its save button says. */
import { useState } from 'react';
import type { GalleryAnswer } from '#src/features/galleries/galleries.contract.ts';
import { BUTTON_REVERT_MS } from '#src/features/sharing/owner-pages.contract.ts';
import {
  bodyOf,
  changesOf,
  problemsOf,
  valuesOf,
  withField,
  withSeen,
  type GalleryValues,
} from '#src/features/gallery-editor/gallery-form.rules.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { callApi, type ApiResult } from '#src/web/api-client.ts';
import { refusalErrors } from '#src/web/use-form.ts';
import { useSavedForm } from '#src/web/use-saved-form.ts';

export type GalleryForm = ReturnType<typeof useGalleryForm>;

export type SaveResult = { gallery: GalleryAnswer } | { errors: FieldErrors };

type GalleryPlace = {
  /** Null for a gallery that is not there yet. */
  galleryId: number | null;
  /** Whose a new one will be. */
  organizationId: number;
  /** Makes one gallery, however often it is sent. */
  clientKey?: string;
};

export function useGalleryForm(
  start: GalleryValues,
  { galleryId, organizationId, clientKey }: GalleryPlace,
  /** Where someone had typed something before the page was loaded anew. */
  typed: GalleryValues = start,
) {
  const owner = galleryId === null ? organizationId : null;
  const form = useSavedForm(start, {
    check: (values) => problemsOf(values, owner),
    typed,
    revertMs: BUTTON_REVERT_MS,
  });
  const { values, saved, setValues, setSaved } = form;
  const [isUncertain, setUncertain] = useState(false);

  /** For those who must know why not before the next drawing. */
  function trySave(): Promise<SaveResult> {
    return form.save<{ kept: GalleryValues; gallery: GalleryAnswer }>(async () => {
      const answer = await (owner === null
        ? change(galleryId ?? 0, changesOf(values, saved))
        : create(values, owner, clientKey));
      if (answer.ok) {
        setUncertain(false);
        return { kept: valuesOf(answer.data), gallery: answer.data };
      }
      if (owner !== null) setUncertain(answer.status === 0 || answer.status >= 500);
      // Changed by someone else meanwhile: with the next save its owner knows of it.
      if (answer.status === 409) setSaved(withSeen(saved, answer.body['gallery']));
      return { errors: refusalErrors(answer, 'gallery') };
    });
  }

  return {
    ...form,
    organizationId,
    set: <Field extends keyof GalleryValues>(field: Field, value: GalleryValues[Field]) =>
      setValues((now) => withField(now, saved, field, value)),
    /** Returns the gallery as it is now, or null: `errors` say why not. */
    async save(): Promise<GalleryAnswer | null> {
      const result = await trySave();
      return 'gallery' in result ? result.gallery : null;
    },
    trySave,
    /** Says what is wrong under the fields, and sends nothing. */
    check(): FieldErrors {
      const found = problemsOf(values, owner);
      form.show(found);
      return found;
    },
    /** An answer was lost: no one knows whether the gallery was made. Sent again with its key, it tells. */
    isUncertain,
  };
}

/**
 * 201 answers the new gallery; 200 the one that this form made before its answer was lost, and 409 the same where the form says
 * something else by now: the gallery then becomes that.
 */
async function create(
  values: GalleryValues,
  organizationId: number,
  clientKey: string | undefined,
): Promise<ApiResult<GalleryAnswer>> {
  const key = clientKey === undefined ? {} : { client_key: clientKey };
  const body = { gallery: bodyOf(values, organizationId), ...key };
  const answer = await callApi<GalleryAnswer>('POST', '/api/v1/galleries/', { body });
  const madeBefore = answer.ok ? answer.data : (answer.body['gallery'] as GalleryAnswer | undefined);
  if (madeBefore === undefined || (answer.ok && answer.status !== 200)) return answer;
  // A new gallery has no goal fields; what was made has none either.
  const made = valuesOf(madeBefore);
  const changes = changesOf({ ...made, ...settingsOf(values) }, made);
  if (Object.keys(changes.gallery).length > 0) return change(madeBefore.id, changes);
  return { ok: true, status: 200, data: madeBefore };
}

/** A list of one is answered. */
async function change(galleryId: number, body: unknown): Promise<ApiResult<GalleryAnswer>> {
  const answer = await callApi<GalleryAnswer[]>('PUT', `/api/v1/galleries/${galleryId}`, { body });
  if (!answer.ok) return answer;
  const [gallery] = answer.data;
  return gallery
    ? { ...answer, data: gallery }
    : {
        ok: false,
        status: answer.status,
        error: 'The server’s answer was empty. Please try again.',
        errors: {},
        body: {},
        retryAfterSeconds: null,
      };
}

/** Names and texts as the server keeps them, so that they are no change. */
function settingsOf({ name, photos_by, ...values }: GalleryValues): GalleryValues {
  return { ...values, name: name.trim(), photos_by: photos_by.trim() };
}
