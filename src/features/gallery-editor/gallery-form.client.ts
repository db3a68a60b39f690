/** The state of the settings form: values, saved values, and the label of its save button. */
import { useState } from 'react';
import type { GalleryAnswer } from '#src/features/galleries/galleries.contract.ts';
import { BUTTON_REVERT_MS } from '#src/features/gallery-editor/gallery-editor.contract.ts';
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
import { api, unchecked, UNREADABLE_ANSWER, type ApiResult } from '#src/web/api-client.ts';
import { refusalErrors } from '#src/web/use-form.ts';
import { useSavedForm } from '#src/web/use-saved-form.ts';

export type GalleryForm = ReturnType<typeof useGalleryForm>;

export type SaveResult = { gallery: GalleryAnswer } | { errors: FieldErrors };

type GalleryPlace = {
  /** Null for a new gallery. */
  galleryId: number | null;
  /** The owner of a new one. */
  organizationId: number;
  /** Creates one gallery, however often it is sent. */
  clientKey?: string;
};

export function useGalleryForm(
  start: GalleryValues,
  { galleryId, organizationId, clientKey }: GalleryPlace,
  /** Values that someone had typed before the page was reloaded. */
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

  /** For callers that need the problems before the next render. */
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
      // Someone else changed it meanwhile: saving again overwrites that knowingly.
      if (answer.status === 409) setSaved(withSeen(saved, answer.body['gallery']));
      return { errors: refusalErrors(answer, 'gallery') };
    });
  }

  return {
    ...form,
    organizationId,
    set: <Field extends keyof GalleryValues>(field: Field, value: GalleryValues[Field]) =>
      setValues((now) => withField(now, saved, field, value)),
    /** Returns the saved gallery, or null with `errors`. */
    async save(): Promise<GalleryAnswer | null> {
      const result = await trySave();
      return 'gallery' in result ? result.gallery : null;
    },
    trySave,
    /** Shows the problems under the fields, and sends nothing. */
    check(): FieldErrors {
      const found = problemsOf(values, owner);
      form.show(found);
      return found;
    },
    /** A response was lost: it is unknown whether the gallery was created. Sending it again with its key answers that. */
    isUncertain,
  };
}

/**
 * 201 returns the new gallery; 200 the one that this form created before its response was lost; 409 the same if the form's
 * content has changed, and the gallery is then updated.
 */
async function create(
  values: GalleryValues,
  organizationId: number,
  clientKey: string | undefined,
): Promise<ApiResult<GalleryAnswer>> {
  const key = clientKey === undefined ? {} : { client_key: clientKey };
  const body = { gallery: bodyOf(values, organizationId), ...key };
  const answer = await api('POST /api/v1/galleries/', { body: unchecked(body) });
  const madeBefore = answer.ok ? answer.data : (answer.body['gallery'] as GalleryAnswer | undefined);
  if (madeBefore === undefined || (answer.ok && answer.status !== 200)) return answer;
  // A new gallery has no goal fields, so the values of the created one have none either.
  const made = valuesOf(madeBefore);
  const changes = changesOf({ ...made, ...settingsOf(values) }, made);
  if (Object.keys(changes.gallery).length > 0) return change(madeBefore.id, changes);
  return { ok: true, status: 200, data: madeBefore };
}

/** The response is a list of one. */
async function change(galleryId: number, body: unknown): Promise<ApiResult<GalleryAnswer>> {
  const answer = await api('PUT /api/v1/galleries/{id}', { params: { id: galleryId }, body: unchecked(body) });
  if (!answer.ok) return answer;
  const [gallery] = answer.data;
  if (gallery) return { ...answer, data: gallery };
  return { ...answer, ok: false, error: UNREADABLE_ANSWER, errors: {}, body: {}, retryAfterSeconds: null };
}

/** Texts as the server stores them, so that blanks around them do not count as changes. */
function settingsOf(values: GalleryValues): GalleryValues {
  const stored = Object.entries(values).map(([field, value]) => [
    field,
    typeof value === 'string' ? value.trim() : value,
  ]);
  return Object.fromEntries(stored) as GalleryValues;
}
