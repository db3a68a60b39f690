/** The state of the settings form: what is typed, what is saved, and what its save button says. */
import { useEffect, useRef, useState } from 'react';
import type { GalleryAnswer } from '#src/features/galleries/galleries.contract.ts';
import { BUTTON_REVERT_MS } from '#src/features/galleries/gallery-editor.contract.ts';
import {
  afterSave,
  bodyOf,
  changesOf,
  isChanged,
  problemsOf,
  valuesOf,
  withSeen,
  type GalleryValues,
} from '#src/features/galleries/gallery-form.rules.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { callApi, type ApiResult } from '#src/web/api-client.ts';

/** `saved` and `failed` last a second. */
export type SaveStage = 'idle' | 'saving' | 'saved' | 'failed';

export type GalleryForm = {
  values: GalleryValues;
  errors: FieldErrors;
  /** Counts the tries. */
  attempt: number;
  stage: SaveStage;
  isChanged: boolean;
  set: <Field extends keyof GalleryValues>(field: Field, value: GalleryValues[Field]) => void;
  discard: () => void;
  /** Answers the gallery as it is now, or null: `errors` say why not. */
  save: () => Promise<GalleryAnswer | null>;
};

/** @param galleryId null for a gallery that is not there yet; it will belong to `organizationId` */
export function useGalleryForm(
  start: GalleryValues,
  { galleryId, organizationId }: { galleryId: number | null; organizationId: number },
): GalleryForm {
  const [values, setValues] = useState(start);
  const [saved, setSaved] = useState(start);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [attempt, setAttempt] = useState(0);
  const [stage, setStage] = useState<SaveStage>('idle');
  const isSaving = useRef(false);

  useEffect(() => {
    if (stage !== 'saved' && stage !== 'failed') return;
    const timer = setTimeout(() => setStage('idle'), BUTTON_REVERT_MS);
    return () => clearTimeout(timer);
  }, [stage]);

  async function save(): Promise<GalleryAnswer | null> {
    if (isSaving.current) return null;
    const owner = galleryId === null ? organizationId : null;
    setAttempt((count) => count + 1);
    const found = problemsOf(values, owner);
    setErrors(found);
    if (Object.keys(found).length > 0) return null;
    isSaving.current = true;
    setStage('saving');
    const answer = await send(
      galleryId,
      owner === null ? changesOf(values, saved) : { gallery: bodyOf(values, owner) },
    );
    isSaving.current = false;
    setStage(answer.ok ? 'saved' : 'failed');
    if (!answer.ok) {
      // Changed by somebody else meanwhile: with the next save its owner knows of it.
      if (answer.status === 409) setSaved(withSeen(saved, answer.body['gallery']));
      setErrors(Object.keys(answer.errors).length > 0 ? bareFields(answer.errors) : { gallery: [answer.error] });
      return null;
    }
    const kept = valuesOf(answer.data);
    setSaved(kept);
    setValues((now) => afterSave(now, values, kept));
    return answer.data;
  }

  return {
    values,
    errors,
    attempt,
    stage,
    isChanged: isChanged(values, saved),
    set: (field, value) => setValues((now) => ({ ...now, [field]: value })),
    discard: () => {
      setValues(saved);
      setErrors({});
    },
    save,
  };
}

/** 201 answers the gallery, 200 a list of one. */
async function send(galleryId: number | null, body: unknown): Promise<ApiResult<GalleryAnswer>> {
  if (galleryId === null) return callApi<GalleryAnswer>('POST', '/api/v1/galleries/', { body });
  const answer = await callApi<GalleryAnswer[]>('PUT', `/api/v1/galleries/${galleryId}`, { body });
  if (!answer.ok) return answer;
  const [gallery] = answer.data;
  return gallery
    ? { ...answer, data: gallery }
    : {
        ok: false,
        status: answer.status,
        error: 'The answer of the server was empty. Please try again.',
        errors: {},
        body: {},
        retryAfterSeconds: null,
      };
}

/** `gallery.name` of the call is the form's `name`. */
function bareFields(errors: FieldErrors): FieldErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([field, messages]) => [field.replace(/^gallery\./, ''), messages]),
  );
}
