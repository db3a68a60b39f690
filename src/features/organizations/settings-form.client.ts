/** The state of the settings form: what is typed, what is saved, what its button says, and the password that a save may ask for. */
import { useEffect, useRef, useState } from 'react';
import { CONFIRM_PASSWORD_FIRST } from '#src/features/accounts/accounts.contract.ts';
import type { SettingsAnswer } from '#src/features/organizations/settings.contract.ts';
import {
  afterSave,
  bareFields,
  changesOf,
  isChanged,
  problemsOf,
  valuesOf,
  type SettingsValues,
} from '#src/features/organizations/settings-form.rules.ts';
import { UPDATE_REVERT_MS } from '#src/features/organizations/settings-words.contract.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { callApi } from '#src/web/api-client.ts';

/** `saved` and `failed` last two seconds. */
export type SaveStage = 'idle' | 'saving' | 'saved' | 'failed';

export type SettingsForm = {
  values: SettingsValues;
  saved: SettingsValues;
  errors: FieldErrors;
  /** The problems of the last try to save; those of a picture that was just chosen are told beside it only. */
  told: FieldErrors;
  /** Counts the tries. */
  attempt: number;
  stage: SaveStage;
  isChanged: boolean;
  /** True while the password is asked for once more (decision 47). */
  asksForPassword: boolean;
  set: <Field extends keyof SettingsValues>(field: Field, value: SettingsValues[Field]) => void;
  setErrors: (field: keyof SettingsValues, messages: string[]) => void;
  discard: () => void;
  /** Answers the settings as they are now, or null: `errors` say why not. */
  save: () => Promise<SettingsAnswer | null>;
  /** After the password was typed, or was not. */
  goOn: (confirmed: boolean) => void;
};

export function useSettingsForm(
  answer: SettingsAnswer,
  { userId, passwordMin }: { userId: number | null; passwordMin: number },
): SettingsForm {
  const [saved, setSaved] = useState(() => valuesOf(answer));
  const [values, setValues] = useState(saved);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [told, setTold] = useState<FieldErrors>({});
  const [attempt, setAttempt] = useState(0);
  const [stage, setStage] = useState<SaveStage>('idle');
  const [waiting, setWaiting] = useState<((confirmed: boolean) => void) | null>(null);
  const isSaving = useRef(false);

  useEffect(() => {
    if (stage !== 'saved' && stage !== 'failed') return;
    const timer = setTimeout(() => setStage('idle'), UPDATE_REVERT_MS);
    return () => clearTimeout(timer);
  }, [stage]);

  function tell(problems: FieldErrors): void {
    setErrors(problems);
    setTold(problems);
  }

  async function send(body: unknown): Promise<SettingsAnswer | FieldErrors> {
    for (;;) {
      const sent = await callApi<SettingsAnswer[]>('PUT', `/api/v1/affiliates/${answer.id}`, { body });
      if (sent.ok) return sent.data[0] ?? { affiliate: ['The answer of the server was empty. Please try again.'] };
      const asks = sent.status === 401 && sent.error === CONFIRM_PASSWORD_FIRST;
      const confirmed = asks && (await new Promise<boolean>((resolve) => setWaiting(() => resolve)));
      setWaiting(null);
      if (confirmed) continue;
      return Object.keys(sent.errors).length > 0 ? bareFields(sent.errors) : { affiliate: [sent.error] };
    }
  }

  async function save(): Promise<SettingsAnswer | null> {
    if (isSaving.current) return null;
    setAttempt((count) => count + 1);
    const found = problemsOf(values, saved, passwordMin);
    tell(found);
    if (Object.keys(found).length > 0) return null;
    isSaving.current = true;
    setStage('saving');
    const outcome = await send({ affiliate: changesOf(values, saved), user_id: userId });
    isSaving.current = false;
    if (!isAnswer(outcome)) {
      setStage('failed');
      tell(outcome);
      return null;
    }
    setStage('saved');
    const kept = valuesOf(outcome);
    setSaved(kept);
    setValues((now) => afterSave(now, values, kept));
    return outcome;
  }

  return {
    values,
    saved,
    errors,
    told,
    attempt,
    stage,
    isChanged: isChanged(values, saved),
    asksForPassword: waiting !== null,
    set: (field, value) => setValues((now) => ({ ...now, [field]: value })),
    setErrors: (field, messages) => setErrors((now) => ({ ...now, [field]: messages })),
    discard: () => {
      setValues(saved);
      tell({});
    },
    save,
    goOn: (confirmed) => waiting?.(confirmed),
  };
}

function isAnswer(outcome: SettingsAnswer | FieldErrors): outcome is SettingsAnswer {
  return 'domain_name' in outcome && typeof outcome['domain_name'] === 'string';
}
