import { useEffect, useRef, useState } from 'react';
import { changedFields, keepTyped } from '#src/shared/form-values.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { useForm } from '#src/web/use-form.ts';

/** `saved` and `failed` end when the button no longer shows them. */
export type SaveStage = 'idle' | 'saving' | 'saved' | 'failed';

type SavedFormOptions<Values> = {
  check: (values: Values, saved: Values) => FieldErrors;
  /** What was typed before the page was loaded again. */
  typed?: Values;
  /** How long the button shows the result of a save. */
  revertMs: number;
};

/** A form that shows saved values, sends only what was typed, and can be saved repeatedly. */
export function useSavedForm<Values extends object>(start: Values, options: SavedFormOptions<Values>) {
  const { check, typed = start, revertMs } = options;
  const [saved, setSaved] = useState(start);
  const [stage, setStage] = useState<SaveStage>('idle');
  const isSaving = useRef(false);
  const form = useForm(typed, (values) => check(values, saved));
  const { values, setValues } = form;

  useEffect(() => {
    if (stage !== 'saved' && stage !== 'failed') return;
    const timer = setTimeout(() => setStage('idle'), revertMs);
    return () => clearTimeout(timer);
  }, [stage, revertMs]);

  /** Reloads what is saved; what was typed stays. */
  function begin(next: Values, sent = saved): void {
    setSaved(next);
    setValues((now) => keepTyped(now, sent, next));
  }

  return {
    ...form,
    saved,
    setSaved,
    stage,
    isChanged: changedFields(values, saved).length > 0,
    begin,
    /** Reverts to what is saved. */
    discard(kept = saved): void {
      setSaved(kept);
      setValues(kept);
      form.clear();
    },
    /**
     * Checks and sends what is typed; returns what `send` answers. No errors while another save is in progress, and after
     * `send` returned null: the person canceled, and nothing has changed.
     */
    async save<Saved extends { kept: Values }>(
      send: () => Promise<Saved | { errors: FieldErrors } | null>,
    ): Promise<Saved | { errors: FieldErrors }> {
      if (isSaving.current) return { errors: {} };
      const errors = check(values, saved);
      if (!form.show(errors)) return { errors };
      isSaving.current = true;
      setStage('saving');
      const outcome = await send();
      isSaving.current = false;
      if (outcome === null) {
        setStage('idle');
        return { errors: {} };
      }
      setStage('kept' in outcome ? 'saved' : 'failed');
      if ('kept' in outcome) begin(outcome.kept, values);
      else form.show(outcome.errors);
      return outcome;
    },
  };
}
