/** The state of the settings form: values, saved values, the label of its button, and the password that a save may need. */
import { useCallback, useRef, useState, type FormEvent } from 'react';
import { useNavigate, useRevalidator } from 'react-router';
import { CONFIRM_PASSWORD_FIRST } from '#src/features/accounts/accounts.contract.ts';
import { unexpectedStatus, type SettingsAnswer } from '#src/features/settings/settings.contract.ts';
import {
  changesMark,
  asTyped,
  changesOf,
  valuesOf,
  type SettingsValues,
} from '#src/features/settings/settings-form.rules.ts';
import { UPDATE, UPDATE_FAILED, UPDATE_REVERT_MS, UPDATED } from '#src/features/tenancy/settings-words.contract.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { api, unchecked, type Refused } from '#src/web/api-client.ts';
import { refusalErrors } from '#src/web/use-form.ts';
import { useSavedForm, type SaveStage } from '#src/web/use-saved-form.ts';

export type SettingsForm = ReturnType<typeof useSettingsForm>;

type SettingsFormOptions = {
  /** Whose password is changed. */
  userId: number | null;
  /** Problems before anything is sent. */
  problems: (values: SettingsValues, saved: SettingsValues) => FieldErrors;
  /** Problems in a refusal. */
  refusal?: (refused: Refused) => FieldErrors;
};

/** The messages of a refusal, by field. */
const wordsOf = (refused: Refused) => refusalErrors(refused, 'affiliate');

export function useSettingsForm(answer: SettingsAnswer, { userId, problems, refusal = wordsOf }: SettingsFormOptions) {
  const form = useSavedForm(useState(() => valuesOf(answer))[0], { check: problems, revertMs: UPDATE_REVERT_MS });
  const { values, saved } = form;
  // Problems of a chosen picture, shown only next to it.
  const [ofPictures, setOfPictures] = useState<FieldErrors>({});
  const [waiting, setWaiting] = useState<((confirmed: boolean) => void) | null>(null);

  /** Null if the person canceled the password dialog. */
  async function send(body: unknown): Promise<SettingsAnswer | FieldErrors | null> {
    for (;;) {
      const sent = await api('PUT /api/v1/affiliates/{id}', { params: { id: answer.id }, body: unchecked(body) });
      // 200 with the whole, or 204 without a body (specification A§7).
      if (sent.ok && sent.status === 204) return asTyped(answer, values);
      if (sent.ok) return (sent.status === 200 && sent.data?.[0]) || { affiliate: [unexpectedStatus(sent.status)] };
      if (sent.status !== 401 || sent.error !== CONFIRM_PASSWORD_FIRST) return refusal(sent);
      const confirmed = await new Promise<boolean>((resolve) => setWaiting(() => resolve));
      setWaiting(null);
      if (!confirmed) return null;
    }
  }

  /** Returns the saved settings, or null with `errors`. */
  async function save(): Promise<SettingsAnswer | null> {
    setOfPictures({});
    const result = await form.save<{ kept: SettingsValues; settings: SettingsAnswer }>(async () => {
      const outcome = await send({ affiliate: changesOf(values, saved), user_id: userId });
      if (outcome === null) return null;
      if (!isAnswer(outcome)) return { errors: outcome };
      return { kept: valuesOf(outcome), settings: outcome };
    });
    return 'settings' in result ? result.settings : null;
  }

  function discard(kept = saved): void {
    setOfPictures({});
    form.discard(kept);
  }

  return {
    ...form,
    /** True while the password is requested (rule 47). */
    asksForPassword: waiting !== null,
    ofPictures,
    refusePicture: (field: keyof SettingsValues, messages: string[]) =>
      setOfPictures((now) => ({ ...now, [field]: messages })),
    save,
    discard,
    /** Starts again with the server's values. */
    adopt: (fresh: SettingsAnswer) => discard(valuesOf(fresh)),
    /** Called after the password dialog. */
    goOn: (confirmed: boolean) => waiting?.(confirmed),
  };
}

function isAnswer(outcome: SettingsAnswer | FieldErrors): outcome is SettingsAnswer {
  return 'domain_name' in outcome && typeof outcome['domain_name'] === 'string';
}

/** Saves the form, and follows the organization to its new address: `pathOf` returns this page's path there. */
export function useSettingsSubmit(
  form: Pick<SettingsForm, 'values' | 'saved' | 'isChanged' | 'save'>,
  domainName: string,
  pathOf: (saved: SettingsAnswer) => string,
) {
  // Saves that changed the watermark.
  const [round, setRound] = useState(0);
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  // The move to the new address needs no confirmation: everything is saved.
  const isMoving = useRef(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const marked = changesMark(form.values, form.saved);
    const saved = await form.save();
    if (!saved) return;
    if (marked) setRound((count) => count + 1);
    // The frame shows name, colors and links of the organization.
    if (saved.domain_name === domainName) return revalidate();
    isMoving.current = true;
    await navigate(pathOf(saved), { replace: true });
    isMoving.current = false;
  }

  return { submit, round, isUnsaved: useCallback(() => form.isChanged && !isMoving.current, [form.isChanged]) };
}

/** The button's label while nothing is being saved. */
export function saveLabel(stage: SaveStage): string {
  return stage === 'saved' ? UPDATED : stage === 'failed' ? UPDATE_FAILED : UPDATE;
}
