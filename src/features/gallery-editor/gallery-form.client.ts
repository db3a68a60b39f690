/** The state of the settings form: what is typed, what is saved, and what its save button says. */
import { useEffect, useRef, useState } from 'react';
import type { GalleryAnswer } from '#src/features/galleries/galleries.contract.ts';
import { BUTTON_REVERT_MS } from '#src/features/sharing/gallery-editor.contract.ts';
import {
  afterSave,
  bodyOf,
  changesOf,
  isChanged,
  problemsOf,
  valuesOf,
  withField,
  withSeen,
  type GalleryValues,
} from '#src/features/gallery-editor/gallery-form.rules.ts';
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
  /** The same, for who must know why not before the next drawing. */
  trySave: () => Promise<SaveResult>;
  /** Says what is wrong under the fields, and sends nothing. */
  check: () => FieldErrors;
  /** Begins anew from these values; what somebody typed stays. */
  begin: (start: GalleryValues) => void;
  /** An answer was lost: nobody knows whether the gallery was made. Sent again with its key, it tells. */
  isUncertain: boolean;
};

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
  /** Where somebody had typed something before the page was loaded anew. */
  typed: GalleryValues = start,
): GalleryForm {
  const [values, setValues] = useState(typed);
  const [saved, setSaved] = useState(start);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [attempt, setAttempt] = useState(0);
  const [stage, setStage] = useState<SaveStage>('idle');
  const [isUncertain, setUncertain] = useState(false);
  const isSaving = useRef(false);

  useEffect(() => {
    if (stage !== 'saved' && stage !== 'failed') return;
    const timer = setTimeout(() => setStage('idle'), BUTTON_REVERT_MS);
    return () => clearTimeout(timer);
  }, [stage]);

  const owner = galleryId === null ? organizationId : null;

  function check(): FieldErrors {
    setAttempt((count) => count + 1);
    const found = problemsOf(values, owner);
    setErrors(found);
    return found;
  }

  async function trySave(): Promise<SaveResult> {
    if (isSaving.current) return { errors: {} };
    const found = check();
    if (Object.keys(found).length > 0) return { errors: found };
    isSaving.current = true;
    setStage('saving');
    const answer = await (owner === null
      ? change(galleryId ?? 0, changesOf(values, saved))
      : create(values, owner, clientKey));
    isSaving.current = false;
    setStage(answer.ok ? 'saved' : 'failed');
    if (!answer.ok) {
      if (owner !== null) setUncertain(answer.status === 0 || answer.status >= 500);
      // Changed by somebody else meanwhile: with the next save its owner knows of it.
      if (answer.status === 409) setSaved(withSeen(saved, answer.body['gallery']));
      const told = Object.keys(answer.errors).length > 0 ? bareFields(answer.errors) : { gallery: [answer.error] };
      setErrors(told);
      return { errors: told };
    }
    const kept = valuesOf(answer.data);
    setUncertain(false);
    setSaved(kept);
    setValues((now) => afterSave(now, values, kept));
    return { gallery: answer.data };
  }

  async function save(): Promise<GalleryAnswer | null> {
    const result = await trySave();
    return 'gallery' in result ? result.gallery : null;
  }

  return {
    values,
    errors,
    attempt,
    stage,
    isChanged: isChanged(values, saved),
    set: (field, value) => setValues((now) => withField(now, saved, field, value)),
    discard: () => {
      setValues(saved);
      setErrors({});
    },
    save,
    trySave,
    check,
    begin: (next) => {
      setValues((now) => afterSave(now, saved, next));
      setSaved(next);
    },
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

/** `gallery.name` of the call is the form's `name`. */
function bareFields(errors: FieldErrors): FieldErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([field, messages]) => [field.replace(/^gallery\./, ''), messages]),
  );
}
