/** The state of the settings form: what is typed, what is saved, what its button says, and the password that a save may ask for. */
import { useEffect, useRef, useState } from 'react';
import { CONFIRM_PASSWORD_FIRST } from '#src/features/accounts/accounts.contract.ts';
import type { SettingsAnswer } from '#src/features/settings/settings.contract.ts';
import {
  afterSave,
  asTyped,
  bareFields,
  changesOf,
  isChanged,
  valuesOf,
  type SettingsValues,
} from '#src/features/settings/settings-form.rules.ts';
import { unexpectedStatus } from '#src/features/settings/single-edit.contract.ts';
import { UPDATE, UPDATE_FAILED, UPDATE_REVERT_MS, UPDATED } from '#src/features/tenancy/settings-words.contract.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { callApi, type Refused } from '#src/web/api-client.ts';

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
  /** True while the password is asked for once more (rule 47). */
  asksForPassword: boolean;
  set: <Field extends keyof SettingsValues>(field: Field, value: SettingsValues[Field]) => void;
  setErrors: (field: keyof SettingsValues, messages: string[]) => void;
  discard: () => void;
  /** Begins anew with what the server keeps. */
  adopt: (answer: SettingsAnswer) => void;
  /** Says what is wrong, above the form. */
  tell: (problems: FieldErrors) => void;
  /** Answers the settings as they are now, or null: `errors` say why not. */
  save: () => Promise<SettingsAnswer | null>;
  /** After the password was typed, or was not. */
  goOn: (confirmed: boolean) => void;
};

type SettingsFormOptions = {
  /** Whose password is changed. */
  userId: number | null;
  /** What is wrong before anything is sent. */
  problems: (values: SettingsValues, saved: SettingsValues) => FieldErrors;
  /** What a refusal says. */
  refusal?: (refused: Refused) => FieldErrors;
};

/** The words of a refusal as they came, under their fields. */
const wordsOf = ({ errors, error }: Refused): FieldErrors =>
  Object.keys(errors).length > 0 ? bareFields(errors) : { affiliate: [error] };

export function useSettingsForm(
  answer: SettingsAnswer,
  { userId, problems, refusal = wordsOf }: SettingsFormOptions,
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
      const sent = await callApi<SettingsAnswer[] | null>('PUT', `/api/v1/affiliates/${answer.id}`, { body });
      // 200 with the whole, or 204 with nothing (specification A§7).
      if (sent.ok && sent.status === 204) return asTyped(answer, values);
      if (sent.ok) return (sent.status === 200 && sent.data?.[0]) || { affiliate: [unexpectedStatus(sent.status)] };
      const asks = sent.status === 401 && sent.error === CONFIRM_PASSWORD_FIRST;
      const confirmed = asks && (await new Promise<boolean>((resolve) => setWaiting(() => resolve)));
      setWaiting(null);
      if (confirmed) continue;
      return refusal(sent);
    }
  }

  async function save(): Promise<SettingsAnswer | null> {
    if (isSaving.current) return null;
    setAttempt((count) => count + 1);
    const found = problems(values, saved);
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

  function adopt(fresh: SettingsAnswer): void {
    const kept = valuesOf(fresh);
    setSaved(kept);
    setValues(kept);
    tell({});
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
    adopt,
    tell: (problems) => {
      setAttempt((count) => count + 1);
      tell(problems);
    },
    save,
    goOn: (confirmed) => waiting?.(confirmed),
  };
}

function isAnswer(outcome: SettingsAnswer | FieldErrors): outcome is SettingsAnswer {
  return 'domain_name' in outcome && typeof outcome['domain_name'] === 'string';
}

/** What the button reads while nothing is under way. */
export function saveLabel(stage: SaveStage): string {
  return stage === 'saved' ? UPDATED : stage === 'failed' ? UPDATE_FAILED : UPDATE;
}
